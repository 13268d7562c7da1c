// Stores and removes documents, each in one transaction. Chunks are immutable: a new version has new keys.

import { GENERAL_SCOPE } from "../../domain/call/grants.ts";
import { isSeen } from "../../domain/call/sight.ts";
import { defined } from "../../domain/defined.ts";
import type { Metadata } from "../../domain/document.ts";
import { matchText } from "../../domain/internal-metadata.ts";
import { mergeMetadata } from "../../domain/metadata.ts";
import { resultOf, type TaskResult } from "../../domain/task.ts";
import { countWaiting, packEncodings } from "../core/encodings.ts";
import { type PackedChunks, unpackRows } from "../core/packed-chunks.ts";
import { packText, unpackText } from "../core/packed-text.ts";
import { type DocumentRow, toDocument } from "../core/rows.ts";
import type {
  Adopted,
  AdoptOutcome,
  FinishedTask,
  NewDocument,
  PutOutcome,
  ReindexOutcome,
} from "../ports/documents.ts";
import type { Encoding } from "../refinements.ts";
import { type Connection, json, NOTHING, sql } from "../sql.ts";
import { completion, holdTask } from "../tasks.ts";
import type { Vectors } from "../vectors.ts";
import { joinTerms } from "../words/chunk-terms.ts";
import { addWords, clearWords, removeWords } from "../words/segments.ts";
import { toFacet, toIndexed } from "./filter.ts";
import { DOCUMENT_COLUMNS, readTotals } from "./read-documents.ts";
import { type Released, type RemoveOriginals, releaseOriginals } from "./unreferenced.ts";

/** What an engine does in its own way. */
export interface DocumentParts {
  readonly vectors: Vectors;
  readonly removeOriginals: RemoveOriginals;
}

export interface Put {
  readonly document: NewDocument;
  readonly chunks: PackedChunks;
  readonly finishes: FinishedTask | undefined;
}

/** Outcomes come with the orphans: the content hashes that nothing refers to any more. */
const outcomeOf = <Outcome extends PutOutcome | AdoptOutcome>(
  outcome: Outcome,
  orphans: readonly string[] = [],
) => ({ outcome, orphans });

export async function putDocument(
  db: Connection,
  parts: DocumentParts,
  { document, chunks, finishes }: Put,
) {
  const { contentHash, extracted, scope = GENERAL_SCOPE } = document;
  const found = await lockForStoring(db, { ...document, scope }, finishes);
  if (!found) return outcomeOf("lease-lost");
  if (finishes && found.hasTwin) return outcomeOf("duplicate");
  for (const row of found.same) await dropDocument(db, parts, row);
  await insertDocument(db, parts, { document, chunks });
  const made = { chunksCreated: chunks.count, alreadyPresent: false };
  const result = resultOf({ ...document, warnings: extracted.warnings }, made);
  await complete(db, finishes, result);
  const left = found.same.map((row) => row.content_hash).filter((hash) => hash !== contentHash);
  return outcomeOf("stored", await releaseOriginals(db, parts.removeOriginals, { hashes: left }));
}

interface Adoption {
  readonly id: string;
  readonly again: Adopted;
  readonly finishes: FinishedTask | undefined;
}

