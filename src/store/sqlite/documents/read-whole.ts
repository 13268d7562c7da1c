// A document with all its derived data, for copying to another store.

import { unpackEncoding } from "../../core/refinement.ts";
import type { IndexedChunk, NewDocument } from "../../store.ts";
import type { Database } from "../database.ts";
import { readEncodings, readRefined } from "../refinement/encodings.ts";
import {
  CHUNK_COLUMNS,
  type ChunkRow,
  DOCUMENT_COLUMNS,
  type DocumentRow,
  toChunk,
  toDocument,
  unpackText,
} from "../rows.ts";
import { restore } from "../vectors/quantise.ts";
import { decodeIds } from "../words/postings.ts";

type WholeRow = DocumentRow & { readonly fingerprint: string };

export function readWhole(
  database: Database,
  id: string,
): { document: NewDocument; chunks: readonly IndexedChunk[] } | undefined {
  const row = database.get<WholeRow>(
    `SELECT ${DOCUMENT_COLUMNS}, fingerprint FROM documents WHERE id = ?`,
    id,
  );
  const text =
    row && database.get<{ body: Uint8Array }>("SELECT body FROM texts WHERE doc = ?", row.doc);
  if (!row || !text) return undefined;
  const { chunkCount: _, method, pages, warnings, ...stored } = toDocument(row);
  const { format, title } = stored;
  const extracted = {
    format,
    method,
    ...(title === undefined ? {} : { title }),
    ...unpackText(text.body),
    pages,
    warnings,
  };
  const encoded = readEncodings(database, row.doc, row.first_key);
  const encoders = encoded ? { encoders: encoded.encoders } : {};
  const document = { ...stored, extracted, fingerprint: row.fingerprint, ...encoders };
  return { document, chunks: readIndexed(database, row, encoded?.made) };
}

function readIndexed(
  database: Database,
  row: DocumentRow,
  made: Uint8Array | undefined,
): readonly IndexedChunk[] {
  const rows = database.all<ChunkRow & { terms: Uint8Array }>(
    `SELECT ${CHUNK_COLUMNS}, terms FROM chunks WHERE key BETWEEN ? AND ? ORDER BY key`,
    row.first_key,
    row.first_key + row.chunk_count - 1,
  );
  const segment = database.get<{ dimensions: number; vectors: Uint8Array | null }>(
    "SELECT dimensions, vectors FROM segments WHERE first_key = ?",
    row.first_key,
  );
  const vectors = segment?.vectors ? restore(segment.vectors, segment.dimensions) : [];
  if (made) applyRefined(database, row, vectors);
  const names = new Map<number, string>();
  const nameOf = (term: number) => {
    const known = names.get(term);
    if (known !== undefined) return known;
    const found = database.get<{ term: string }>("SELECT term FROM terms WHERE id = ?", term);
    const name = found?.term ?? "";
    names.set(term, name);
    return name;
  };
  const document = toDocument(row);
  return rows.map((chunk, at) => {
    const { key: _key, id: _id, document: _document, ...plain } = toChunk(chunk, document);
    const vector = vectors[at];
    const terms = decodeIds(chunk.terms).map(nameOf);
    const encoding = unpackEncoding(made?.[at]);
    return { ...plain, terms, ...(vector ? { vector } : {}), ...(encoding ? { encoding } : {}) };
  });
}

function applyRefined(
  database: Database,
  { doc, first_key: firstKey }: DocumentRow,
  vectors: (Float32Array | undefined)[],
): void {
  for (const { key, vector } of readRefined(database, doc))
    vectors[key - firstKey] = restore(vector, vector.length - 4)[0];
}
