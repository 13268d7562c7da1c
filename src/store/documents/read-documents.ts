// How documents and their chunks are read.
import type { ExtractedDocument, StoredDocument } from "../../domain/document.ts";
import type { SearchFilter } from "../../domain/passage.ts";
import { unpackEncodings } from "../core/encodings.ts";
import { unpackText } from "../core/packed-text.ts";
import {
  type ChunkRow,
  type DocumentRow,
  type FoundCells,
  toChunk,
  toDocument,
} from "../core/rows.ts";
import type {
  DocumentPage,
  IndexedChunk,
  NewDocument,
  SortField,
  StoreTotals,
} from "../ports/documents.ts";
import { type Connection, NOTHING, oneOf, type Sql, sql } from "../sql.ts";
import type { Vectors } from "../vectors.ts";
import { splitTerms } from "../words/chunk-terms.ts";
import { conditions, ofModel, toIndexed, visible } from "./filter.ts";

export const DOCUMENT_COLUMNS = sql`d.doc, d.id, d.scope, d.filename, d.source_path, d.content_hash, d.format,
  d.size_bytes, d.title, d.date_added, d.method, d.pages, d.warnings, d.metadata, d.chunk_count`;
const CHUNK_COLUMNS = sql`c.key, c.doc, c.ordinal, c.start, c."end", c.text, c.detail`;
const SOURCE_COLUMNS = sql`d.id, d.filename, d.format, d.title, d.date_added, d.metadata, d.scope, d.source_path`;

async function findRow(db: Connection, where: Sql): Promise<DocumentRow | undefined> {
  return db.one<DocumentRow>(sql`SELECT ${DOCUMENT_COLUMNS} FROM documents d
    WHERE d.kb = ${db.kb} AND ${where} ${visible(db)} ORDER BY d.doc LIMIT 1`);
}

export async function find(db: Connection, where: Sql): Promise<StoredDocument | undefined> {
  const row = await findRow(db, where);
  return row && toDocument(row);
}

/** In the scope, if one is given. */
export function within(scope: string | undefined): Sql {
  return scope === undefined ? NOTHING : sql`AND d.scope = ${scope}`;
}

export async function knownKeys(db: Connection, keys: readonly string[]) {
  const found = await db.together(
    keys.map(
      (key) => sql`SELECT 1 FROM facets f ${db.sight ? JOINED : NOTHING}
        WHERE f.kb = ${db.kb} AND f.key = ${toIndexed(key)} ${visible(db)} LIMIT 1`,
    ),
  );
  return keys.filter((_, at) => found[at]?.length === 1);
}

const JOINED = sql`JOIN documents d ON d.kb = f.kb AND d.doc = f.doc`;

const SORT_COLUMNS: Record<SortField, Sql> = {
  date_added: sql`d.date_added`,
  filename: sql`d.sort_name`,
  size: sql`d.size_bytes`,
};

export async function listDocuments(
  db: Connection,
  page: DocumentPage,
): Promise<{ documents: readonly StoredDocument[]; total: number }> {
  const direction = page.sortOrder === "asc" ? sql`ASC` : sql`DESC`;
  const needle = page.match?.toLowerCase() ?? "";
  // The engines' functions that find text have different names.
  const named =
    needle === "" ? NOTHING : sql`AND replace(d.match_text, ${needle}, '') <> d.match_text`;
  const matching = sql`${named} ${conditions(db, page) ?? NOTHING}`;
  const [rows = [], counted = []] = await db.together([
    sql`SELECT ${DOCUMENT_COLUMNS} FROM documents d WHERE d.kb = ${db.kb} ${matching}
      ORDER BY ${SORT_COLUMNS[page.sortBy]} ${direction}, d.doc ${direction}
      LIMIT ${page.limit} OFFSET ${page.offset}`,
    sql`SELECT count(*) AS documents FROM documents d WHERE d.kb = ${db.kb} ${matching}`,
  ]);
  const [total] = counted as { documents: number }[];
  return { documents: (rows as DocumentRow[]).map(toDocument), total: total?.documents ?? 0 };
}

interface TotalsRow {
  readonly documents: number;
  readonly chunks: number;
  readonly size_bytes: number;
  readonly last_updated: string | null;
}

/** Of all documents, or of those that the caller sees. */
export async function readTotals(db: Connection): Promise<StoreTotals> {
  const changed = sql`(SELECT documents_changed_at FROM bases WHERE kb = ${db.kb})`;
  const row = await db.one<TotalsRow>(sql`SELECT count(*) AS documents,
      CAST(coalesce(sum(chunk_count), 0) AS bigint) AS chunks,
      CAST(coalesce(sum(size_bytes), 0) AS bigint) AS size_bytes,
      ${db.sight ? sql`max(date_added)` : changed} AS last_updated
    FROM documents d WHERE d.kb = ${db.kb} ${visible(db)}`);
  return {
    documents: row?.documents ?? 0,
    chunks: row?.chunks ?? 0,
    sizeBytes: row?.size_bytes ?? 0,
    ...(row?.last_updated ? { lastUpdated: row.last_updated } : {}),
  };
}

interface WholeRow extends DocumentRow {
  readonly fingerprint: string;
  readonly body: Uint8Array;
}

function findWhole(db: Connection, id: string): Promise<WholeRow | undefined> {
  return db.one<WholeRow>(sql`SELECT ${DOCUMENT_COLUMNS}, d.fingerprint, t.body FROM documents d
    JOIN texts t ON t.kb = d.kb AND t.doc = d.doc WHERE d.kb = ${db.kb} AND d.id = ${id} ${visible(db)}`);
}

/** The whole Markdown text with its blocks. */
export async function readExtracted(db: Connection, id: string) {
  const row = await findWhole(db, id);
  return row && toExtracted(row);
}

