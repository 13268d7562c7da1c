// What `npm pack` puts into the package, asked of npm itself: on a copy of the tree in which every file is empty, so
// that nothing of some hundred megabytes is compressed for it.
import { execFile } from "node:child_process";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { RUNTIME, toBundled } from "../../scripts/bundled-runtime.ts";
import { tempFolder } from "./temp-folder.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const COMMON = "onnxruntime-common";

const json = async (path: string) =>
  JSON.parse(await readFile(join(ROOT, path), "utf8")) as Record<string, unknown>;

export async function packedFiles(): Promise<readonly string[]> {
  const own = await json("package.json");
  const folders = (own["files"] as readonly string[]).filter((path) => path.endsWith("/"));
  const modules = [RUNTIME, COMMON].map((name) => `node_modules/${name}`);
  const copy = tempFolder("packed");
  try {
    await Promise.all([...folders, ...modules].map((folder) => copyNames(folder, copy)));
    for (const file of ["README.md", "LICENSE", "NOTICE"]) await put(join(copy, file), "");
    const runtime = `${modules[0]}/package.json`;
    await put(join(copy, "package.json"), { ...own, bundleDependencies: [RUNTIME] });
    await put(join(copy, runtime), toBundled(await json(runtime)));
    await put(join(copy, `${modules[1]}/package.json`), await json(`${modules[1]}/package.json`));
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

async function copyNames(folder: string, into: string): Promise<void> {
  const entries = await readdir(join(ROOT, folder), { recursive: true, withFileTypes: true });
  const names = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(ROOT.length + 1));
  await Promise.all(names.map((path) => put(join(into, path), "")));
}

async function put(path: string, content: object | string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, typeof content === "string" ? content : JSON.stringify(content));
}
