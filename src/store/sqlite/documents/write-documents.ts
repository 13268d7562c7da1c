// Stores and removes documents, each change in one transaction.

import type { StoredDocument } from "../../../domain/document.ts";
import { matchText } from "../../../domain/internal-metadata.ts";
import { mergeMetadata } from "../../../domain/metadata.ts";
import { resultOf } from "../../../domain/task.ts";
import type {
  Adopted,
  AdoptOutcome,
  FinishedTask,
  NewDocument,
  PutOutcome,
  ReindexOutcome,
  StoreTotals,
} from "../../store.ts";
import type { Database } from "../database.ts";
import { noteDropped } from "../originals/write-originals.ts";
import { insertEncodings } from "../refinement/encodings.ts";
import {
  DOCUMENT_COLUMNS,
  type DocumentRow,
  IS_SET_ASIDE,
  toDocument,
  unpackText,
} from "../rows.ts";
import type { TaskWriter } from "../tasks/write-tasks.ts";
import type { PackedChunks } from "../thread/packed-messages.ts";
import { insertDocument, insertFacets } from "./insert-document.ts";
import { count, readTotals } from "./totals.ts";
import { dropChunks, insertChunks, noteRemoval } from "./write-chunks.ts";

export interface Removal {
  readonly document: StoredDocument;
  /** True if no document or open task needs the original any more. */
  readonly orphaned: boolean;
}

/** An outcome with the content hashes that a replaced document leaves behind. */
interface WithOrphans<Outcome> {
  readonly outcome: Outcome;
  readonly orphans: readonly string[];
}

interface Put {
  readonly document: NewDocument;
  readonly chunks: PackedChunks;
  readonly finishes: FinishedTask | undefined;
}

export function openDocumentWriter(database: Database, tasks: TaskWriter) {
  return {
    put: (
      document: NewDocument,
      chunks: PackedChunks,
      finishes?: FinishedTask,
    ): WithOrphans<PutOutcome> =>
      database.write(() => put(database, tasks, { document, chunks, finishes })),
    adopt: (id: string, again: Adopted, finishes?: FinishedTask): WithOrphans<AdoptOutcome> =>
      database.write(() => adoptFor(database, tasks, { id, again, finishes })),
    remove: (id: string, { isAsked } = { isAsked: true }): Removal | undefined =>
      database.write(() => {
        const row = one(database, "id = ?", id);
        if (!row) return undefined;
        dropDocument(database, row);
        const orphaned = openOrphanCheck(database)(row.content_hash);
        if (orphaned && isAsked) noteDropped(database, [row.content_hash]);
        return { document: toDocument(row), orphaned };
      }),
    clear(): { totals: StoreTotals; orphans: readonly string[] } {
      const cleared = database.write(() => clearAll(database));
      database.reclaim();
      return cleared;
    },
    reindex: (id: string, index: IndexedUnder, chunks: PackedChunks): ReindexOutcome =>
      database.write(() => reindex(database, id, { index, chunks })),
    /** Returns the hashes that nothing refers to. */
    unreferenced: (hashes: readonly string[]): readonly string[] =>
      database.read(() => hashes.filter(openOrphanCheck(database))),
  };
}

function one(database: Database, where: string, ...values: (string | number)[]) {
  const sql = `SELECT ${DOCUMENT_COLUMNS} FROM documents WHERE ${where}`;
  return database.get<DocumentRow>(sql, ...values);
}

/** Checks for any number of hashes in one transaction. */
function openOrphanCheck(database: Database): (contentHash: string) => boolean {
  const rows = database.all<{ content_hash: string }>(
    `SELECT content_hash FROM tasks WHERE ${IS_SET_ASIDE}`,
  );
  const setAside = new Set(rows.map((row) => row.content_hash));
  return (contentHash) =>
    !setAside.has(contentHash) &&
    !one(database, "content_hash = ? LIMIT 1", contentHash) &&
    !database.get(
      "SELECT 1 FROM tasks WHERE content_hash = ? AND status IN ('queued', 'running') LIMIT 1",
      contentHash,
    );
}

function dropDocument(database: Database, row: DocumentRow): void {
  dropChunks(database, row);
  database.run("DELETE FROM documents WHERE doc = ?", row.doc);
  count(database, { documents: -1, chunks: -row.chunk_count, sizeBytes: -row.size_bytes });
}

function put(database: Database, tasks: TaskWriter, parts: Put): WithOrphans<PutOutcome> {
  const { document, chunks, finishes } = parts;
  const { id, contentHash, sourcePath } = document;
  const task = finishes && { id: finishes.taskId, worker: finishes.worker };
  if (task && !tasks.isHeld(task)) return { outcome: "lease-lost", orphans: [] };
  if (task && one(database, "content_hash = ? AND id <> ? LIMIT 1", contentHash, id)) {
    return { outcome: "duplicate", orphans: [] };
  }
  const same = one(database, "id = ?", id);
  const here = sourcePath === undefined ? same : one(database, "source_path = ?", sourcePath);
  const replaced = [
    ...new Map([same, here].flatMap((row) => (row ? [[row.doc, row]] : []))).values(),
  ];
  for (const row of replaced) dropDocument(database, row);
  insertDocument(database, document, chunks);
  if (task && !finishes.isPart) {
    const made = { chunksCreated: chunks.rows.length, alreadyPresent: false };
    const { warnings } = document.extracted;
    const result = resultOf({ ...document, warnings }, made);
    tasks.finish(task, { status: "completed", result });
  }
  const orphans = replaced.map((row) => row.content_hash).filter(openOrphanCheck(database));
  return { outcome: "stored", orphans: noteDropped(database, [...new Set(orphans)]) };
}

