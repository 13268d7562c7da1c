// Stores and removes documents, each in one transaction. Chunks are immutable: a new version has new keys.

import type { StoredDocument } from "../../../domain/document.ts";
import { matchText } from "../../../domain/internal-metadata.ts";
import { mergeMetadata } from "../../../domain/metadata.ts";
import { resultOf } from "../../../domain/task.ts";
import type {
  Adopted,
  AdoptOutcome,
  FinishedTask,
  IndexedChunk,
  NewDocument,
  PutOutcome,
  ReindexOutcome,
  StoreTotals,
  TrashReason,
} from "../../store.ts";
import type { Sql } from "../connection.ts";
import { lockOriginals, shareWriting, writeAlone } from "../locks.ts";
import { insertEncodings } from "../refinement/encodings.ts";
import { type DocumentRow, documentColumns, toDocument } from "../rows.ts";
import { completeHeld, holdTask } from "../tasks.ts";
import { pipeline } from "../transaction.ts";
import { isAtPath } from "./filter.ts";
import { readTotals } from "./read-documents.ts";
import { dropUnreferenced, trashUnreferenced } from "./unreferenced.ts";
import { deleteChunks, forgetTerms, hasVector, insertChunks, reserveKeys } from "./write-chunks.ts";

export interface Put {
  readonly document: NewDocument;
  readonly chunks: readonly IndexedChunk[];
  readonly finishes?: FinishedTask | undefined;
}

export async function putDocument(sql: Sql, kb: number, put: Put): Promise<PutOutcome> {
  const { document, chunks, finishes } = put;
  // Held until the commit, so that nobody can claim or cancel the task in between.
  const [, held, , replaced, others] = await pipeline(
    shareWriting(sql, kb),
    finishes ? holdTask(sql, kb, finishes) : sql`SELECT 1`,
    lockNames(sql, kb, document),
    findSame(sql, kb, document),
    findOthers(sql, kb, document),
  );
  if (held.length === 0) return "lease-lost";
  if (finishes && others.length > 0) return "duplicate";
  for (const row of replaced) await dropDocument(sql, kb, row);
  await insertDocument(sql, kb, put);
  const made = { chunksCreated: chunks.length, alreadyPresent: false };
  const result = resultOf({ ...document, warnings: document.extracted.warnings }, made);
  const left = replaced.map((row) => row.content_hash).filter((h) => h !== document.contentHash);
  await pipeline(
    ...(finishes && !finishes.isPart ? [completeHeld(sql, kb, { ...finishes, result })] : []),
    ...dropOriginals(sql, kb, left),
    noteChange(sql, kb),
  );
  return "stored";
}

export async function adoptDocument(
  sql: Sql,
  kb: number,
  again: Names & Adopted & Pick<Put, "finishes">,
): Promise<AdoptOutcome> {
  const { id, sourcePath, metadata, finishes } = again;
  const [, held, , rows] = await pipeline(
    shareWriting(sql, kb),
    finishes ? holdTask(sql, kb, finishes) : sql`SELECT 1`,
    lockNames(sql, kb, again),
    findSame(sql, kb, again),
  );
  if (held.length === 0) return "lease-lost";
  const kept = rows.find((row) => row.id === id);
  if (!kept) return "not-found";
  const adds = Object.keys(metadata).length > 0;
  const merged = mergeMetadata(toDocument(kept).metadata, metadata);
  const title = again.title ?? kept.title;
  const other = rows.find((row) => row.id !== id);
  if (other) await dropDocument(sql, kb, other);
  const made = { chunksCreated: kept.chunk_count, alreadyPresent: true };
  const result = resultOf(toDocument(kept), made);
  await pipeline(
    ...(finishes && !finishes.isPart ? [completeHeld(sql, kb, { ...finishes, result })] : []),
    sql`UPDATE knowledge.documents SET source_path = coalesce(${sourcePath ?? null}::text, source_path),
      title = ${title}, match_text = ${matchText(kept.filename, title, merged)}, metadata = ${adds ? sql`${sql.types.jsonb(merged)}::jsonb` : sql`metadata`} WHERE kb = ${kb} AND id = ${id}`,
    ...dropOriginals(sql, kb, other ? [other.content_hash] : []),
    noteChange(sql, kb),
  );
  return "adopted";
}

