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
      "Get knowledge base statistics and health status: documents, chunks, adds in progress, problems.",
    run: async (_, context, seen) => {
      const { signal } = context;
      const isAll = (await seen.sights.of(context)) === undefined;
      const [embed, store] = await Promise.all([seen.embed(), seen.store()]);
      const { DEFAULT_CHUNKS } = await import("../../chunk/chunk.ts");
      const configured = { chunk_size: DEFAULT_CHUNKS.size, max_file_size_mb: seen.maxFileMb };
      // First, because the store creates the data folder that ingest writes into; without it nothing else is checked.
      const [health, modelIssue, auditIssue, tokenFile] = await Promise.all([
        store.health(),
        probe(embed, signal),
        seen.auditIssue(),
        seen.tokenFile?.(),
      ]);
      const own = health.issues.filter(({ code }) => isAll || !OF_EVERYTHING.has(code));
      const found = health.connected ? await findCounts(seen, isAll).catch(toLost) : NOTHING;
      const others = [modelIssue, auditIssue, tokenFile?.issue, found.lost];
      const issues = distinct([...own, ...found.issues, ...others]);
      return respond({
        success: true,
        knowledge_base: describeBase(found.totals, health),
        health: {
          status: issues.length === 0 ? "healthy" : "degraded",
          vector_db_connected: health.connected && !found.isLost,
          storage_accessible: health.originalsAccessible && !found.isStopped,
          embedding_model_loaded: modelIssue === undefined,
          ...toIssues(issues),
        },
        ...found.counts,
        configuration: { ...configured, embedding_model: embed.model },
      });
    },
  });
}

function toIssues(issues: readonly Message[]) {
  return issues.length === 0 ? {} : { issues: issues.map(toEnglish), issue_codes: [...issues] };
}

/** Problems that count or name what may be in any scope. */
const OF_EVERYTHING: ReadonlySet<string> = new Set<MessageCode>([
  ...(["originalsOfNone", "rowsOfNone", "oneTaskSetAside", "tasksSetAside"] as const),
]);

interface Found {
  readonly totals: StoreTotals;
  readonly counts: Pick<Status, "tasks" | "refining" | "folders" | "last_updated">;
  readonly issues: readonly (Message | undefined)[];
  /** Of original files without a document. */
  readonly lost?: Message | undefined;
  /** The database is unavailable by now. */
  readonly isLost?: true;
  /** Nothing can be added. */
  readonly isStopped?: boolean;
}

/** While the database is unavailable. */
const NOTHING: Found = {
  totals: { documents: 0, chunks: 0, sizeBytes: 0 },
  counts: {},
  issues: [],
};

function toLost(thrown: unknown): Found {
  return { ...NOTHING, issues: [messageOf(thrown)], isLost: true };
}

async function findCounts(rooms: DocumentRooms, isAll: boolean): Promise<Found> {
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
  const isEmpty = isAll && totals.documents === 0;
  const waiting = stale === 0 ? undefined : toMessage(stale === 1 ? "oneStale" : "stale", stale);
  return {
    totals,
    counts: {
      tasks: { queued, running, ...(blocked && { blocked: toBlocked(blocked) }) },
      ...(refining.chunks > 0 && { refining }),
      ...(folders.length > 0 && { folders: folders.map(toFolder) }),
      ...defined({ last_updated: totals.lastUpdated }),
    },
    issues: [problem, waiting, blocked && describeBlocked(blocked)],
    lost: isEmpty ? (await store.originals.survey()).problem : undefined,
    isStopped: problem !== undefined,
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
