// Before `npm pack`: ONNX Runtime travels inside the package, without its install step. That step downloads GPU
// libraries from outside the registry on Linux, and an install fails where it cannot. After: as it was.
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

const manifest = join(
  import.meta.dirname,
  "..",
  "node_modules",
  "onnxruntime-node",
  "package.json",
);
const kept = `${manifest}.whole`;

/** What only the install step needs goes with it. */
const INSTALL_ONLY = ["adm-zip", "global-agent"];

async function strip(): Promise<void> {
  const whole = await readFile(manifest, "utf8");
  const { scripts: _, dependencies, ...rest } = JSON.parse(whole);
  for (const name of INSTALL_ONLY) delete dependencies[name];
  await writeFile(kept, whole, { flag: "wx" }).catch(() => {});
  await writeFile(manifest, JSON.stringify({ ...rest, dependencies }, null, 2));
}

async function restore(): Promise<void> {
  await writeFile(manifest, await readFile(kept, "utf8"));
  await rm(kept);
}

await (process.argv.includes("--restore") ? restore() : strip());
