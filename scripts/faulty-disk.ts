// Builds the library that makes a disk fail on request (stress/faults/faulty-disk.c), with a C compiler
// that is installed when there is none.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, renameSync, statSync } from "node:fs";
import { join } from "node:path";
import { installPackages } from "./apt.ts";

const ROOT = join(import.meta.dirname, "..");
const SOURCES = ["faulty-disk.c", "faulty-disk.h"].map((name) =>
  join(ROOT, "stress", "faults", name),
);
const LIBRARY = join(ROOT, ".tmp", "faulty-disk.so");
const FLAGS = ["-shared", "-fPIC", "-O2", "-Wall", "-Wextra", "-Werror"];

/** Undefined, after saying so on stderr, where it cannot be built; in CI that is a failure. */
export function buildFaultyDisk(): string | undefined {
  const reason = problem();
  if (reason === undefined) return LIBRARY;
  if (process.env["CI"] === "true") throw new Error(`The faulty disk is needed in CI: ${reason}`);
  process.stderr.write(`[faulty-disk] SKIPPED: ${reason}\n`);
  return undefined;
}

function problem(): string | undefined {
  if (process.platform !== "linux") return "it needs Linux (LD_PRELOAD and /proc).";
  if (!installCompiler()) return "there is no C compiler. Run: apt-get install gcc libc6-dev";
  if (isFresh()) return undefined;
  mkdirSync(join(ROOT, ".tmp"), { recursive: true });
  // Test files run side by side: whoever is last to rename wins, and all built the same.
  const part = `${LIBRARY}.${process.pid}`;
  const { status, stderr } = spawnSync("cc", [...FLAGS, "-o", part, SOURCES[0] ?? "", "-ldl"], {
    encoding: "utf8",
  });
  if (status !== 0) return `the compiler refused it:\n${stderr}`;
  renameSync(part, LIBRARY);
  return undefined;
}

function isFresh(): boolean {
  if (!existsSync(LIBRARY)) return false;
  const built = statSync(LIBRARY).mtimeMs;
  return SOURCES.every((source) => statSync(source).mtimeMs < built);
}

function installCompiler(): boolean {
  const works = () => spawnSync("cc", ["--version"], { stdio: "ignore" }).status === 0;
  return works() || (installPackages("gcc", "libc6-dev") && works());
}

if (import.meta.main) process.stdout.write(`${buildFaultyDisk() ?? "no faulty disk"}\n`);
