import { toKnowledgeError } from "../../domain/errors.ts";
import type { Embed } from "../../embed/embed.ts";
import type { StoreHealth, StoreTotals } from "../../store/store.ts";
import { defineTool, type Tool } from "../tool.ts";
import { KNOWLEDGE_STATUS, type Status } from "./contract.ts";
import { answer, toError, toMegabytes } from "./payload.ts";
import type { DocumentRooms } from "./rooms.ts";

export function knowledgeStatus(rooms: DocumentRooms): Tool {
  const probe = openModelProbe();
  return defineTool({
    contract: KNOWLEDGE_STATUS,
    title: "Knowledge base status",
    family: "documents",
    effect: "read",
    description:
      "Get knowledge base statistics and health status: how many documents and chunks there are, adds under way, and what is wrong, if anything.",
    toError,
    run: async (_, { signal }) => {
      const embed = await rooms.embed();
      const [modelIssue, auditIssue] = await Promise.all([
        probe(embed, signal),
        rooms.auditIssue(),
      ]);
      const model = { embedding_model_loaded: modelIssue === undefined };
      const configuration = {
        embedding_model: embed.model,
        chunk_size: rooms.chunkSize,
        max_file_size_mb: rooms.maxFileMb,
      };
      try {
        const [store, ingest] = await Promise.all([rooms.store(), rooms.ingest()]);
        const [{ health, problem }, totals, { queued, running }, stale, refining, folders] =
          await Promise.all([
            // In this order: the store makes the data folder that the ingest room writes into.
            store.health().then(async (health) => ({ health, problem: await ingest.problem() })),
            store.documents.totals(),
            store.tasks.counts(),
            ingest.staleCount(),
            ingest.toRefine(),
            describeFolders(rooms),
          ]);
        const issues = [modelIssue, auditIssue].filter((issue) => issue !== undefined);
        return answer({
          success: true,
          knowledge_base: describeBase(totals, health),
          health: describeHealth({ health, problem, stale, model, issues }),
          configuration,
          tasks: { queued, running },
          ...(refining.chunks === 0 ? {} : { refining }),
          ...folders,
          ...(totals.lastUpdated === undefined ? {} : { last_updated: totals.lastUpdated }),
        });
      } catch (thrown) {
        return answer(withoutStore(toKnowledgeError(thrown).message, model, configuration));
      }
    },
  });
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

async function describeFolders(rooms: DocumentRooms) {
  const folders = await rooms.folders();
  if (folders.length === 0) return {};
  return { folders: folders.map(({ settledAt, ...rest }) => ({ ...rest, settled_at: settledAt })) };
}

type Model = Pick<Status["health"], "embedding_model_loaded">;

interface HealthParts {
  readonly health: StoreHealth;
  /** What keeps this server from taking files in. */
  readonly problem: string | undefined;
  readonly stale: number;
  readonly model: Model;
  readonly issues: readonly string[];
}

function describeHealth({ health, problem, stale, model, issues }: HealthParts): Status["health"] {
  const waiting = `${stale} documents are waiting to be embedded again; search finds them as they were`;
  const storage = new Set([...health.issues, ...(problem === undefined ? [] : [problem])]);
  const all = [...storage, ...(stale === 0 ? [] : [waiting]), ...issues];
  return {
    status: all.length === 0 ? "healthy" : "degraded",
    vector_db_connected: health.connected,
    storage_accessible: health.originalsAccessible && problem === undefined,
    ...model,
    ...(all.length === 0 ? {} : { issues: all }),
  };
}

function withoutStore(issue: string, model: Model, configuration: Status["configuration"]): Status {
  return {
    success: true,
    knowledge_base: {
      name: "default",
      document_count: 0,
      total_chunks: 0,
      total_size_bytes: 0,
      total_size_mb: 0,
      average_chunks_per_document: 0,
      storage_path: "",
      vector_db_path: "",
    },
    health: {
      status: "unhealthy",
      vector_db_connected: false,
      storage_accessible: false,
      ...model,
      issues: [issue],
    },
    configuration,
  };
}

/**
 * The model is loaded at first need and let go when idle. Whether it can be used is therefore tried once; after
 * that an idle model counts as loaded, so that asking for the status does not keep it in memory.
 */
function openModelProbe(): (embed: Embed, signal: AbortSignal) => Promise<string | undefined> {
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
      const meanwhile = embed.light ? "uses the light encoder meanwhile" : "is by keyword only";
      return `Embedding model unavailable; search ${meanwhile}: ${toKnowledgeError(thrown).message}`;
    }
  };
}
