// What an installation costs: to download and on disk, per platform, and beside other servers of the kind.
// Run: node bench/install.ts [--beside mcp-local-rag,@arabold/docs-mcp-server]
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { parseArgs } from "node:util";
import { makePackages } from "../scripts/packages.ts";

const root = join(import.meta.dirname, "..");
const { values } = parseArgs({ options: { beside: { type: "string", default: "" } } });
const folder = mkdtempSync(join(tmpdir(), "knowledge-install-"));
const megabytes = (bytes: number) => (bytes / 1e6).toFixed(1);
const print = (line: string) => void process.stdout.write(`${line}\n`);

function filesBelow(path: string): readonly string[] {
  const entries = readdirSync(path, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

const sizeBelow = (path: string) =>
  filesBelow(path).reduce((sum, file) => sum + statSync(file).size, 0);

/** npm keeps each tarball that it fetched as it came; the rest of its cache are lists of versions. */
function fetched(cache: string): number {
  const isTarball = (file: string) => readFileSync(file).readUInt16BE(0) === 0x1f8b;
  const kept = filesBelow(join(cache, "_cacache", "content-v2"));
  return kept
    .filter((file) => statSync(file).size > 2 && isTarball(file))
    .reduce((sum, file) => sum + statSync(file).size, 0);
}

/** From nothing, as on a new machine. No install script is run: ours has none, and those of others fetch more. */
function install(name: string, spec: string, packedBytes?: number): void {
  const at = mkdtempSync(join(folder, "at-"));
  const cache = join(at, "cache");
  const started = performance.now();
  const args = [
    "install",
    "--no-audit",
    "--no-fund",
    "--ignore-scripts",
    "--cache",
    cache,
    "--prefix",
    at,
    spec,
  ];
  execFileSync("npm", args, { cwd: at, env: { ...process.env, HOME: at }, stdio: "ignore" });
  const seconds = ((performance.now() - started) / 1000).toFixed(0);
  const lock = JSON.parse(readFileSync(join(at, "node_modules", ".package-lock.json"), "utf8")) as {
    packages: object;
  };
  const packages = Object.keys(lock.packages).length;
  const download = megabytes(packedBytes ?? fetched(cache));
  print(
    `| ${name} | ${download} | ${megabytes(sizeBelow(join(at, "node_modules")))} | ${packages} | ${seconds} s |`,
  );
}

try {
  print("| package of the registry | packed, MB | unpacked, MB |\n|---|---|---|");
  const made = await makePackages(root, join(folder, "packages"));
  const [main] = made;
  for (const { file, packedBytes, unpackedBytes } of made) {
    print(`| ${basename(file)} | ${megabytes(packedBytes)} | ${megabytes(unpackedBytes)} |`);
  }
  print("\n| platform | download, MB | installed, MB |\n|---|---|---|");
  for (const each of made.slice(1)) {
    const platform = /native-(.+?)-\d/.exec(basename(each.file))?.[1];
    const [down, disk] = [
      each.packedBytes + (main?.packedBytes ?? 0),
      each.unpackedBytes + (main?.unpackedBytes ?? 0),
    ];
    print(`| ${platform} | ${megabytes(down)} | ${megabytes(disk)} |`);
  }
  print(
    "\n| installed here | download, MB | on disk, MB | packages | time |\n|---|---|---|---|---|",
  );
  const out = execFileSync("npm", ["pack", "--silent", "--pack-destination", folder], {
    cwd: root,
    encoding: "utf8",
  });
  const tarball = join(folder, out.trim().split("\n").at(-1) ?? "");
  install("knowledge-server (npm pack)", tarball, statSync(tarball).size);
  for (const name of values.beside.split(",").filter(Boolean)) install(name, name);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
