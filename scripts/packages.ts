// `npm run packages [-- PLATFORM…]`: the set for the registry in .tmp/packages, the program and one package of native
// parts per platform. They are published together, under one version.
import { execFileSync } from "node:child_process";
import { cp, mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { placeNatives, readPlatforms } from "./natives.ts";
import { type Manifest, toMain, toNative } from "./published.ts";

export interface PackedPackage {
  readonly file: string;
  readonly packedBytes: number;
  readonly unpackedBytes: number;
}

/** `only`: the platforms to make; the program names them all. */
export async function makePackages(
  root: string,
  out: string,
  only?: readonly string[],
): Promise<readonly PackedPackage[]> {
  const own = JSON.parse(await readFile(join(root, "package.json"), "utf8")) as Manifest;
  const platforms = await readPlatforms(root);
  await rm(out, { recursive: true, force: true });
  await mkdir(out, { recursive: true });
  const main = toMain(own, platforms);
  const stage = join(out, "stage");
  for (const path of main["files"] as readonly string[]) {
    await cp(join(root, path), join(stage, path), { recursive: true });
  }
  const packed = [await pack(stage, main, out)];
  for (const [name, platform] of Object.entries(platforms)) {
    if (only !== undefined && !only.includes(name)) continue;
    await placeNatives(root, platform, stage);
    await cp(join(root, "NOTICE"), join(stage, "NOTICE"));
    packed.push(await pack(stage, toNative(own, name, platform), out));
  }
  return packed;
}

async function pack(stage: string, manifest: Manifest, out: string): Promise<PackedPackage> {
  await writeFile(join(stage, "package.json"), JSON.stringify(manifest, null, 2));
  const flags = ["--json", "--ignore-scripts", "--dry-run=false", "--pack-destination", out];
  const printed = execFileSync("npm", ["pack", ...flags], {
    cwd: stage,
    encoding: "utf8",
    maxBuffer: 2 ** 26,
    stdio: ["ignore", "pipe", "ignore"],
  });
  const [{ unpackedSize }] = JSON.parse(printed) as [{ unpackedSize: number }];
  await rm(stage, { recursive: true });
  const newest = await newestIn(out);
  return { file: newest.file, packedBytes: newest.size, unpackedBytes: unpackedSize };
}

async function newestIn(folder: string) {
  const names = (await readdir(folder)).filter((name) => name.endsWith(".tgz"));
  const files = await Promise.all(
    names.map(async (name) => ({ file: join(folder, name), ...(await stat(join(folder, name))) })),
  );
  const [newest] = files.toSorted((a, b) => b.mtimeMs - a.mtimeMs);
  if (newest === undefined) throw new Error("npm pack left no tarball");
  return newest;
}

if (import.meta.main) {
  const root = join(import.meta.dirname, "..");
  const only = process.argv.length > 2 ? process.argv.slice(2) : undefined;
  const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`;
  for (const made of await makePackages(root, join(root, ".tmp", "packages"), only)) {
    const { file, packedBytes, unpackedBytes } = made;
    process.stdout.write(
      `${file}: ${megabytes(packedBytes)}, unpacked ${megabytes(unpackedBytes)}\n`,
    );
  }
}
