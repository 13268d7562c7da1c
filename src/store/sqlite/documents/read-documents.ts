import type { ExtractedDocument } from "../../../domain/document.ts";
import type { DocumentPage, SortField, StoredChunk, StoreTotals } from "../../store.ts";
import type { Database } from "../database.ts";
import { openHasEncodings } from "../refinement/encodings.ts";
import {
  CHUNK_COLUMNS,
  type ChunkRow,
  DOCUMENT_COLUMNS,
  type DocumentRow,
  type FoundCells,
  SOURCE_COLUMNS,
  toChunk,
  toDocument,
  toSource,
  unpackText,
} from "../rows.ts";
import { readTotals } from "./totals.ts";

const SORT_COLUMNS: Record<SortField, string> = {
  date_added: "date_added",
  filename: "sort_name",
  size: "size_bytes",
};

export function openDocumentReader(database: Database) {
  const hasEncodings = openHasEncodings(database);
  const one = (where: string, value: string) => {
    const found = database.read(() => findRow(database, where, value));
    return found && toDocument(found);
  };
  return {
    get: (id: string) => one("id = ?", id),
    findByHash: (hash: string) => one("content_hash = ? ORDER BY doc LIMIT 1", hash),
    knownKeys: (keys: readonly string[]): readonly string[] =>
      database.read(() =>
        keys.filter((key) => database.get("SELECT 1 FROM facets WHERE key = ? LIMIT 1", key)),
      ),
    findByPath: (path: string) => one("source_path = ?", path),
    totals: (): StoreTotals => database.read(() => readTotals(database)),
    list: (page: DocumentPage) => database.read(() => listDocuments(database, page)),
    extracted: (id: string) => database.read(() => readExtracted(database, id)),
    chunks: (keys: readonly number[]) => database.read(() => readChunks(database, keys)),
    chunksOf: (id: string) => database.read(() => readChunksOf(database, id)),
    stale: (fingerprint: string, limit: number) =>
      database.read(() => {
        const isBare = hasEncodings() ? `${LACKS_VECTORS} AND ${NOT_REFINED}` : LACKS_VECTORS;
        return readStale(database, `fingerprint <> ? OR ${isBare}`, { fingerprint, limit });
      }),
  };
}

const LACKS_VECTORS = "vector_count < chunk_count";
const NOT_REFINED = "NOT EXISTS (SELECT 1 FROM encodings e WHERE e.doc = documents.doc)";

function findRow(database: Database, where: string, value: string): DocumentRow | undefined {
  const sql = `SELECT ${DOCUMENT_COLUMNS} FROM documents WHERE ${where}`;
  return database.get<DocumentRow>(sql, value);
}

function readExtracted(database: Database, id: string): ExtractedDocument | undefined {
  const found = findRow(database, "id = ?", id);
  const stored =
    found && database.get<{ body: Uint8Array }>("SELECT body FROM texts WHERE doc = ?", found.doc);
  if (!found || !stored) return undefined;
  const { format, method, title, pages, warnings } = toDocument(found);
  const named = title === undefined ? {} : { title };
  return { format, method, ...named, ...unpackText(stored.body), pages, warnings };
}

export function readChunks(database: Database, keys: readonly number[]): readonly FoundCells[] {
  const rows = database
    .rows(
      `SELECT ${CHUNK_COLUMNS}, ${SOURCE_COLUMNS} FROM chunks JOIN documents USING (doc)
       WHERE key IN (SELECT value FROM json_each(?))`,
    )
    .all(JSON.stringify(keys)) as unknown as FoundCells[];
  const found = new Map(rows.map((cells) => [cells[0], cells]));
  return keys.flatMap((key) => {
    const cells = found.get(key);
    return cells ? [cells] : [];
  });
}

function readChunksOf(database: Database, id: string): readonly StoredChunk[] {
  const found = findRow(database, "id = ?", id);
  if (!found) return [];
  const source = toSource(found);
  const rows = database.all<ChunkRow>(
    `SELECT ${CHUNK_COLUMNS} FROM chunks WHERE key BETWEEN ? AND ? ORDER BY key`,
    found.first_key,
    found.first_key + found.chunk_count - 1,
  );
  return rows.map((chunk) => toChunk(chunk, source));
}

function readStale(
  database: Database,
  where: string,
  { fingerprint, limit }: { readonly fingerprint: string; readonly limit: number },
) {
  const rows = database.all<{ id: string }>(
    `SELECT id FROM documents WHERE ${where} ORDER BY doc LIMIT ?`,
    fingerprint,
    limit,
  );
  const total = database.get<{ total: number }>(
    `SELECT count(*) AS total FROM documents WHERE ${where}`,
    fingerprint,
  );
  return { ids: rows.map(({ id }) => id), total: Number(total?.total) };
}

function listDocuments(database: Database, page: DocumentPage) {
  const order = page.sortOrder === "asc" ? "ASC" : "DESC";
  const needle = page.match?.toLowerCase() ?? "";
  const where = needle === "" ? "" : "WHERE instr(match_text, ?) > 0";
  const values = needle === "" ? [] : [needle];
  const documents = database
    .all<DocumentRow>(
      `SELECT ${DOCUMENT_COLUMNS} FROM documents ${where}
       ORDER BY ${SORT_COLUMNS[page.sortBy]} ${order}, doc ${order} LIMIT ? OFFSET ?`,
      ...values,
      page.limit,
      page.offset,
    )
    .map(toDocument);
  const total =
    needle === ""
      ? readTotals(database).documents
      : Number(
          database.get<{ total: number }>(
            `SELECT count(*) AS total FROM documents ${where}`,
            ...values,
          )?.total,
        );
  return { documents, total };
}
