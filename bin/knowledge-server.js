#!/usr/bin/env node
// Finds a right Node and starts the program. Plain JavaScript that Node 18 understands.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import * as modules from "node:module";
import { fileURLToPath } from "node:url";

const NEEDED = 24;

const major = Number(process.versions.node.split(".")[0]);
if (major >= NEEDED) await start();
else await startWithPinned();

async function start() {
  // Compiled code is kept between starts: a client's next start is faster.
  modules.enableCompileCache?.();
  const built = new URL("../dist/main.js", import.meta.url);
  const source = new URL("../src/main.ts", import.meta.url);
  await import((existsSync(built) ? built : source).href);
}

/** The package `node` brings the right runtime along where this is a development folder. */
async function startWithPinned() {
  const node = findPinned();
  if (node === undefined) {
    process.stderr.write(
      `knowledge-server needs Node ${NEEDED} or newer; this is Node ${process.versions.node}.\n` +
        `Install it from https://nodejs.org, or run: npm install --global node@${NEEDED}\n`,
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
    process.exitCode = code ?? (signal === "SIGINT" ? 130 : 1);
  });
}

function findPinned() {
  try {
    const folder = modules.createRequire(import.meta.url).resolve("node/package.json");
    const name = process.platform === "win32" ? "bin/node.exe" : "bin/node";
    const path = fileURLToPath(new URL(name, `file://${folder}`));
    return existsSync(path) ? path : undefined;
  } catch {
    return undefined;
  }
}
