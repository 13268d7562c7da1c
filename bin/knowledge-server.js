#!/usr/bin/env node
// Checks the version of Node and starts the program. Plain JavaScript that any Node understands.
// Nothing is imported before it is needed: every server waits for it at its start.

// The first with node:sqlite. The source, which only a clone has, needs the newer one that npm installs there.
const NEEDED = [22, 13];
const NEEDED_FOR_SOURCE = [24, 2];

const built = new URL("../dist/main.js", import.meta.url);
const source = new URL("../src/main.ts", import.meta.url);

void launch();

async function launch() {
  const isNew = isAtLeast(NEEDED);
  const { existsSync } = isNew ? process.getBuiltinModule("node:fs") : await import("node:fs");
  const isBuilt = existsSync(built);
  if (isNew && (isBuilt || isAtLeast(NEEDED_FOR_SOURCE))) start(isBuilt ? built : source);
  else await startWithPinned();
}

function isAtLeast([major, minor]) {
  const [ownMajor, ownMinor] = process.versions.node.split(".").map(Number);
  return ownMajor > major || (ownMajor === major && ownMinor >= minor);
}

function start(main) {
  quietSqlite();
  // Compiled code is kept between starts: a client's next start is faster. Threads find it by the variable alone.
  const { directory } = process.getBuiltinModule("node:module").enableCompileCache();
  if (directory && !process.env.NODE_COMPILE_CACHE) process.env.NODE_COMPILE_CACHE = directory;
  void import(main.href);
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
async function startWithPinned() {
  const { spawn } = await import("node:child_process");
  const { fileURLToPath } = await import("node:url");
  const node = await findPinned();
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

async function findPinned() {
  const { existsSync } = await import("node:fs");
  const { createRequire } = await import("node:module");
  const { fileURLToPath } = await import("node:url");
  try {
    const folder = createRequire(import.meta.url).resolve("node/package.json");
    const name = process.platform === "win32" ? "bin/node.exe" : "bin/node";
    const path = fileURLToPath(new URL(name, `file://${folder}`));
    return existsSync(path) ? path : undefined;
  } catch (_) {
    return undefined;
  }
}