export async function removeDocument(
  sql: Sql,
  kb: number,
  { id, why }: { readonly id: string; readonly why: TrashReason | undefined },
): Promise<StoredDocument | undefined> {
  const [, [row]] = await pipeline(
    shareWriting(sql, kb),
    sql<DocumentRow[]>`SELECT ${documentColumns(sql)} FROM knowledge.documents d
      WHERE d.kb = ${kb} AND d.id = ${id} FOR UPDATE`,
  );
  if (!row) return undefined;
  await dropDocument(sql, kb, row);
  const { filename, content_hash: hash } = row;
  const gone = why
    ? trashUnreferenced(sql, kb, { hashes: [hash], why, filename })
    : dropUnreferenced(sql, kb, [hash]);
  await pipeline(lockOriginals(sql, kb, [hash]), gone, noteChange(sql, kb));
  return toDocument(row);
}

export async function clearDocuments(sql: Sql, kb: number): Promise<StoreTotals> {
  await sql`SET LOCAL statement_timeout = 0`;
  // Each statement sees what was committed before it. Without this lock, a document stored between two of them would
  // lose its chunks.
  await writeAlone(sql, kb);
  // Keeps a merge of segments from restoring what is deleted here.
  await sql`SELECT pg_advisory_xact_lock(hashtextextended('knowledge.merge', ${kb}))`;
  const totals = await readTotals(sql, kb);
  const gone = await sql<{ content_hash: string }[]>`
    DELETE FROM knowledge.documents WHERE kb = ${kb} RETURNING content_hash`;
  await pipeline(
    sql`DELETE FROM knowledge.chunks WHERE kb = ${kb}`,
    sql`DELETE FROM knowledge.vectors WHERE kb = ${kb}`,
    sql`DELETE FROM knowledge.postings WHERE kb = ${kb}`,
    sql`DELETE FROM knowledge.segments WHERE kb = ${kb}`,
    dropUnreferenced(sql, kb, [...new Set(gone.map((row) => row.content_hash))]),
    noteChange(sql, kb),
  );
  return totals;
}

export async function reindexDocument(
  sql: Sql,
  kb: number,
  {
    id,
    fingerprint,
    encoders,
    chunks,
  }: Pick<NewDocument, "id" | "fingerprint" | "encoders"> & {
    readonly chunks: readonly IndexedChunk[];
  },
): Promise<ReindexOutcome> {
  const [, [row], keys] = await pipeline(
    shareWriting(sql, kb),
    sql<{ doc: number; body: string }[]>`
      SELECT doc, body FROM knowledge.documents WHERE kb = ${kb} AND id = ${id} FOR UPDATE`,
    reserveKeys(sql, chunks.length),
  );
  if (!row) return "not-found";
  const [gone] = await pipeline(...deleteChunks(sql, kb, row.doc));
  await forgetTerms(sql, kb, gone);
  const vectors = await insertChunks(sql, kb, { doc: row.doc, keys, text: row.body, chunks });
  await pipeline(
    sql`UPDATE knowledge.documents
      SET fingerprint = ${fingerprint}, chunk_count = ${chunks.length}, vector_count = ${vectors}
      WHERE kb = ${kb} AND id = ${id}`,
    sql`DELETE FROM knowledge.encodings WHERE kb = ${kb} AND doc = ${row.doc}`,
    ...insertEncodings(sql, kb, { doc: row.doc, fingerprint, encoders, chunks }),
    noteChange(sql, kb),
  );
  return "reindexed";
}

