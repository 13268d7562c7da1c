// What tests import from src/ is the code as it ships: bundled, minified, with its packages inside. Loaded before the
// tests and the processes that they start; unit tests go without it and run the source.
import { existsSync } from "node:fs";
import { registerHooks } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { IN_BOTH, PACKAGE, TESTED, testedName } from "./shipped.ts";

const SOURCE = `${pathToFileURL(join(PACKAGE, "src")).href}/`;
const TESTS = `${pathToFileURL(join(PACKAGE, "test")).href}/`;
const IS_MODULE = /(?<!\.test)\.ts$/;

/** Every test file of a worker loads this. */
const DONE = Symbol.for("knowledge-server as built");

if (!(DONE in globalThis)) {
  Object.assign(globalThis, { [DONE]: true });
  registerHooks({
    resolve(specifier, context, next) {
      if (IN_BOTH.includes(specifier) && context.parentURL?.startsWith(TESTS)) {
        return { url: built(specifier), format: "module", shortCircuit: true };
      }
      const found = next(specifier, context);
      if (!found.url.startsWith(SOURCE) || !IS_MODULE.test(found.url)) return found;
      return {
        ...found,
        url: built(found.url.slice(SOURCE.length, -".ts".length)),
        format: "module",
      };
    },
  });
}

function built(module: string): string {
  // The entries of threads and processes are in dist/ itself.
  const shipped = join(PACKAGE, "dist", `${module}.js`);
  if (existsSync(shipped)) return pathToFileURL(shipped).href;
  const tested = join(TESTED, "dist", `${testedName(module)}.js`);
  if (existsSync(tested)) return pathToFileURL(tested).href;
  throw new Error(`${module} was not built for the tests`);
}
