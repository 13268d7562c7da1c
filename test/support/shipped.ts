// What ships: the program as a package starts it, and its threads and reader processes. What tests import from src/ runs
// as source; what they start is this.
import { join } from "node:path";
import { pathToFileURL } from "node:url";

export const PACKAGE = join(import.meta.dirname, "..", "..");

export const PROGRAM = join(PACKAGE, "bin", "knowledge-server.js");

/** The built file of an entry of scripts/entries.ts: `shippedUrl("extract/sandbox/child")`. */
export function shippedUrl(entry: string): URL {
  return pathToFileURL(join(PACKAGE, "dist", `${entry}.js`));
}
