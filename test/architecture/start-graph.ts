// What a start loads: the modules that a file imports, without type-only and dynamic imports.
import { dirname, join } from "node:path/posix";
import type { Sources } from "./rooms.ts";

/** `import type` and `export type` are erased; what `import()` names comes later. */
const STATIC = /^(?:import|export)\s+(?!type\b)(?:[^"';]*?\bfrom\s+)?"([^"]+)"/gm;

/** Files as paths from src/, Node's own modules as `node:…`, packages by their names. */
export function loadedBy(entry: string, sources: Sources): ReadonlySet<string> {
  const loaded = new Set([entry]);
  for (const path of loaded) {
    for (const [, specifier = ""] of (sources.get(path) ?? "").matchAll(STATIC)) {
      loaded.add(specifier.startsWith(".") ? join(dirname(path), specifier) : specifier);
    }
  }
  return loaded;
}

// Only the port of this room is loaded, which chooses the source of answers and the model.
const ROOMS = /^(?:chunk|embed|extract|ingest|rerank|scopes|search|store|transports)\//;
const ANSWERS = /^answer\/(?!answer\.ts$|chosen-model\.ts$|choose-source\.ts$|bedrock-filter\.ts$)/;
// Node loads its HTTP client with node:http, as much code as all of ours.
const NODE = /^node:(?:child_process|http2?|https|sqlite|tls|worker_threads|zlib)$/;
const PACKAGES = /^(?![.\w-]+\/.*\.(?:tsx?|json)$)(?!node:)[@\w]/;

/** Modules that should only be loaded on first use. */
export function heavyAtStart(entry: string, sources: Sources): readonly string[] {
  return [...loadedBy(entry, sources)].filter((loaded) => {
    if (sources.has(loaded)) return ROOMS.test(loaded) || ANSWERS.test(loaded);
    return NODE.test(loaded) || (PACKAGES.test(loaded) && loaded !== "zod");
  });
}
