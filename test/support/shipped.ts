// What ships: the program as a package starts it. Tests that start a process start this, never the source.
import { join } from "node:path";
import { ENTRIES } from "../../scripts/entries.ts";

export const PACKAGE = join(import.meta.dirname, "..", "..");

export const PROGRAM = join(PACKAGE, "bin", "knowledge-server.js");

/** The program once more, with the modules that tests import (as-built.ts); the build makes other files of it. */
export const TESTED = join(PACKAGE, ".tmp", "tested");

/**
 * The file of a module there, without `.js`: in one folder with the others, because the program finds its files by
 * where its own code is.
 */
export function testedName(module: string): string {
  return `for-tests--${module.replaceAll("/", "--")}`;
}

/** The built file of a module: the entries of threads and processes are in dist/ itself, where older builds leave others. */
export function builtFile(module: string): string {
  return ENTRIES.includes(`src/${module}.ts`)
    ? join(PACKAGE, "dist", `${module}.js`)
    : join(TESTED, "dist", `${testedName(module)}.js`);
}

/** Packages of which tests hand objects to the program, which must know their classes. */
export const IN_BOTH = ["@modelcontextprotocol/server", "zod"];

/** Flags of Node for a process of the tests that imports from src/ too. */
export const AS_BUILT = ["--import", new URL("as-built.ts", import.meta.url).href];
