// What `npm pack` puts into the package, asked of npm itself: on a copy of the tree in which every file is empty, so
// that nothing of some hundred megabytes is compressed for it.
import { execFile } from "node:child_process";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { readPlatforms } from "../../scripts/natives.ts";
import { toBundled } from "../../scripts/published.ts";
import { tempFolder } from "./temp-folder.ts";

const ROOT = join(import.meta.dirname, "..", "..");

/** For this platform's package; `linux-x64` if there is none for this machine. */
export async function packedFiles(name = "linux-x64"): Promise<readonly string[]> {
  const own = JSON.parse(await readFile(join(ROOT, "package.json"), "utf8"));
  const platform = (await readPlatforms(ROOT))[name];
  if (platform === undefined) throw new Error(`no platform ${name}`);
  const listed = own["files"] as readonly string[];
  const copy = tempFolder("packed");
  try {
    await Promise.all(listed.map((path) => copyNames(path, copy)));
    const native = Object.keys(platform.files).map((file) => put(join(copy, "native", file), ""));
    await Promise.all(native);
    await put(join(copy, "package.json"), toBundled(own, platform));
    // Its own cache and no logs: other programs of the machine use npm at the same time.
    const apart = [
      "--offline",
      "--no-update-notifier",
      "--logs-max=0",
      "--cache",
      join(copy, "npm"),
    ];
    const args = ["pack", "--dry-run", "--json", "--ignore-scripts", ...apart];
    const { stdout } = await promisify(execFile)("npm", args, { cwd: copy });
    const [packed] = JSON.parse(stdout) as [{ files: readonly { path: string }[] }];
    return packed.files.map(({ path }) => path);
  } finally {
    await rm(copy, { recursive: true });
  }
}

async function copyNames(path: string, into: string): Promise<void> {
  if (!path.endsWith("/")) return put(join(into, path), "");
  const found = await readdir(join(ROOT, path), { recursive: true, withFileTypes: true }).catch(
    // Made for packing alone.
    (error: unknown) => (path === "native/" ? [] : Promise.reject(error)),
  );
  const names = found
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(ROOT.length + 1));
  await Promise.all(names.map((name) => put(join(into, name), "")));
}

async function put(path: string, content: object | string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, typeof content === "string" ? content : JSON.stringify(content));
}
