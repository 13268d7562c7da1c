import { defined } from "../../domain/defined.ts";
import { messageOf, toKnowledgeError } from "../../domain/errors.ts";
import {
  distinct,
  type Message,
  type MessageCode,
  toEnglish,
  toMessage,
} from "../../domain/phrases/messages.ts";
import type { Embed } from "../../embed/embed.ts";
import type { Blocked, Ingest } from "../../ingest/ingest.ts";
import type { StoreHealth, StoreTotals } from "../../store/store.ts";
import { KNOWLEDGE_STATUS, type Status } from "./contract.ts";
import { type DocumentRooms, documentsTool, respond, toMegabytes, toSeconds } from "./tool.ts";

export function knowledgeStatus(rooms: DocumentRooms) {
  const probe = openModelProbe();
  return documentsTool(rooms, {
    contract: KNOWLEDGE_STATUS,
    title: "Knowledge base status",
    effect: "read",
    description:
      "Get knowledge base statistics and health status: the number of documents and chunks, adds in progress, and any problems.",
    run: async (_, context, seen) => {
      const { signal } = context;
      const isAll = (await seen.sights.of(context)) === undefined;
      const [embed, store] = await Promise.all([seen.embed(), seen.store()]);
      const { DEFAULT_CHUNKS } = await import("../../chunk/chunk.ts");
      const configuration = {
        embedding_model: embed.model,
        chunk_size: DEFAULT_CHUNKS.size,
        max_file_size_mb: seen.maxFileMb,
      };
      // First, because the store creates the data folder that ingest writes into; without it nothing else is checked.
      const [health, modelIssue, auditIssue, tokenFile] = await Promise.all([
        store.health().then((found) => (isAll ? found : withoutCounts(found))),
        probe(embed, signal),
        seen.auditIssue(),
        seen.tokenFile?.(),
      ]);
      const model = { embedding_model_loaded: modelIssue === undefined };
      const issues = distinct([modelIssue, auditIssue, tokenFile?.issue]);
      if (!health.connected)
        return respond({ ...withoutStore({ health, model, issues }), configuration });
      try {
        return respond({
          ...(await withStore(seen, { health, model, issues, isAll })),
          configuration,
        });
      } catch (thrown) {
        const lost = { ...health, connected: false, issues: [messageOf(thrown)] };
        return respond({ ...withoutStore({ health: lost, model, issues }), configuration });
      }
    },
  });
}

/** Problems that count or name what may be in any scope. */
const OF_EVERYTHING: ReadonlySet<string> = new Set<MessageCode>([
  ...(["originalsOfNone", "rowsOfNone", "oneTaskSetAside", "tasksSetAside"] as const),
]);

function withoutCounts({ issues, ...health }: StoreHealth): StoreHealth {
  return { ...health, issues: issues.filter(({ code }) => !OF_EVERYTHING.has(code)) };
}

type Unconfigured = Omit<Status, "configuration">;

interface Known {
  readonly health: StoreHealth;
  readonly model: Pick<Status["health"], "embedding_model_loaded">;
  readonly issues: readonly Message[];
}

async function withStore(
  rooms: DocumentRooms,
  { health, model, issues, isAll }: Known & { readonly isAll: boolean },
): Promise<Unconfigured> {
  const [store, ingest] = await Promise.all([rooms.store(), rooms.ingest()]);
  const [problem, totals, { queued, running }, blocked, stale, refining, folders] =
    await Promise.all([
      ingest.problem(),
      store.documents.totals(),
      store.tasks.counts(),
      ingest.blocked(),
      ingest.staleCount(),
      ingest.toRefine(),
      ingest.folders(),
    ]);
  // Looked for only here: with documents, it would read the whole folder at every call.
  const isLost = isAll && totals.documents === 0;
  const lost = isLost ? (await store.originals.survey()).problem : undefined;
  const waiting = stale === 0 ? undefined : toMessage(stale === 1 ? "oneStale" : "stale", stale);
  const all = [problem, waiting, blocked && describeBlocked(blocked), ...issues, lost];
  const described = describeHealth({ health, model, issues: all });
  return {
    success: true,
    knowledge_base: describeBase(totals, health),
    health: {
      ...described,
      storage_accessible: described.storage_accessible && problem === undefined,
    },
    tasks: { queued, running, ...(blocked && { blocked: toBlocked(blocked) }) },
    ...(refining.chunks > 0 && { refining }),
    ...(folders.length > 0 && { folders: folders.map(toFolder) }),
    ...defined({ last_updated: totals.lastUpdated }),
  };
}

function toFolder({ settledAt, ...folder }: Awaited<ReturnType<Ingest["folders"]>>[number]) {
  return { ...folder, settled_at: settledAt };
}

function toBlocked({ waitedMs, by }: Blocked) {
  return { waited_seconds: toSeconds(waitedMs), by: [...by] };
}

/** As a notice, for people. */
export function describeBlocked({ waitedMs, by }: Blocked): Message {
  const files = by.map(({ filename, since }) => `${filename} (since ${since})`);
  return toMessage("queueBlocked", Math.round(waitedMs / 1000), files.join(", "));
}

function describeBase(totals: StoreTotals, { location, originalsLocation }: StoreHealth) {
  const { documents, chunks, sizeBytes } = totals;
  return {
    name: "default",
    document_count: documents,
    total_chunks: chunks,
    total_size_bytes: sizeBytes,
    total_size_mb: toMegabytes(sizeBytes),
    average_chunks_per_document: documents === 0 ? 0 : Math.round((chunks / documents) * 10) / 10,
    storage_path: originalsLocation,
    vector_db_path: location,
  };
}

interface HealthParts extends Omit<Known, "issues"> {
  readonly issues: readonly (Message | undefined)[];
}

function describeHealth({ health, model, issues }: HealthParts): Status["health"] {
  const all = distinct([...health.issues, ...issues]);
  return {
    status: all.length === 0 ? "healthy" : "degraded",
    vector_db_connected: health.connected,
    storage_accessible: health.originalsAccessible,
    ...model,
    ...(all.length > 0 && { issues: all.map(toEnglish), issue_codes: all }),
  };
}

const NOTHING: StoreTotals = { documents: 0, chunks: 0, sizeBytes: 0 };

/** The status while the database is unavailable: where it should be, and what is wrong. */
function withoutStore(known: Known): Unconfigured {
  const base = describeBase(NOTHING, known.health);
  return { success: true, knowledge_base: base, health: describeHealth(known) };
}

/**
 * The model is loaded on first use and released when idle. Whether it can be used is therefore tried once; after
 * that an idle model counts as loaded, so that asking for the status does not keep it in memory.
 */
function openModelProbe(): (embed: Embed, signal: AbortSignal) => Promise<Message | undefined> {
  let worked = false;
  return async (embed, signal) => {
    const state = embed.state();
    if (state.kind !== "failed" && worked) return undefined;
    try {
      await embed.query("status", signal);
      worked = true;
      return undefined;
    } catch (thrown) {
      worked = false;
      const { message } = toKnowledgeError(thrown);
      return toMessage(embed.light ? "lightMeanwhile" : "wordsOnly", message);
    }
  };
}