function dropOriginals(sql: Sql, kb: number, hashes: readonly string[]) {
  if (hashes.length === 0) return [];
  return [lockOriginals(sql, kb, hashes), dropUnreferenced(sql, kb, hashes)];
}

type Names = Pick<NewDocument, "id" | "sourcePath"> & { readonly contentHash?: string };

/** Locks are taken in the same order everywhere, so that two writers of the same names wait instead of deadlocking. */
function lockNames(sql: Sql, kb: number, { id, sourcePath, contentHash }: Names) {
  const names = [id];
  if (sourcePath !== undefined) names.push(`path ${sourcePath}`);
  if (contentHash !== undefined) names.push(`content ${contentHash}`);
  return sql`SELECT pg_advisory_xact_lock(lock) FROM (
    SELECT hashtextextended(name, ${kb}) AS lock FROM unnest(${names}::text[]) AS name
    ORDER BY 1) locks`;
}

/** The document itself, and another one from the same path. */
function findSame(sql: Sql, kb: number, { id, sourcePath }: Names) {
  return sql<DocumentRow[]>`
    SELECT ${documentColumns(sql)} FROM knowledge.documents d
    WHERE d.kb = ${kb} AND (d.id = ${id} OR ${isAtPath(sql, sourcePath)})
    ORDER BY d.doc FOR UPDATE`;
}

/** Other documents with the same content. */
function findOthers(sql: Sql, kb: number, { id, contentHash }: NewDocument) {
  return sql`SELECT 1 FROM knowledge.documents
    WHERE kb = ${kb} AND content_hash = ${contentHash} AND id <> ${id} LIMIT 1`;
}

async function insertDocument(sql: Sql, kb: number, { document, chunks }: Put): Promise<void> {
  const { extracted, title = extracted.title } = document;
  const insertion = sql<{ doc: number }[]>`
    INSERT INTO knowledge.documents (kb, id, filename, sort_name, match_text, source_path, content_hash,
      format, size_bytes, title, date_added, method, pages, warnings, metadata, fingerprint, chunk_count,
      vector_count, body, blocks)
    VALUES (${kb}, ${document.id}, ${document.filename}, ${document.filename.toLowerCase()},
      ${matchText(document.filename, title ?? null, document.metadata)}, ${document.sourcePath ?? null},
      ${document.contentHash}, ${document.format}, ${document.sizeBytes}, ${title ?? null},
      ${document.dateAdded ?? new Date()}, ${extracted.method}, ${sql.types.jsonb(extracted.pages)},
      ${sql.types.jsonb(extracted.warnings)}, ${sql.types.jsonb(document.metadata)}, ${document.fingerprint},
      ${chunks.length}, ${chunks.filter(hasVector).length}, ${extracted.text},
      ${sql.types.jsonb(extracted.blocks)})
    RETURNING doc`;
  const [[row], keys] = await pipeline(insertion, reserveKeys(sql, chunks.length));
  const { doc } = row as { doc: number };
  await insertChunks(sql, kb, { doc, keys, text: extracted.text, chunks });
  const { fingerprint, encoders } = document;
  await pipeline(...insertEncodings(sql, kb, { doc, fingerprint, encoders, chunks }));
}

async function dropDocument(sql: Sql, kb: number, { doc }: DocumentRow): Promise<void> {
  const [gone] = await pipeline(
    ...deleteChunks(sql, kb, doc),
    sql`DELETE FROM knowledge.documents WHERE kb = ${kb} AND doc = ${doc}`,
  );
  await forgetTerms(sql, kb, gone);
}

/** Skipped while another writer is recording its own change, so that writers do not wait for each other. */
function noteChange(sql: Sql, kb: number) {
  return sql`UPDATE knowledge.bases SET documents_changed_at = clock_timestamp() WHERE kb =
    (SELECT kb FROM knowledge.bases WHERE kb = ${kb} FOR UPDATE SKIP LOCKED)`;
}