export async function adoptDocument(
  db: Connection,
  parts: DocumentParts,
  { id, again, finishes }: Adoption,
) {
  const { sourcePath } = again;
  const own = await db.one<{ scope: string }>(
    sql`SELECT scope FROM documents WHERE kb = ${db.kb} AND id = ${id}`,
  );
  const names = { id, ...defined({ sourcePath }), scope: own?.scope ?? GENERAL_SCOPE };
  const found = await lockForStoring(db, names, finishes);
  if (!found) return outcomeOf("lease-lost");
  const kept = found.same.find((row) => row.id === id);
  if (!kept) return outcomeOf("not-found");
  const replaced = found.same.filter((row) => row !== kept);
  for (const row of replaced) await dropDocument(db, parts, row);
  const stored = toDocument(kept);
  const merged = mergeMetadata(stored.metadata, again.metadata);
  const title = again.title ?? kept.title;
  const adds = Object.keys(again.metadata).length > 0;
  const made = { chunksCreated: kept.chunk_count, alreadyPresent: true };
  await Promise.all([
    db.together([
      sql`UPDATE documents SET source_path = ${sourcePath ?? kept.source_path}, title = ${title},
        match_text = ${matchText(kept.filename, title, merged)},
        metadata = ${adds ? json(merged) : kept.metadata} WHERE kb = ${db.kb} AND doc = ${kept.doc}`,
      db.dialect.noteChange(db.kb),
    ]),
    adds ? insertFacets(db, kept.doc, merged) : undefined,
    complete(db, finishes, resultOf(stored, made)),
  ]);
  const hashes = replaced.map((row) => row.content_hash);
  return outcomeOf("adopted", await releaseOriginals(db, parts.removeOriginals, { hashes }));
}

export async function removeDocument(
  db: Connection,
  parts: DocumentParts,
  { id, why }: { readonly id: string } & Pick<Released, "why">,
) {
  const row = await lockDocument(db, id);
  if (!row || !isSeen(row.scope, db.sight)) return undefined;
  await dropDocument(db, parts, row);
  const { filename, content_hash: hash } = row;
  const orphans = await releaseOriginals(db, parts.removeOriginals, {
    hashes: [hash],
    why,
    filename,
  });
  return { document: toDocument(row), orphans };
}

const CLEARED = ["facets", "texts", "encodings", "chunks", "documents"];

export async function clearDocuments(db: Connection, { vectors, removeOriginals }: DocumentParts) {
  // Each statement sees what was committed before it. Without this lock, a document stored between two of them would
  // lose its chunks.
  await db.together([db.dialect.unlimited, db.dialect.locks.writeAlone(db.kb)]);
  const totals = await readTotals(db);
  const rows = await db.all<{ hash: string }>(
    sql`SELECT DISTINCT content_hash AS hash FROM documents WHERE kb = ${db.kb}`,
  );
  await vectors.clear(db);
  await clearWords(db);
  await db.together([
    ...CLEARED.map((table) => db.dialect.empty(table, db.kb)),
    db.dialect.noteChange(db.kb),
  ]);
  const orphans = await releaseOriginals(db, removeOriginals, {
    hashes: rows.map((row) => row.hash),
  });
  return { totals, orphans };
}

interface Reindexing {
  readonly id: string;
  readonly index: Pick<NewDocument, "fingerprint">;
  readonly chunks: PackedChunks;
}

export async function reindexDocument(
  db: Connection,
  parts: DocumentParts,
  { id, index, chunks }: Reindexing,
): Promise<ReindexOutcome> {
  const row = await lockDocument(db, id);
  if (!row) return "not-found";
  const { doc } = row;
  const body = await db.one<{ body: Uint8Array }>(
    sql`SELECT body FROM texts WHERE kb = ${db.kb} AND doc = ${doc}`,
  );
  await dropChunks(db, parts, doc);
  await db.run(sql`DELETE FROM encodings WHERE kb = ${db.kb} AND doc = ${doc}`);
  const { text } = unpackText((body as { body: Uint8Array }).body);
  const { fingerprint } = index;
  const { count } = chunks;
  await insertChunks(db, parts, { doc, text, chunks });
  await db.together([
    sql`UPDATE documents SET fingerprint = ${fingerprint}, chunk_count = ${count},
      vector_count = ${countVectors(chunks)} WHERE kb = ${db.kb} AND doc = ${doc}`,
    db.dialect.noteChange(db.kb),
  ]);
  return "reindexed";
}

export async function lockDocument(db: Connection, id: string): Promise<DocumentRow | undefined> {
  const [, rows = []] = await db.together([
    db.dialect.locks.shareWriting(db.kb),
    sql`SELECT ${DOCUMENT_COLUMNS} FROM documents d
      WHERE d.kb = ${db.kb} AND d.id = ${id} ${db.dialect.locked}`,
  ]);
  return rows[0] as DocumentRow | undefined;
}

