#!/usr/bin/env node
// Checks the version of Node and starts the program. Plain JavaScript that any Node understands.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import * as modules from "node:module";
import { fileURLToPath } from "node:url";

// The first with node:sqlite. The source, which only a clone has, needs the newer one that npm installs there.
const NEEDED = [22, 13];
const NEEDED_FOR_SOURCE = [24, 2];

const built = new URL("../dist/main.js", import.meta.url);
const source = new URL("../src/main.ts", import.meta.url);
const isBuilt = existsSync(built);

if (isAtLeast(isBuilt ? NEEDED : NEEDED_FOR_SOURCE)) void start();
else startWithPinned();

function isAtLeast([major, minor]) {
  const [ownMajor, ownMinor] = process.versions.node.split(".").map(Number);
  return ownMajor > major || (ownMajor === major && ownMinor >= minor);
}

function start() {
  quietSqlite();
  // Compiled code is kept between starts: a client's next start is faster.
  if (modules.enableCompileCache) modules.enableCompileCache();
  return import((isBuilt ? built : source).href);
}

/** Node 22 announces node:sqlite as new at every start; clients show that as a problem of the server. */
function quietSqlite() {
  const { emitWarning } = process;
  process.emitWarning = (warning, ...rest) => {
    const isSqlite = rest[0] === "ExperimentalWarning" && /^SQLite/.test(String(warning));
    if (!isSqlite) emitWarning.call(process, warning, ...rest);
  };
}

/** In a clone the package `node` brings the right runtime along. */
function startWithPinned() {
  const node = findPinned();
  if (node === undefined) {
    const version = NEEDED.join(".");
    process.stderr.write(
      `knowledge-server needs Node ${version} or newer, and this is Node ${process.versions.node}: install a newer one from https://nodejs.org\n`,
    );
    process.exitCode = 2;
    return;
  }
  const self = fileURLToPath(import.meta.url);
  const child = spawn(node, [self, ...process.argv.slice(2)], { stdio: "inherit" });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
    process.on(signal, () => child.kill(signal));
  }
  child.on("error", (error) => {
    process.stderr.write(`knowledge-server: ${error.message}\n`);
    process.exitCode = 1;
  });
  child.on("exit", (code, signal) => {
    const ended = signal === "SIGINT" ? 130 : 1;
    process.exitCode = code === null ? ended : code;
  });
}

function findPinned() {
  try {
    const folder = modules.createRequire(import.meta.url).resolve("node/package.json");
    const name = process.platform === "win32" ? "bin/node.exe" : "bin/node";
    const path = fileURLToPath(new URL(name, `file://${folder}`));
    return existsSync(path) ? path : undefined;
  } catch (_) {
    return undefined;
  }
}
