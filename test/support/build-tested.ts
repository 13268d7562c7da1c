// Builds the program for tests that import from src/ (as-built.ts): the settings of the build that ships, and one entry
// more for each module that a test imports.
import { globSync, readFileSync } from "node:fs";
import { mkdir, symlink } from "node:fs/promises";
import { join, relative } from "node:path";
import { dirname, join as toPath } from "node:path/posix";
import { buildProgram, toModule } from "../../scripts/build.ts";
import { IN_BOTH, PACKAGE, TESTED, testedName } from "./shipped.ts";

/** What the program finds beside its own folder. */
const BESIDE = ["bin", "models", "native", "node_modules", "ocr-data", "package.json", "samples"];

const IMPORT = /\bfrom "(\.{1,2}\/[^"]+\.ts)"/g;

/** Modules that tests import, by where the build puts them. */
export function testedModules(): Readonly<Record<string, string>> {
  const tests = globSync("{scripts/**/*.ts,test/**/*.ts,src/**/*.process.test.ts}", {
    cwd: PACKAGE,
  });
  const sources = tests.flatMap((path) => {
    const folder = dirname(path.replaceAll("\\", "/"));
    // Imports of types are gone at run time.
    const text = readFileSync(join(PACKAGE, path), "utf8").replace(/^(im|ex)port type .*$/gm, "");
    return [...text.matchAll(IMPORT)].map(([, from = ""]) => toPath(folder, from));
  });
  const found = sources.filter((path) => path.startsWith("src/") && !path.endsWith(".test.ts"));
  return Object.fromEntries([
    ...IN_BOTH.map((name) => [testedName(name), name]),
    ...[...new Set(found)].sort().map((path) => [testedName(toModule(path)), path]),
  ]);
}

export async function buildTested(modules: Readonly<Record<string, string>>): Promise<void> {
  await mkdir(join(TESTED, "dist"), { recursive: true });
  for (const name of [...BESIDE, "dist/console", "dist/inline"]) {
    await symlink(join(PACKAGE, name), join(TESTED, name)).catch(unlessThere);
  }
  await buildProgram(PACKAGE, relative(PACKAGE, join(TESTED, "dist")), modules);
}

function unlessThere(error: NodeJS.ErrnoException): void {
  if (error.code !== "EEXIST") throw error;
}
