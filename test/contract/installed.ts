// The package for this platform, with the files that npm would pack, installed by npm in an empty folder, without a
// registry: nothing of the clone can be reached from there.
import { execFile } from "node:child_process";
import { cp, mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { ownPlatform, placeNatives, readPlatforms } from "../../scripts/natives.ts";
import { type Manifest, toBundled } from "../../scripts/published.ts";
import { packedFiles } from "../support/packed.ts";
import { PACKAGE } from "../support/shipped.ts";

/** The path of its command. */
export async function installPackage(folder: string): Promise<string> {
  // In an archive of npm's everything is in a folder of this name.
  const stage = join(folder, "stage", "package");
  const app = join(folder, "app");
  await mkdir(app, { recursive: true });
  await writeStage(stage);
  const npm = async (cwd: string, ...args: readonly string[]) => {
    // Its own cache and no logs: other programs of the machine use npm at the same time.
    const apart = ["--offline", "--no-audit", "--no-fund", "--logs-max=0"];
    const line = [...args, ...apart, "--cache", join(folder, "npm-cache")];
    const { stdout } = await promisify(execFile)("npm", line, { cwd, maxBuffer: 2 ** 26 });
    return stdout;
  };
  await writeFile(join(app, "package.json"), "{}");
  await npm(app, "install", await packPlainly(stage, folder));
  return join(app, "node_modules", "knowledge-server", "bin", "knowledge-server.js");
}

/** As `npm pack` does, but uncompressed: 130 MB take long, and npm installs both alike. */
async function packPlainly(stage: string, folder: string): Promise<string> {
  const archive = join(folder, "package.tgz");
  const files = await packedFiles(ownPlatform(await readPlatforms(PACKAGE)));
  const names = files.map((path) => `package/${path}`);
  await promisify(execFile)("tar", ["-cf", archive, "-C", dirname(stage), ...names]);
  return archive;
}

/** What `npm pack` finds in a clone after `scripts/pack.ts`, which would change this one. */
async function writeStage(stage: string): Promise<void> {
  const own = JSON.parse(await readFile(join(PACKAGE, "package.json"), "utf8")) as Manifest;
  const platforms = await readPlatforms(PACKAGE);
  const platform = platforms[ownPlatform(platforms) ?? ""];
  const files = (own["files"] as readonly string[]).filter((path) => path !== "native/");
  for (const path of files) {
    await cp(join(PACKAGE, path), join(stage, path), { recursive: true });
  }
  if (platform) await placeNatives(PACKAGE, platform, join(stage, "native"));
  await writeFile(join(stage, "package.json"), JSON.stringify(toBundled(own, platform)));
}
