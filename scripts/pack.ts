// Around `npm pack`: before it, the native parts of this platform and the manifest that is published; after it
// (--restore), the clone as it was.
import { existsSync } from "node:fs";
import { copyFile, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ownPlatform, placeNatives, readPlatforms } from "./natives.ts";
import { type Manifest, toBundled } from "./published.ts";

const root = join(import.meta.dirname, "..");
const manifest = join(root, "package.json");
const whole = `${manifest}.whole`;
const native = join(root, "native");

async function restore(): Promise<void> {
  if (existsSync(whole)) await rename(whole, manifest);
  await rm(native, { recursive: true, force: true });
}

// A run that was killed left the clone as it is published.
await restore();
if (!process.argv.includes("--restore")) {
  const platforms = await readPlatforms(root);
  const name = ownPlatform(platforms);
  const platform = name === undefined ? undefined : platforms[name];
  if (platform) await placeNatives(root, platform, native);
  else
    process.stderr.write("pack: no native parts for this platform; the package works without.\n");
  const own = JSON.parse(await readFile(manifest, "utf8")) as Manifest;
  await copyFile(manifest, whole);
  await writeFile(manifest, `${JSON.stringify(toBundled(own, platform), null, 2)}\n`);
}
