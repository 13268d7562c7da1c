// Documents in and out, each in one transaction. Chunks are never changed: a new version has new keys.

import type { StoredDocument } from "../../../domain/document.ts";
import { mergeMetadata } from "../../../domain/metadata.ts";
import { matchText } from "../../../domain/own-facts.ts";
import { resultOf } from "../../../domain/task.ts";
import type {
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
import { type ChunkDetail, type DocumentRow, documentColumns, toDocument } from "../rows.ts";
import { completeHeld, holdTask } from "../tasks.ts";
import { together } from "../transaction.ts";
import { joinTerms, splitTerms } from "../words/postings.ts";
import { writeSegment } from "../words/segments.ts";
import { toVectorText } from "./nearest.ts";
import { readTotals } from "./read-documents.ts";
import { dropUnreferenced, trashUnreferenced } from "./unreferenced.ts";

export interface Put {
  readonly document: NewDocument;
  readonly chunks: readonly IndexedChunk[];
  readonly finishes?: FinishedTask | undefined;
}

export async function putDocument(sql: Sql, kb: number, put: Put): Promise<PutOutcome> {
  const { document, chunks, finishes } = put;
  // Held until the commit: nobody can take or cancel the task in between.
  const [, held, , replaced, others] = await together(
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
  await together(
    ...(finishes && !finishes.isPart ? [completeHeld(sql, kb, { ...finishes, result })] : []),
    ...letGo(sql, kb, left),
    noteChange(sql, kb),
  );
  return "stored";
}

export async function adoptDocument(
  sql: Sql,
  kb: number,
  again: Names & Pick<NewDocument, "metadata">,
): Promise<AdoptOutcome> {
  const { id, sourcePath, metadata } = again;
  const [, , rows] = await together(
    shareWriting(sql, kb),
    lockNames(sql, kb, again),
    findSame(sql, kb, again),
  );
  const kept = rows.find((row) => row.id === id);
  if (!kept) return "not-found";
  const adds = Object.keys(metadata).length > 0;
  const merged = mergeMetadata(toDocument(kept).metadata, metadata);
  const other = rows.find((row) => row.id !== id);
  if (other) await dropDocument(sql, kb, other);
  await together(
    sql`UPDATE knowledge.documents SET source_path = coalesce(${sourcePath ?? null}::text, source_path),
      match_text = ${matchText(kept.filename, kept.title, merged)}, metadata = ${adds ? sql`${sql.types.jsonb(merged)}::jsonb` : sql`metadata`} WHERE kb = ${kb} AND id = ${id}`,
    ...letGo(sql, kb, other ? [other.content_hash] : []),
    noteChange(sql, kb),
  );
  return "adopted";
}

export async function removeDocument(
  sql: Sql,
  kb: number,
  { id, why }: { readonly id: string; readonly why: TrashReason | undefined },
): Promise<StoredDocument | undefined> {
  const [, [row]] = await together(
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
  await together(lockOriginals(sql, kb, [hash]), gone, noteChange(sql, kb));
  return toDocument(row);
}

export async function clearDocuments(sql: Sql, kb: number): Promise<StoreTotals> {
  await sql`SET LOCAL statement_timeout = 0`;
  // Each statement sees what was committed before it: without this, a document that is stored between two of them would
  // stay without its chunks.
  await writeAlone(sql, kb);
  // Keeps a joining of segments from bringing back what is deleted here.
  await sql`SELECT pg_advisory_xact_lock(hashtextextended('knowledge.merge', ${kb}))`;
  const totals = await readTotals(sql, kb);
  const gone = await sql<{ content_hash: string }[]>`
    DELETE FROM knowledge.documents WHERE kb = ${kb} RETURNING content_hash`;
  await together(
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
  const [, [row], keys] = await together(
    shareWriting(sql, kb),
    sql<{ doc: number; body: string }[]>`
      SELECT doc, body FROM knowledge.documents WHERE kb = ${kb} AND id = ${id} FOR UPDATE`,
    reserveKeys(sql, chunks.length),
  );
  if (!row) return "not-found";
  const [gone] = await together(...deleteChunks(sql, kb, row.doc));
  await forgetTerms(sql, kb, gone);
  const vectors = await insertChunks(sql, kb, { doc: row.doc, keys, text: row.body, chunks });
  await together(
    sql`UPDATE knowledge.documents
      SET fingerprint = ${fingerprint}, chunk_count = ${chunks.length}, vector_count = ${vectors}
      WHERE kb = ${kb} AND id = ${id}`,
    sql`DELETE FROM knowledge.encodings WHERE kb = ${kb} AND doc = ${row.doc}`,
    ...insertEncodings(sql, kb, { doc: row.doc, fingerprint, encoders, chunks }),
    noteChange(sql, kb),
  );
  return "reindexed";
}

function letGo(sql: Sql, kb: number, hashes: readonly string[]) {
  if (hashes.length === 0) return [];
  return [lockOriginals(sql, kb, hashes), dropUnreferenced(sql, kb, hashes)];
}

type Names = Pick<NewDocument, "id" | "sourcePath"> & { readonly contentHash?: string };

/** In one order everywhere, so that two writers of the same names wait instead of deadlocking. */
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
    WHERE d.kb = ${kb} AND (d.id = ${id} OR d.source_path = ${sourcePath ?? null}::text)
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
  const [[row], keys] = await together(insertion, reserveKeys(sql, chunks.length));
  const { doc } = row as { doc: number };
  await insertChunks(sql, kb, { doc, keys, text: extracted.text, chunks });
  const { fingerprint, encoders } = document;
  await together(...insertEncodings(sql, kb, { doc, fingerprint, encoders, chunks }));
}

function reserveKeys(sql: Sql, count: number) {
  return sql<{ key: number }[]>`
    SELECT nextval('knowledge.chunk_keys') AS key FROM generate_series(1, ${count})`;
}

interface NewChunks {
  readonly doc: number;
  /** One for each chunk. */
  readonly keys: readonly { readonly key: number }[];
  readonly text: string;
  readonly chunks: readonly IndexedChunk[];
}

/** How many have vectors. */
async function insertChunks(
  sql: Sql,
  kb: number,
  { doc, keys, text, chunks }: NewChunks,
): Promise<number> {
  if (chunks.length === 0) return 0;
  const keyed = chunks.map((chunk, index) => ({ ...chunk, key: keys[index]?.key as number }));
  const embedded = keyed.filter(hasVector);
  const statements = [
    sql`INSERT INTO knowledge.chunks (kb, key, doc, ordinal, start, "end", text, detail, terms)
      SELECT ${kb}, key, ${doc}, ordinal, start, "end", text, detail, terms
      FROM unnest(${keyed.map((c) => c.key)}::bigint[], ${keyed.map((c) => c.ordinal)}::integer[],
        ${keyed.map((c) => c.start)}::integer[], ${keyed.map((c) => c.end)}::integer[],
        ${keyed.map((c) => text.slice(c.start, c.end))}::text[],
        ${keyed.map(toDetail)}::jsonb[], ${keyed.map((c) => joinTerms(c.terms))}::text[])
        AS t (key, ordinal, start, "end", text, detail, terms)`,
    writeSegment(sql, kb, { kind: "add", chunks: keyed }),
  ];
  if (embedded.length > 0) {
    statements.push(
      sql`INSERT INTO knowledge.vectors (kb, key, doc, dimensions, embedding)
        SELECT ${kb}, key, ${doc}, vector_dims(embedding::halfvec), embedding::halfvec
        FROM unnest(${embedded.map((c) => c.key)}::bigint[],
          ${embedded.map((c) => toVectorText(c.vector))}::text[]) AS t (key, embedding)`,
    );
  }
  // Sent together: one wait instead of three.
  await Promise.all(statements);
  return embedded.length;
}

function hasVector<T extends IndexedChunk>(chunk: T): chunk is T & { vector: Float32Array } {
  // A vector of zeros has no direction, and so no neighbours.
  return chunk.vector?.some((value) => value !== 0) === true;
}

function toDetail({ place, until, headings, tableHeader }: IndexedChunk): ChunkDetail {
  return {
    place,
    ...(until === undefined ? {} : { until }),
    headings,
    ...(tableHeader === undefined ? {} : { tableHeader }),
  };
}

async function dropDocument(sql: Sql, kb: number, { doc }: DocumentRow): Promise<void> {
  const [gone] = await together(
    ...deleteChunks(sql, kb, doc),
    sql`DELETE FROM knowledge.documents WHERE kb = ${kb} AND doc = ${doc}`,
  );
  await forgetTerms(sql, kb, gone);
}

interface ChunkTermsRow {
  readonly key: number;
  readonly terms: string;
}

function deleteChunks(sql: Sql, kb: number, doc: number) {
  const chunks = sql<ChunkTermsRow[]>`
    DELETE FROM knowledge.chunks WHERE kb = ${kb} AND doc = ${doc} RETURNING key, terms`;
  const vectors = sql`DELETE FROM knowledge.vectors WHERE kb = ${kb} AND doc = ${doc}`;
  return [chunks, vectors] as const;
}

async function forgetTerms(sql: Sql, kb: number, rows: readonly ChunkTermsRow[]): Promise<void> {
  const chunks = rows.map(({ key, terms }) => ({ key, terms: splitTerms(terms) }));
  await writeSegment(sql, kb, { kind: "remove", chunks });
}

/** Skipped while another writer is about to note its own change, so that writers do not wait for each other. */
function noteChange(sql: Sql, kb: number) {
  return sql`UPDATE knowledge.bases SET documents_changed_at = clock_timestamp() WHERE kb =
    (SELECT kb FROM knowledge.bases WHERE kb = ${kb} FOR UPDATE SKIP LOCKED)`;
}