async function complete(db: Connection, finishes: FinishedTask | undefined, result: TaskResult) {
  if (finishes && !finishes.isPart) await db.run(completion(db, finishes, result));
}

interface Names extends Pick<NewDocument, "id" | "sourcePath"> {
  readonly contentHash?: string;
  readonly scope: string;
}

/** The document itself and another one from the same path, locked; undefined if the task is no longer held. */
async function lockForStoring(
  db: Connection,
  { id, sourcePath, contentHash, scope }: Names,
  finishes: FinishedTask | undefined,
) {
  const path = sourcePath === undefined ? [] : [`path ${sourcePath}`];
  const content = contentHash === undefined ? [] : [`content ${contentHash}`];
  const isHere =
    sourcePath === undefined
      ? NOTHING
      : sql`OR (${db.dialect.isAtPath(sourcePath)} AND d.scope = ${scope})`;
  const [, held = [], , same = [], twins = []] = await db.together([
    db.dialect.locks.shareWriting(db.kb),
    // Held until the commit, so that nobody can claim or cancel the task in between.
    finishes ? holdTask(db, finishes) : sql`SELECT 1`,
    db.dialect.locks.names(db.kb, [id, ...path, ...content]),
    sql`SELECT ${DOCUMENT_COLUMNS} FROM documents d
      WHERE d.kb = ${db.kb} AND (d.id = ${id} ${isHere}) ORDER BY d.doc ${db.dialect.locked}`,
    sql`SELECT 1 FROM documents
      WHERE kb = ${db.kb} AND content_hash = ${contentHash ?? ""} AND scope = ${scope}
        AND id <> ${id} LIMIT 1`,
  ]);
  if (held.length === 0) return undefined;
  return { same: same as readonly DocumentRow[], hasTwin: twins.length > 0 };
}

async function insertDocument(
  db: Connection,
  parts: DocumentParts,
  { document, chunks }: Pick<Put, "document" | "chunks">,
): Promise<void> {
  const { extracted, filename, metadata, sizeBytes, title = extracted.title } = document;
  const row = await db.one<{ doc: number }>(sql`
    INSERT INTO documents (kb, id, scope, filename, sort_name, match_text, source_path, content_hash, format,
      size_bytes, title, date_added, method, pages, warnings, metadata, fingerprint, chunk_count,
      vector_count)
    VALUES (${db.kb}, ${document.id}, ${document.scope ?? GENERAL_SCOPE}, ${filename}, ${filename.toLowerCase()},
      ${matchText(filename, title ?? null, metadata)}, ${document.sourcePath ?? null},
      ${document.contentHash}, ${document.format}, ${sizeBytes}, ${title ?? null},
      ${document.dateAdded ?? new Date().toISOString()}, ${extracted.method},
      ${json(extracted.pages)}, ${json(extracted.warnings)}, ${json(metadata)},
      ${document.fingerprint}, ${chunks.count}, ${countVectors(chunks)}) RETURNING doc`);
  const doc = Number(row?.doc);
  await Promise.all([
    db.together([
      sql`INSERT INTO texts (kb, doc, body) VALUES (${db.kb}, ${doc}, ${packText(extracted)})`,
      db.dialect.noteChange(db.kb),
    ]),
    insertFacets(db, doc, metadata),
    insertChunks(db, parts, { doc, text: extracted.text, chunks }),
  ]);
}

const FACETS = {
  table: "facets",
  columns: { kb: "integer", key: "text", value: "text", doc: "bigint" },
  after: sql`ON CONFLICT DO NOTHING`,
} as const;

