// Reads a file as an add would, and stops before anything is stored.
import { basename, resolve } from "node:path";
import type { Extract } from "../../../extract/extract.ts";
import type { Operations } from "../../operations.ts";

export function extractFile(extract: () => Promise<Extract>): Operations["extractFile"] {
  return async ({ path, forceOcr }, watch) => {
    const request = { path: resolve(path), filename: basename(path), forceOcr };
    const document = await (await extract()).extract(request, watch);
    const { chunk } = await import("../../../chunk/chunk.ts");
    return { document, chunks: chunk(document) };
  };
}
