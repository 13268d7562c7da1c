import type { Block, ExtractedDocument, StoredDocument } from "../../../domain/document.ts";
import { unpackEncoding } from "../../core/refinement.ts";
import type {
  DocumentPage,
  IndexedChunk,
  NewDocument,
  StoredChunk,
  StoreTotals,
} from "../../store.ts";
import type { Sql } from "../connection.ts";
import { readEncodings } from "../refinement/encodings.ts";
import {
  type ChunkRow,
  chunkColumns,
  type DocumentRow,
  documentColumns,
  readDetail,
  type SourcedChunkRow,
  sourcedChunkColumns,
  toChunk,
  toDocument,
} from "../rows.ts";
import { splitTerms } from "../words/postings.ts";
import type { Fragment } from "./filter.ts";

export async function findDocument(
  sql: Sql,
  kb: number,
  where: Fragment,
): Promise<StoredDocument | undefined> {
  const [row] = await sql<DocumentRow[]>`
    SELECT ${documentColumns(sql)} FROM knowledge.documents d
    WHERE d.kb = ${kb} AND ${where} ORDER BY d.doc LIMIT 1`;
  return row && toDocument(row);
}

export async function listDocuments(
  sql: Sql,
  kb: number,
  page: DocumentPage,
): Promise<{ documents: readonly StoredDocument[]; total: number }> {
  const needle = page.match?.toLowerCase() ?? "";
  const where = sql`d.kb = ${kb} ${needle === "" ? sql`` : sql`AND strpos(d.match_text, ${needle}) > 0`}`;
  const [rows, [count]] = await Promise.all([
    sql<DocumentRow[]>`SELECT ${documentColumns(sql)} FROM knowledge.documents d WHERE ${where}
      ORDER BY ${sortOrder(sql, page)} LIMIT ${page.limit} OFFSET ${page.offset}`,
    sql<{ total: number }[]>`SELECT count(*) AS total FROM knowledge.documents d WHERE ${where}`,
  ]);
  return { documents: rows.map(toDocument), total: count?.total ?? 0 };
}

function sortOrder(sql: Sql, { sortBy, sortOrder: order }: DocumentPage): Fragment {
  const direction = order === "asc" ? sql`ASC` : sql`DESC`;
  switch (sortBy) {
    case "date_added":
      return sql`d.date_added ${direction}, d.doc ${direction}`;
    case "filename":
      return sql`d.sort_name ${direction}, d.doc ${direction}`;
    case "size":
      return sql`d.size_bytes ${direction}, d.doc ${direction}`;
  }
}

export async function readExtracted(
  sql: Sql,
  kb: number,
  id: string,
): Promise<ExtractedDocument | undefined> {
  const [row] = await sql<(DocumentRow & { body: string; blocks: Block[] })[]>`
    SELECT ${documentColumns(sql)}, d.body, d.blocks FROM knowledge.documents d
    WHERE d.kb = ${kb} AND d.id = ${id}`;
  if (!row) return undefined;
  const { format, method, title, pages, warnings } = toDocument(row);
  return {
    format,
    method,
    ...(title === undefined ? {} : { title }),
    text: row.body,
    blocks: row.blocks,
    pages,
    warnings,
  };
}

/** The document with all its derived data, for copying to another store. */
export async function readWhole(
  sql: Sql,
  kb: number,
  id: string,
): Promise<{ document: NewDocument; chunks: readonly IndexedChunk[] } | undefined> {
  const [row] = await sql<(DocumentRow & { fingerprint: string })[]>`
    SELECT ${documentColumns(sql)}, d.fingerprint FROM knowledge.documents d
    WHERE d.kb = ${kb} AND d.id = ${id}`;
  const extracted = row && (await readExtracted(sql, kb, id));
  if (!extracted) return undefined;
  const {
    chunkCount: _,
    method: _method,
    pages: _pages,
    warnings: _warnings,
    ...stored
  } = toDocument(row);
  const rows = await sql<(ChunkRow & { terms: string; embedding: string | null })[]>`
    SELECT ${chunkColumns(sql)}, c.terms, v.embedding::text AS embedding
    FROM knowledge.chunks c LEFT JOIN knowledge.vectors v ON v.kb = c.kb AND v.key = c.key
    WHERE c.kb = ${kb} AND c.doc = ${row.doc} ORDER BY c.ordinal`;
  const encoded = await readEncodings(sql, kb, row);
  const chunks = rows.map(({ ordinal, start, end, text, detail, terms, embedding }) => ({
    ordinal,
    start,
    end,
    text,
    ...readDetail(detail),
    terms: splitTerms(terms),
    ...(embedding === null ? {} : { vector: Float32Array.from(JSON.parse(embedding) as number[]) }),
    ...encodingOf(encoded?.made[ordinal]),
  }));
  const encoders = encoded ? { encoders: encoded.encoders } : {};
  return { document: { ...stored, extracted, fingerprint: row.fingerprint, ...encoders }, chunks };
}

