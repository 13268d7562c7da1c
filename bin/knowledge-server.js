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
  keepCompiled();
  void import(main.href);
}

/** Compiled code is kept between starts: a client's next start is faster. Threads find it by the variable alone. */
function keepCompiled() {
  const { env } = process;
  const { enableCompileCache } = process.getBuiltinModule("node:module");
  if (env.NODE_COMPILE_CACHE) return void enableCompileCache();
  const folder = ownCacheFolder();
  if (!folder) return;
  const { directory } = enableCompileCache(folder);
  if (directory) env.NODE_COMPILE_CACHE = folder;
}

/**
 * What is in the cache is run, so nobody else may write there. Node's own choice is below the system's temporary folder,
 * where any user of the machine could have created it first. Undefined: nothing is kept.
 */
function ownCacheFolder() {
  const { env, platform } = process;
  const { mkdirSync, lstatSync } = process.getBuiltinModule("node:fs");
  const { isAbsolute, join } = process.getBuiltinModule("node:path");
  const home =
    platform === "win32"
      ? env.LOCALAPPDATA
      : env.XDG_CACHE_HOME || (env.HOME && join(env.HOME, ".cache"));
  if (!home || !isAbsolute(home)) return undefined;
  const own = join(home, "knowledge-server");
  const folder = join(own, "compiled");
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return [home, own, folder].every((each) => isOurs(lstatSync(each))) ? folder : undefined;
  } catch (_) {
    return undefined;
  }
}

function isOurs(found) {
  const user = process.getuid?.();
  // Windows has no such modes: what is in a user's own profile is the user's.
  if (user === undefined) return true;
  return found.isDirectory() && found.uid === user && (found.mode & 0o022) === 0;
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
