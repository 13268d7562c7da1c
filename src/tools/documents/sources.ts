// Sources for people: what the command line and the console show and do.
import { GENERAL_SCOPE, type Right } from "../../domain/call/grants.ts";
import { isSeen } from "../../domain/call/sight.ts";
import { defined } from "../../domain/defined.ts";
import { unknownSource } from "../../domain/source.ts";
import { fromTaskFailure } from "../../domain/task.ts";
import type { Ingest } from "../../ingest/ingest.ts";
import type { Operations } from "../operations.ts";
import type { CallContext } from "../tool.ts";
import { writable } from "./respond-to-add.ts";
import type { DocumentRooms } from "./tool.ts";

/** A source is seen and changed by those who may read and write in its scope. */
export function sourceOperations(rooms: DocumentRooms, who: Pick<CallContext, "principal">) {
  const open = async () => (await rooms.ingest()).sources;
  const list = async () => {
    const sight = await rooms.sights.of(who);
    const all = await (await open()).list();
    return all.filter(({ settings: { scope = GENERAL_SCOPE } }) => isSeen(scope, sight));
  };
  const one = async (id: string) => {
    const found = (await list()).find((each) => each.id === id);
    if (!found) throw unknownSource(id);
    return found;
  };
  /** Rejects if the caller may not change it. */
  const changing = async (id: string, right: Right = "write") => {
    const { scope = GENERAL_SCOPE } = (await one(id)).settings;
    await rooms.sights.allow(who, right, scope);
    return open();
  };
  return {
    sources: list,
    async addSource({ settings, ...source }) {
      if (readsAsServer(source.address)) await rooms.sights.allow(who, "admin", GENERAL_SCOPE);
      const { scope: asked, ...others } = settings;
      const placed = { ...others, ...(await writable(rooms, who, asked)) };
      return one(await (await open()).put({ ...source, settings: placed }));
    },
    async syncSource({ id, caller }, watch) {
      const signal = watch?.signal ?? new AbortController().signal;
      const task = await (await changing(id)).sync(id, signal, caller);
      const ingest = await rooms.ingest();
      if (watch === undefined) ingest.watch(task.id, () => {});
      else await waitFor(ingest, task.id, { ...watch, signal });
      return one(id);
    },
    async pauseSource({ id, isPaused }) {
      await (await changing(id)).pause(id, isPaused);
      return one(id);
    },
    removeSource: async ({ id, documents }) => (await changing(id, "admin")).remove(id, documents),
  } satisfies Partial<Operations>;
}

/** Files of this machine, buckets and SSH repositories are read with the server's own rights, not the caller's. */
function readsAsServer(address: string): boolean {
  return !/^https?:/i.test(address.trim());
}

type Watch = NonNullable<Parameters<Operations["syncSource"]>[1]>;

async function waitFor(ingest: Ingest, taskId: string, { signal, onProgress }: Watch) {
  const { failure } = await ingest.finish(taskId, {
    signal,
    onProgress: ({ fraction, folder }) =>
      onProgress({ fraction, ...defined({ found: folder?.found }) }),
  });
  if (failure) throw fromTaskFailure(failure);
}
