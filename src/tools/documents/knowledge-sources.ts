// Sources for agents that may write: the same operations as for people, within the caller's scopes.
import { isJsonObject } from "../../domain/call/json-object.ts";
import { defined } from "../../domain/defined.ts";
import { toEnglish } from "../../domain/phrases/messages.ts";
import { describeInterval, readInterval } from "../../domain/source.ts";
import type { CallContext } from "../tool.ts";
import { KNOWLEDGE_SOURCES, type SourceCall } from "./contract.ts";
import { type ShownSource, type SourceOperations, sourceOperations } from "./sources.ts";
import { type DocumentRooms, documentsTool, invalidParameter, respond } from "./tool.ts";

type Act = (
  sources: SourceOperations,
  call: SourceCall,
  context: CallContext,
) => Promise<readonly ShownSource[]>;

const ACTIONS: Readonly<Record<SourceCall["action"], Act>> = {
  list: (sources) => sources.sources(),
  async add(sources, { address = "", every = "", include, scope }, { principal }) {
    if (address === "") throw invalidParameter("address", "is needed to add a source");
    const settings = defined({ everySeconds: readInterval(every), include, scope });
    const added = await sources.addSource({ address, settings });
    return [await sources.syncSource({ id: added.id, caller: principal.name })];
  },
  sync: async (sources, call, { principal }) => [
    await sources.syncSource({ id: idOf(call), caller: principal.name }),
  ],
  pause: async (sources, call) => [await sources.pauseSource({ id: idOf(call), isPaused: true })],
  resume: async (sources, call) => [await sources.pauseSource({ id: idOf(call), isPaused: false })],
  async remove(sources, call) {
    await sources.removeSource({ id: idOf(call), documents: false });
    return [];
  },
};

export function knowledgeSources(rooms: DocumentRooms) {
  return documentsTool(rooms, {
    contract: KNOWLEDGE_SOURCES,
    title: "Follow sites, repositories and folders",
    effect: "write",
    idempotent: true,
    onlyReads: (args) => isJsonObject(args) && args["action"] === "list",
    isOpenWorld: true,
    description:
      "Follow web sites, git repositories and folders: what is new, changed or gone there is applied here. " +
      "add and sync return a task_id; list shows states and failures; remove keeps the documents.",
    async run(call, context) {
      const sources = sourceOperations(rooms, context);
      const shown = await ACTIONS[call.action](sources, call, context);
      const listed = await Promise.all(shown.map((source) => toListed(source, sources)));
      return respond({ success: true, sources: listed });
    },
  });
}

function idOf({ action, source_id = "" }: SourceCall): string {
  if (source_id !== "") return source_id;
  throw invalidParameter("source_id", `is needed to ${action} a source; list shows it`);
}

// Enough to see what is wrong; the console shows more.
const MAX_FAILURES = 5;

async function toListed(source: ShownSource, sources: SourceOperations) {
  const { id, kind, address, settings, items, failed, lastRun, nextRun, task, isPaused } = source;
  const failures = failed > 0 ? (await sources.sourceFailures(id)).slice(0, MAX_FAILURES) : [];
  const { scope, everySeconds } = settings;
  const resting = isPaused ? ("paused" as const) : ("idle" as const);
  return {
    ...{ source_id: id, kind, address, items, failed },
    state: task === undefined ? resting : ("syncing" as const),
    ...defined({
      scope,
      every: everySeconds === undefined ? undefined : describeInterval(everySeconds),
      task_id: task,
      last_sync: lastRun?.finishedAt,
      next_sync: isPaused ? undefined : nextRun,
      problem: lastRun?.problem && toEnglish(lastRun.problem),
      problem_code: lastRun?.problem,
      failures: failures.length > 0 ? failures : undefined,
    }),
  };
}
