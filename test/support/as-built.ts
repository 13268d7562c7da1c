// What tests import from src/ is the code as it ships: bundled, minified, with its packages inside. Loaded before the
// tests and the processes that they start; unit tests go without it and run the source.
import { existsSync } from "node:fs";
import { registerHooks } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { builtFile, IN_BOTH, PACKAGE } from "./shipped.ts";

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
        return { url: urlOf(specifier), format: "module", shortCircuit: true };
      }
      const found = next(specifier, context);
      if (!found.url.startsWith(SOURCE) || !IS_MODULE.test(found.url)) return found;
      return {
        ...found,
        url: urlOf(found.url.slice(SOURCE.length, -".ts".length)),
        format: "module",
      };
    },
  });
}

function urlOf(module: string): string {
  const file = builtFile(module);
  if (existsSync(file)) return pathToFileURL(file).href;
  throw new Error(`${module} was not built for the tests`);
}
