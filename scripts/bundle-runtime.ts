// Before `npm pack`: ONNX Runtime travels inside the package, without its install step. That step downloads GPU
// libraries from outside the registry on Linux, and an install fails where it cannot. After: as it was.
// The field is in package.json only meanwhile: in a clone it would bring the install step back, because
// npm does not ask `allowScripts` about bundled packages.
import { copyFile, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { RUNTIME, toBundled } from "./bundled-runtime.ts";

const root = join(import.meta.dirname, "..");
const own = join(root, "package.json");
const runtime = join(root, "node_modules", RUNTIME, "package.json");

async function change(
  path: string,
  edit: (manifest: Record<string, unknown>) => object,
): Promise<void> {
  await copyFile(path, `${path}.whole`);
  const manifest = JSON.parse(await readFile(path, "utf8")) as Record<string, unknown>;
  await writeFile(path, `${JSON.stringify(edit(manifest), null, 2)}\n`);
}

if (process.argv.includes("--restore")) {
  for (const path of [own, runtime]) await rename(`${path}.whole`, path);
} else {
  await change(own, (manifest) => ({ ...manifest, bundleDependencies: [RUNTIME] }));
  await change(runtime, toBundled);
}