function encodingOf(byte: number | undefined): Pick<IndexedChunk, "encoding"> {
  const encoding = unpackEncoding(byte);
  return encoding ? { encoding } : {};
}

export async function readTotals(sql: Sql, kb: number): Promise<StoreTotals> {
  const [row] = await sql<
    { documents: number; chunks: number; size_bytes: number; changed: Date | null }[]
  >`
    SELECT count(*) AS documents, coalesce(sum(chunk_count), 0)::bigint AS chunks,
      coalesce(sum(size_bytes), 0)::bigint AS size_bytes,
      (SELECT documents_changed_at FROM knowledge.bases WHERE kb = ${kb}) AS changed
    FROM knowledge.documents WHERE kb = ${kb}`;
  return {
    documents: row?.documents ?? 0,
    chunks: row?.chunks ?? 0,
    sizeBytes: row?.size_bytes ?? 0,
    ...(row?.changed ? { lastUpdated: row.changed.toISOString() } : {}),
  };
}

export async function readChunks(
  sql: Sql,
  kb: number,
  keys: readonly number[],
): Promise<readonly StoredChunk[]> {
  if (keys.length === 0) return [];
  const rows = await sql<SourcedChunkRow[]>`
    SELECT ${sourcedChunkColumns(sql)} FROM knowledge.chunks c
    JOIN knowledge.documents d ON d.kb = c.kb AND d.doc = c.doc
    WHERE c.kb = ${kb} AND c.key = ANY(${keys as number[]}::bigint[])`;
  const byKey = new Map(rows.map((row) => [row.key, row]));
  return keys.flatMap((key) => {
    const row = byKey.get(key);
    return row ? [toChunk(row)] : [];
  });
}

export async function readChunksOf(
  sql: Sql,
  kb: number,
  id: string,
): Promise<readonly StoredChunk[]> {
  const rows = await sql<SourcedChunkRow[]>`
    SELECT ${sourcedChunkColumns(sql)} FROM knowledge.documents d
    JOIN knowledge.chunks c ON c.kb = d.kb AND c.doc = d.doc
    WHERE d.kb = ${kb} AND d.id = ${id} ORDER BY c.ordinal`;
  return rows.map(toChunk);
}

export async function readStale(
  sql: Sql,
  kb: number,
  { fingerprint, limit }: { readonly fingerprint: string; readonly limit: number },
): Promise<{ ids: readonly string[]; total: number }> {
  const where = sql`kb = ${kb} AND (fingerprint <> ${fingerprint} OR (vector_count < chunk_count
    AND NOT EXISTS (SELECT 1 FROM knowledge.encodings e WHERE e.kb = d.kb AND e.doc = d.doc)))`;
  const [rows, [count]] = await Promise.all([
    sql<{ id: string }[]>`
      SELECT id FROM knowledge.documents d WHERE ${where} ORDER BY doc LIMIT ${limit}`,
    sql<{ total: number }[]>`SELECT count(*) AS total FROM knowledge.documents d WHERE ${where}`,
  ]);
  return { ids: rows.map((row) => row.id), total: count?.total ?? 0 };
}

export async function knownKeys(
  sql: Sql,
  kb: number,
  keys: readonly string[],
): Promise<readonly string[]> {
  const rows = await sql<{ key: string }[]>`
    SELECT key FROM unnest(${keys as string[]}::text[]) AS key WHERE EXISTS (
      SELECT 1 FROM knowledge.documents WHERE kb = ${kb} AND jsonb_exists(metadata, key))`;
  return rows.map((row) => row.key);
}
