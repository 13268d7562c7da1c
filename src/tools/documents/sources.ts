// Sources for people: what the command line and the console show and do.
import { GENERAL_SCOPE, type Right } from "../../domain/call/grants.ts";
import { isSeen } from "../../domain/call/sight.ts";
import { defined } from "../../domain/defined.ts";
import { type Source, unknownSource } from "../../domain/source.ts";
import { fromTaskFailure } from "../../domain/task.ts";
import type { Ingest } from "../../ingest/ingest.ts";
import type { Operations } from "../operations.ts";
import type { CallContext } from "../tool.ts";
import { writable } from "./respond-to-add.ts";
import type { DocumentRooms } from "./tool.ts";

/** A source as one caller sees it. */
export interface ShownSource extends Source {
  /** While it is synced. */
  readonly progress?: { readonly fraction: number; readonly found: number };
  /** Whether the caller's scopes allow to change it, and to remove it. */
  readonly mayChange: boolean;
  readonly mayRemove: boolean;
}

/** Enough to see what is wrong. */
const MAX_FAILURES = 100;

export type SourceOperations = Pick<
  Operations,
  "sources" | "sourceFailures" | "addSource" | "syncSource" | "pauseSource" | "removeSource"
>;

/** A source is seen and changed by those who may read and write in its scope. */
export function sourceOperations(
  rooms: DocumentRooms,
  who: Pick<CallContext, "principal">,
): SourceOperations {
  const open = async () => (await rooms.ingest()).sources;
  const list = () => listShown(rooms, who);
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
    sourceFailures: async (id) => {
      await one(id);
      return (await open()).failures(id, MAX_FAILURES);
    },
    async addSource({ settings, ...source }, from) {
      const { scope: asked, ...others } = settings;
      const placed = { ...others, ...(await writable(rooms, who, asked)) };
      await rooms.sights.allow(who, "read", placed.scope ?? GENERAL_SCOPE);
      return one(await (await open()).put({ ...source, settings: placed }, from));
    },
    async syncSource({ id, caller }, watch) {
      const signal = watch?.signal ?? new AbortController().signal;
      const task = await (await changing(id)).sync(id, signal, caller);
      const ingest = await rooms.ingest();
      if (watch) await waitFor(ingest, task.id, { ...watch, signal });
      else ingest.watch(task.id, () => {});
      // The source itself names its task only once that runs.
      return { ...(await one(id)), ...(watch ? {} : { task: task.id }) };
    },
    async pauseSource({ id, isPaused }) {
      await (await changing(id)).pause(id, isPaused);
      return one(id);
    },
    removeSource: async ({ id, documents }) => (await changing(id, "admin")).remove(id, documents),
  };
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

async function listShown(rooms: DocumentRooms, who: Pick<CallContext, "principal">) {
  const [seen, changed, removed] = await Promise.all(
    (["read", "write", "admin"] as const).map((right) => rooms.sights.of(who, right)),
  );
  const ingest = await rooms.ingest();
  const shown = (await ingest.sources.list()).flatMap((source) => {
    const { scope = GENERAL_SCOPE } = source.settings;
    const may = { mayChange: isSeen(scope, changed), mayRemove: isSeen(scope, removed) };
    return isSeen(scope, seen) ? [withProgress({ ...source, ...may }, ingest)] : [];
  });
  return Promise.all(shown);
}

async function withProgress(source: ShownSource, ingest: Ingest): Promise<ShownSource> {
  if (source.task === undefined) return source;
  // The task may have been pruned meanwhile.
  const running = await ingest.task(source.task).catch(() => undefined);
  if (running?.status !== "running") return source;
  const { fraction, folder } = running.progress;
  return { ...source, progress: { fraction, found: folder?.found ?? 0 } };
}
