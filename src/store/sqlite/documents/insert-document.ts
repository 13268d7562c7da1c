// A document's row with its text, facets and chunks.
import type { Metadata } from "../../../domain/document.ts";
import { matchText } from "../../../domain/internal-metadata.ts";
import type { NewDocument } from "../../store.ts";
import type { Database } from "../database.ts";
import { insertEncodings } from "../refinement/encodings.ts";
import { packText } from "../rows.ts";
import type { PackedChunks } from "../thread/packed-messages.ts";
import { count } from "./totals.ts";
import { insertChunks } from "./write-chunks.ts";

export function insertDocument(
  database: Database,
  document: NewDocument,
  chunks: PackedChunks,
): void {
  const { extracted, title = extracted.title } = document;
  const { lastId: doc } = database.run(
    `INSERT INTO documents (id, filename, sort_name, match_text, source_path, content_hash, format,
       size_bytes, title, date_added, method, pages, warnings, metadata, fingerprint, first_key,
       chunk_count, vector_count) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, 0, 0)`,
    document.id,
    document.filename,
    document.filename.toLowerCase(),
    matchText(document.filename, title ?? null, document.metadata),
    document.sourcePath ?? null,
    document.contentHash,
    document.format,
    document.sizeBytes,
    title ?? null,
    document.dateAdded ?? new Date().toISOString(),
    extracted.method,
    JSON.stringify(extracted.pages),
    JSON.stringify(extracted.warnings),
    JSON.stringify(document.metadata),
    document.fingerprint,
  );
  database.run("INSERT INTO texts (doc, body) VALUES (?, ?)", doc, packText(extracted));
  insertFacets(database, doc, document.metadata);
  const stored = insertChunks(database, { doc, text: extracted.text }, chunks);
  database.run(
    "UPDATE documents SET first_key = ?, chunk_count = ?, vector_count = ? WHERE doc = ?",
    stored.firstKey,
    chunks.rows.length,
    stored.vectors,
    doc,
  );
  const { encoders, sizeBytes } = document;
  insertEncodings(database, { doc, firstKey: stored.firstKey, encoders }, chunks);
  count(database, { documents: 1, chunks: chunks.rows.length, sizeBytes });
}

/** Replaces the facets that the document had. */
export function insertFacets(database: Database, doc: number, metadata: Metadata): void {
  database.run("DELETE FROM facets WHERE doc = ?", doc);
  for (const [key, value] of facets(metadata)) {
    database.run(
      "INSERT OR IGNORE INTO facets (key, value, doc) VALUES (?, ?, ?)",
      key,
      value,
      doc,
    );
  }
}

/** Values are stored as JSON, to distinguish the number 1, the text "1" and true. */
function* facets(metadata: Metadata): Generator<[string, string]> {
  for (const [key, value] of Object.entries(metadata)) {
    for (const each of Array.isArray(value) ? value : [value]) {
      if (["string", "number", "boolean"].includes(typeof each)) yield [key, JSON.stringify(each)];
    }
  }
}