function toExtracted(row: WholeRow): ExtractedDocument {
  const { format, method, title, pages, warnings } = toDocument(row);
  const named = title === undefined ? {} : { title };
  return { format, method, ...named, ...unpackText(row.body), pages, warnings };
}

// More documents with hidden text than that are not looked through.
const MAX_WITH_HIDDEN = 200;

/** The newest documents with hidden text: a warning says that they have some. */
export async function listWithHidden(db: Connection, filter?: SearchFilter) {
  const allowed = conditions(db, filter) ?? NOTHING;
  const rows = await db.all<WholeRow>(sql`SELECT ${DOCUMENT_COLUMNS}, d.fingerprint, t.body
    FROM documents d JOIN texts t ON t.kb = d.kb AND t.doc = d.doc
    WHERE d.kb = ${db.kb} AND d.warnings LIKE ${'%"code":"hidden%'} ${allowed}
    ORDER BY d.doc DESC LIMIT ${MAX_WITH_HIDDEN}`);
  return rows.map((row) => {
    const { id, filename } = toDocument(row);
    return { id, filename, hidden: unpackText(row.body).hidden ?? [] };
  });
}

export async function listShownMost(db: Connection, filter: SearchFilter, limit: number) {
  const rows = await db.all<DocumentRow & { readonly shown: number }>(
    sql`SELECT ${DOCUMENT_COLUMNS}, d.shown FROM documents d WHERE d.kb = ${db.kb} AND d.shown > 0
      ${conditions(db, filter) ?? NOTHING} ORDER BY d.shown DESC, d.doc LIMIT ${limit}`,
  );
  return rows.map((row) => ({ document: toDocument(row), shown: Number(row.shown) }));
}

type IndexedRow = ChunkRow & { readonly terms: string };

/** A document with all its derived data, for copying to another store. */
export async function readWhole(
  db: Connection,
  vectors: Vectors,
  id: string,
): Promise<{ document: NewDocument; chunks: readonly IndexedChunk[] } | undefined> {
  const row = await findWhole(db, id);
  if (!row) return undefined;
  const [rows = [], encodings = []] = await db.together([
    sql`SELECT ${CHUNK_COLUMNS}, c.terms FROM chunks c
      WHERE c.kb = ${db.kb} AND c.doc = ${row.doc} ORDER BY c.ordinal`,
    sql`SELECT made FROM encodings WHERE kb = ${db.kb} AND doc = ${row.doc}`,
  ]);
  const [encoded] = encodings as { made: Uint8Array }[];
  const made = encoded ? unpackEncodings(encoded.made) : [];
  const vectorOf = await vectors.read(db, row.doc);
  const document = toDocument(row);
  const chunks = (rows as IndexedRow[]).map((chunk) => {
    const { key, id: _id, document: _document, ...plain } = toChunk(chunk, document);
    const vector = vectorOf.get(key);
    const encoding = made[chunk.ordinal];
    return {
      ...plain,
      terms: splitTerms(chunk.terms),
      ...(vector ? { vector } : {}),
      ...(encoding ? { encoding } : {}),
    };
  });
  const {
    chunkCount: _,
    method: _method,
    pages: _pages,
    warnings: _warnings,
    ...stored
  } = document;
  const { fingerprint } = row;
  return { document: { ...stored, extracted: toExtracted(row), fingerprint }, chunks };
}

const CHUNKS = sql`SELECT ${CHUNK_COLUMNS}, ${SOURCE_COLUMNS} FROM chunks c
  JOIN documents d ON d.kb = c.kb AND d.doc = c.doc`;

/** In the order of `keys`; removed keys are left out. */
export async function readChunks(db: Connection, keys: readonly number[]) {
  if (keys.length === 0) return [];
  const rows = await db.cells<FoundCells>(
    sql`${CHUNKS} WHERE c.kb = ${db.kb} AND c.key ${oneOf("bigint", keys)} ${visible(db)}`,
  );
  const found = new Map(rows.map((cells) => [cells[0], cells]));
  return keys.flatMap((key) => {
    const cells = found.get(key);
    return cells ? [cells] : [];
  });
}

export async function readChunksOf(db: Connection, id: string): Promise<readonly FoundCells[]> {
  return db.cells(sql`${CHUNKS} WHERE d.kb = ${db.kb} AND d.id = ${id} ${visible(db)}
    ORDER BY c.ordinal`);
}

/** Whether any document has vectors of this model. */
export async function hasVectorsOf(db: Connection, model: string): Promise<boolean> {
  const found = await db.one(sql`SELECT 1 AS found FROM documents d WHERE d.kb = ${db.kb}
    AND ${ofModel(model)} LIMIT 1`);
  return found !== undefined;
}

/** Documents to reindex: their fingerprint differs, or they lack vectors and are not being refined. */
export async function readStale(
  db: Connection,
  fingerprint: string,
  limit: number,
): Promise<{ ids: readonly string[]; total: number }> {
  const where = sql`d.kb = ${db.kb} ${visible(db)} AND (d.fingerprint <> ${fingerprint}
    OR (d.vector_count < d.chunk_count AND NOT EXISTS (
      SELECT 1 FROM encodings e WHERE e.kb = ${db.kb} AND e.doc = d.doc)))`;
  const [rows = [], counted = []] = await db.together([
    sql`SELECT d.id FROM documents d WHERE ${where} ORDER BY d.doc LIMIT ${limit}`,
    sql`SELECT count(*) AS total FROM documents d WHERE ${where}`,
  ]);
  const [count] = counted as { total: number }[];
  return { ids: (rows as { id: string }[]).map((row) => row.id), total: count?.total ?? 0 };
}
