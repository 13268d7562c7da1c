// Packs an .mcpb bundle for Claude Desktop on this platform: the published package, installed, with a manifest.
import { execFileSync } from "node:child_process";
import { cp, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { withBundle } from "./registry-entry.ts";

const root = join(import.meta.dirname, "..");
const stage = join(root, ".tmp", "mcpb");
const run = (command: string, args: readonly string[], cwd = root) =>
  execFileSync(command, args, { cwd, stdio: ["ignore", "pipe", "inherit"], encoding: "utf8" });

await rm(stage, { recursive: true, force: true });
await mkdir(stage, { recursive: true });
const packed =
  run("npm", ["pack", "--silent", "--pack-destination", stage]).trim().split("\n").at(-1) ?? "";
run("npm", ["install", "--silent", "--prefix", join(stage, "install"), join(stage, packed)], stage);

// The package itself becomes `server`; what npm put beside it, its node_modules.
const modules = join(stage, "install", "node_modules");
await rename(join(modules, "knowledge-server"), join(stage, "server"));
await rm(join(modules, ".bin"), { recursive: true, force: true });
await cp(modules, join(stage, "server", "node_modules"), { recursive: true });
await rm(join(stage, "install"), { recursive: true });
await rm(join(stage, packed));
for (const file of ["manifest.json", "icon.png"]) {
  await cp(join(root, "packaging", file), join(stage, file));
}
const bundle = join(root, `knowledge-server-${process.platform}-${process.arch}.mcpb`);
process.stdout.write(run("mcpb", ["pack", stage, bundle]));
// The registry wants the bundle's hash, which only the built bundle has.
const entry = withBundle(JSON.parse(await readFile(join(root, "server.json"), "utf8")), {
  file: basename(bundle),
  bytes: await readFile(bundle),
});
await writeFile(`${bundle}.server.json`, `${JSON.stringify(entry, null, 2)}\n`);
