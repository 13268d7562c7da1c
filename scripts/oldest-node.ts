// The oldest Node that the package supports, for the tests of the packed program: fetched once, kept in .cache.

import { existsSync } from "node:fs";
import { chmod, mkdir, rename, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { readPackage } from "./npm-tarball.ts";

const VERSION = "22.13.0";
const root = join(import.meta.dirname, "..");

const OLDEST_NODE = join(root, ".cache", `node-${VERSION}`, "node");

/** npm has a package of the bare program for each platform; the package `node` itself would run an install script. */
function packageName(): string {
  const system = process.platform === "win32" ? "win" : process.platform;
  const prefix = process.platform === "darwin" && process.arch === "arm64" ? "node-bin" : "node";
  return `${prefix}-${system}-${process.arch}`;
}

export async function ensureOldestNode(): Promise<string> {
  if (existsSync(OLDEST_NODE)) return OLDEST_NODE;
  const files = await readPackage(`${packageName()}@${VERSION}`);
  const bytes = files.get("package/bin/node") ?? files.get("package/bin/node.exe");
  if (bytes === undefined) throw new Error(`${packageName()} holds no program`);
  await mkdir(dirname(OLDEST_NODE), { recursive: true });
  const part = `${OLDEST_NODE}.${process.pid}`;
  await writeFile(part, bytes);
  await chmod(part, 0o755);
  await rename(part, OLDEST_NODE);
  return OLDEST_NODE;
}

if (import.meta.main) {
  await ensureOldestNode().catch((error: Error) => {
    process.stderr.write(
      `oldest-node: ${error.message}; the tests of Node ${VERSION} fail without it.\n`,
    );
  });
}
