// Reads a file as an add would, and stops before anything is stored.
import { stat } from "node:fs/promises";
import { basename, resolve } from "node:path";
import { OWNER } from "../../../domain/call/principal.ts";
import { fromSystem } from "../../../domain/errors.ts";
import type { Extract } from "../../../extract/extract.ts";
import type { Operations } from "../../operations.ts";

export function extractFile(extract: () => Promise<Extract>): Operations["extractFile"] {
  return async ({ path, forceOcr }, watch) => {
    const { size: sizeBytes } = await stat(path).catch((thrown: unknown) => {
      throw fromSystem(thrown, "file");
    });
    const file = { path: resolve(path), filename: basename(path), sizeBytes };
    const request = { ...file, forceOcr, caller: OWNER.name };
    const document = await (await extract()).extract(request, watch);
    const { chunk } = await import("../../../chunk/chunk.ts");
    return { document, chunks: chunk(document) };
  };
}
