// Sources for people: what the command line and the console show and do.
import { defined } from "../../domain/defined.ts";
import { fromTaskFailure } from "../../domain/task.ts";
import type { Operations } from "../operations.ts";
import type { DocumentRooms } from "./tool.ts";

export function sourceOperations(rooms: DocumentRooms) {
  const open = async () => (await rooms.ingest()).sources;
  const one = async (id: string) => {
    const found = (await (await open()).list()).find((each) => each.id === id);
    if (!found) throw new Error("The source was removed.");
    return found;
  };
  return {
    sources: async () => (await open()).list(),
    addSource: async (source) => one(await (await open()).put(source)),
    async syncSource({ id, caller }, watch) {
      const ingest = await rooms.ingest();
      const signal = watch?.signal ?? new AbortController().signal;
      const task = await ingest.sources.sync(id, signal, caller);
      if (watch === undefined) ingest.watch(task.id, () => {});
      else {
        const { failure } = await ingest.finish(task.id, {
          signal,
          onProgress: ({ fraction, folder }) =>
            watch.onProgress({ fraction, ...defined({ found: folder?.found }) }),
        });
        if (failure) throw fromTaskFailure(failure);
      }
      return one(id);
    },
    async pauseSource({ id, isPaused }) {
      await (await open()).pause(id, isPaused);
      return one(id);
    },
    removeSource: async ({ id, documents }) => (await open()).remove(id, documents),
  } satisfies Partial<Operations>;
}