interface Adoption {
  readonly id: string;
  readonly again: Adopted;
  readonly finishes: FinishedTask | undefined;
}

function adoptFor(
  database: Database,
  tasks: TaskWriter,
  parts: Adoption,
): WithOrphans<AdoptOutcome> {
  const { id, again, finishes } = parts;
  const task = finishes && { id: finishes.taskId, worker: finishes.worker };
  if (task && !tasks.isHeld(task)) return { outcome: "lease-lost", orphans: [] };
  const settled = adopt(database, id, again);
  const row = one(database, "id = ?", id);
  if (task && !finishes.isPart && row) {
    const made = { chunksCreated: row.chunk_count, alreadyPresent: true };
    tasks.finish(task, { status: "completed", result: resultOf(toDocument(row), made) });
  }
  return settled;
}

function adopt(database: Database, id: string, again: Adopted): WithOrphans<AdoptOutcome> {
  const row = one(database, "id = ?", id);
  if (!row) return { outcome: "not-found", orphans: [] };
  const { sourcePath = row.source_path, title = row.title, metadata } = again;
  const replaced =
    sourcePath === null
      ? undefined
      : one(database, "source_path = ? AND doc <> ?", sourcePath, row.doc);
  if (replaced) dropDocument(database, replaced);
  const adds = Object.keys(metadata).length > 0;
  const merged = mergeMetadata(toDocument(row).metadata, metadata);
  database.run(
    "UPDATE documents SET source_path = ?, title = ?, match_text = ?, metadata = ? WHERE doc = ?",
    sourcePath,
    title,
    matchText(row.filename, title, merged),
    // Kept unchanged, even if it cannot be parsed.
    adds ? JSON.stringify(merged) : row.metadata,
    row.doc,
  );
  if (adds) insertFacets(database, row.doc, merged);
  count(database, { documents: 0, chunks: 0, sizeBytes: 0 });
  const orphans = replaced ? [replaced.content_hash].filter(openOrphanCheck(database)) : [];
  return { outcome: "adopted", orphans: noteDropped(database, orphans) };
}

type IndexedUnder = Pick<NewDocument, "fingerprint" | "encoders">;

interface Reindexed {
  readonly index: IndexedUnder;
  readonly chunks: PackedChunks;
}

function reindex(database: Database, id: string, { index, chunks }: Reindexed): ReindexOutcome {
  const row = one(database, "id = ?", id);
  if (!row) return "not-found";
  const { doc } = row;
  const body = database.get<{ body: Uint8Array }>("SELECT body FROM texts WHERE doc = ?", doc);
  dropChunks(database, row);
  const { text } = unpackText((body as { body: Uint8Array }).body);
  const { firstKey, vectors } = insertChunks(database, { doc, text }, chunks);
  database.run(
    `UPDATE documents SET fingerprint = ?, first_key = ?, chunk_count = ?, vector_count = ?
     WHERE doc = ?`,
    index.fingerprint,
    firstKey,
    chunks.rows.length,
    vectors,
    doc,
  );
  insertEncodings(database, { doc, firstKey, encoders: index.encoders }, chunks);
  const change = chunks.rows.length - row.chunk_count;
  count(database, { documents: 0, chunks: change, sizeBytes: 0 });
  return "reindexed";
}

function clearAll(database: Database): { totals: StoreTotals; orphans: readonly string[] } {
  const hashes = database
    .all<{ content_hash: string }>("SELECT DISTINCT content_hash FROM documents")
    .map((row) => row.content_hash);
  const totals = readTotals(database);
  const { next_key: nextKey } = database.get<{ next_key: number }>(
    "SELECT next_key FROM state",
  ) as { next_key: number };
  for (const table of [
    "facets",
    "texts",
    "refined_vectors",
    "encodings",
    "documents",
    "chunks",
    "segments",
    "terms",
    "blocks",
    "postings",
  ]) {
    // Without a WHERE, SQLite frees a table's pages without visiting its rows.
    database.run(`DELETE FROM ${table}`);
  }
  noteRemoval(database, 0, nextKey - 1);
  database.run(
    `UPDATE state SET changes = changes + 1, documents = 0, chunks = 0, size_bytes = 0, total_length = 0, last_updated = ?
     WHERE id = 1`,
    new Date().toISOString(),
  );
  return { totals, orphans: noteDropped(database, hashes.filter(openOrphanCheck(database))) };
}
