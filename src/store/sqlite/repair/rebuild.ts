// Builds a new database from salvaged data. Documents keep their ids: stored text is used if it is intact, else the
// original is read again.
import { randomUUID } from "node:crypto";
import type { DatabaseSync } from "node:sqlite";
import { KnowledgeError } from "../../../domain/errors.ts";
import type { ScopeContent } from "../../../domain/scope.ts";
import { type AddRequest, WAITING } from "../../../domain/task.ts";
import { toChanges } from "../../core/copy.ts";
import { joinParts, packParts } from "../../core/packed-chunks.ts";
import type { DocumentRepository } from "../../documents/documents.ts";
import type { ScopeRepository } from "../../scopes/scopes.ts";
import type { Loss } from "../../store.ts";
import type { Database } from "../database.ts";
import { openOperations } from "../thread/operations.ts";
import type { KeptOriginals } from "./kept-originals.ts";
import { nameOf, type SalvagedDocument } from "./salvage.ts";
import { type Index, type SalvagedContent, salvageContent } from "./salvage-content.ts";
import type { SalvagedTask } from "./salvage-tasks.ts";

/** Belongs to no model, so the document will be reindexed. */
const TO_INDEX = "repair";
const GONE = "neither its text nor its file can be read";
const NOTHING: SalvagedContent = { text: "", blocks: [], chunks: [], isIndexed: false };

/** The new database while it is filled. */
interface RebuildState {
  readonly database: Database;
  readonly originals: KeptOriginals;
  readonly documents: DocumentRepository;
  readonly scopes: ScopeRepository;
  readonly losses: Loss[];
  readonly counts: { documents: number; queued: number; tasks: number; scopes: number };
}

export function openRebuild(database: Database, originals: KeptOriginals) {
  const counts = { documents: 0, queued: 0, tasks: 0, scopes: 0 };
  const losses: Loss[] = [];
  const state: RebuildState = {
    database,
    originals,
    ...openOperations(database),
    losses,
    counts,
  };
  return {
    losses,
    counts,
    document: (source: DatabaseSync, salvaged: SalvagedDocument, index: Index): Promise<void> =>
      addDocument(state, salvaged, salvageContent(source, salvaged, index)),
    task: (task: SalvagedTask): void => addTask(state, task),
    scope: (content: ScopeContent): Promise<void> => addScope(state, content),
    /** An original without a document is restored under its name in the trash, or a name made from its hash. */
    nameless(contentHash: string): string {
      const filename = originals.nameOf(contentHash) ?? `recovered-${contentHash.slice(0, 8)}`;
      const sizeBytes = originals.sizeOfSound(contentHash);
      if (sizeBytes !== undefined) {
        enqueue(state, { contentHash, filename, sizeBytes, metadata: {}, forceOcr: false });
      }
      return filename;
    },
  };
}

async function put(
  { documents, counts }: RebuildState,
  salvaged: SalvagedDocument,
  content: SalvagedContent,
): Promise<void> {
  const { chunkCount: _, method, pages, warnings, ...document } = salvaged.document;
  const { text, blocks, chunks, isIndexed, encoders } = content;
  const { format, title } = document;
  const named = title === undefined ? {} : { title };
  const extracted = { format, method, ...named, text, blocks, pages, warnings };
  const fingerprint = isIndexed ? salvaged.fingerprint : TO_INDEX;
  const encoded = encoders === undefined ? {} : { encoders };
  const packed = joinParts([...packParts(chunks)]);
  await documents.put({ ...document, extracted, fingerprint, ...encoded }, packed);
  counts.documents += 1;
}

function enqueue({ database, counts }: RebuildState, request: AddRequest): void {
  const { contentHash } = request;
  const ended = { started_at: null, finished_at: null, result: null, failure: null };
  insertTask(database, {
    id: randomUUID(),
    status: "queued",
    content_hash: contentHash,
    request: JSON.stringify(request),
    progress: JSON.stringify(WAITING),
    created_at: new Date().toISOString(),
    attempts: 0,
    worker: null,
    ...ended,
  });
  counts.queued += 1;
}

/** Without chunks it counts as not yet read; intact text is kept in case the file cannot be read any more. */
async function readAgain(
  state: RebuildState,
  salvaged: SalvagedDocument,
  content: SalvagedContent | undefined,
): Promise<boolean> {
  const sizeBytes = state.originals.sizeOfSound(salvaged.document.contentHash);
  if (sizeBytes === undefined) return false;
  const isSound = content && content.partial === undefined;
  await put(state, salvaged, isSound ? { ...content, chunks: [] } : NOTHING);
  enqueue(state, { ...toRequest(salvaged), sizeBytes });
  return true;
}

async function addDocument(
  state: RebuildState,
  salvaged: SalvagedDocument,
  content: SalvagedContent | undefined,
): Promise<void> {
  const { losses, originals } = state;
  const { document } = salvaged;
  const name = nameOf(document);
  if (!content?.isIndexed && (await readAgain(state, salvaged, content))) return;
  if (!content) {
    losses.push({ kind: "document", name, what: GONE });
    return;
  }
  if (!content.isIndexed || !originals.has(document.contentHash)) {
    losses.push({ kind: "original", name, what: "its file is gone; its text is kept" });
  }
  const { partial } = content;
  if (partial !== undefined) losses.push({ kind: "text", name, what: partial });
  await put(state, salvaged, content);
}

function addTask(state: RebuildState, { row, contentHash, isOpen }: SalvagedTask): void {
  const { database, counts, originals, losses } = state;
  const status = isOpen ? "queued" : row.status;
  insertTask(database, { ...row, status, content_hash: contentHash });
  counts.tasks += 1;
  if (!isOpen) return;
  counts.queued += 1;
  if (originals.has(contentHash)) return;
  losses.push({ kind: "task", name: row.id, what: "its file is gone, so it will fail" });
}

async function addScope(state: RebuildState, content: ScopeContent): Promise<void> {
  const { scopes, counts, losses } = state;
  try {
    await scopes.apply(toChanges(content));
    counts.scopes += 1;
  } catch (thrown) {
    if (!(thrown instanceof KnowledgeError)) throw thrown;
    losses.push({ kind: "scope", name: content.id, what: "its rules: they are refused" });
  }
}

export type Rebuild = ReturnType<typeof openRebuild>;

function toRequest({ document }: SalvagedDocument): Omit<AddRequest, "sizeBytes"> {
  const { contentHash, filename, sourcePath, metadata } = document;
  const place = sourcePath === undefined ? {} : { sourcePath };
  return { contentHash, filename, ...place, metadata, forceOcr: false };
}

function insertTask(database: Database, row: SalvagedTask["row"]): void {
  database.run(
    `INSERT OR IGNORE INTO tasks (kb, id, status, content_hash, request, progress, created_at, started_at, finished_at,
         attempts, result, failure) VALUES (1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    row.id,
    row.status,
    row.content_hash,
    row.request,
    row.progress,
    row.created_at,
    row.started_at,
    row.finished_at,
    row.attempts,
    row.result,
    row.failure,
  );
}
