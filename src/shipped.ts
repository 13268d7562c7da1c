// Files that ship with the program.
import { extname } from "node:path";
import { fileURLToPath } from "node:url";

/** A worker's or child's entry file, next to this one in both the source tree and the bundle. */
export function entryUrl(path: string): URL {
  return new URL(`./${path}${extname(new URL(import.meta.url).pathname)}`, import.meta.url);
}

/** Models, OCR data, samples. */
export function packageUrl(path: string): URL {
  return new URL(`../${path}`, import.meta.url);
}

export const packagePath = (path: string) => fileURLToPath(packageUrl(path));