/** Replaces the facets that the document had. */
async function insertFacets(db: Connection, doc: number, metadata: Metadata): Promise<void> {
  const rows = [...facets(metadata)].map(([key, value]) => [db.kb, key, value, doc]);
  await Promise.all([
    db.run(sql`DELETE FROM facets WHERE kb = ${db.kb} AND doc = ${doc}`),
    db.insert(FACETS, rows),
  ]);
}

function* facets(metadata: Metadata): Generator<[string, string]> {
  for (const [key, value] of Object.entries(metadata)) {
    for (const each of Array.isArray(value) ? value : [value]) {
      if (["string", "number", "boolean"].includes(typeof each))
        yield [toIndexed(key), toFacet(each)];
    }
  }
}

const CHUNKS = {
  table: "chunks",
  columns: {
    kb: "integer",
    key: "bigint",
    doc: "bigint",
    ordinal: "integer",
    start: "integer",
    end: "integer",
    text: "text",
    detail: "text",
    terms: "text",
  },
} as const;

interface NewChunks {
  readonly doc: number;
  readonly text: string;
  readonly chunks: PackedChunks;
}

async function insertChunks(
  db: Connection,
  { vectors }: DocumentParts,
  { doc, text, chunks }: NewChunks,
): Promise<void> {
  if (chunks.count === 0) return;
  const rows = unpackRows(chunks);
  const [number = 0, ...keys] = await db.dialect.reserveKeys(db, rows.length + 1);
  const words = rows.map(({ terms }, at) => ({ key: keys[at] as number, doc, terms }));
  // Sent together: one wait instead of four.
  await Promise.all([
    db.insert(
      CHUNKS,
      rows.map(({ ordinal, start, end, detail, terms }, at) => [
        ...[db.kb, keys[at] as number, doc, ordinal, start, end],
        ...[text.slice(start, end), detail, joinTerms(terms)],
      ]),
    ),
    addWords(db, number, words),
    vectors.insert(db, { doc, keys, chunks }),
    insertEncodings(
      db,
      doc,
      rows.map(({ encoding }) => encoding),
    ),
  ]);
}

/** None without a light encoder. */
async function insertEncodings(
  db: Connection,
  doc: number,
  encodings: readonly (Encoding | undefined)[],
): Promise<void> {
  if (encodings.every((each) => each === undefined)) return;
  await db.run(sql`INSERT INTO encodings (kb, doc, made, waiting)
    VALUES (${db.kb}, ${doc}, ${packEncodings(encodings)}, ${countWaiting(encodings)})`);
}

/** A zero vector has no direction and therefore counts as none. */
function countVectors({ dimensions, vectors }: PackedChunks): number {
  if (dimensions === 0) return 0;
  let present = 0;
  for (let row = 0; row < vectors.length; row += dimensions) {
    if (vectors.subarray(row, row + dimensions).some((value) => value !== 0)) present++;
  }
  return present;
}

export async function dropDocument(
  db: Connection,
  parts: DocumentParts,
  row: DocumentRow,
): Promise<void> {
  await dropChunks(db, parts, row.doc);
  await db.together([
    sql`DELETE FROM documents WHERE kb = ${db.kb} AND doc = ${row.doc}`,
    db.dialect.noteChange(db.kb),
  ]);
}

async function dropChunks(db: Connection, { vectors }: DocumentParts, doc: number): Promise<void> {
  const rows = await db.all<{ key: number }>(sql`
    DELETE FROM chunks WHERE kb = ${db.kb} AND doc = ${doc} RETURNING key`);
  if (rows.length === 0) return;
  const keys = rows.map(({ key }) => key).toSorted((a, b) => a - b);
  const [number = 0] = await db.dialect.reserveKeys(db, 1);
  await Promise.all([removeWords(db, number, keys), vectors.remove(db, doc, keys)]);
}

export async function countShown(
  db: Connection,
  counts: ReadonlyMap<string, number>,
): Promise<void> {
  await db.together(
    [...counts].map(
      ([id, count]) =>
        sql`UPDATE documents SET shown = shown + ${count} WHERE kb = ${db.kb} AND id = ${id}`,
    ),
  );
}
