// Whether searches still find what they found: what the command line and the console do. Questions quote documents of
// every scope, so only those who see everything get here.
import type { CheckParts } from "../../check/check.ts";
import type { Operations } from "../operations.ts";
import type { DocumentRooms } from "./tool.ts";
import { leaveOutWeak } from "./weak-results.ts";

export function checkOperations(rooms: DocumentRooms) {
  const opened = async () => {
    const [{ openCheck }, { documents }, search] = await Promise.all([
      import("../../check/check.ts"),
      rooms.store(),
      rooms.search(),
    ]);
    const shown: CheckParts["shown"] = (found, query) => leaveOutWeak(found, query).passages;
    const { topK, checksFile: path } = rooms;
    const light = await (await rooms.embed()).light?.load();
    return openCheck({ search, documents, topK, shown, path, encode: light?.encode });
  };
  return {
    checks: async () => (await opened()).state(),
    pinCheck: async (pin) => (await opened()).pin(pin),
    makeChecks: async (count) => (await opened()).make(count),
    removeChecks: async (ids) => (await opened()).remove(ids),
    runChecks: async (options) => (await opened()).run(options),
  } satisfies Partial<Operations>;
}
