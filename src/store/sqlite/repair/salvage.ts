// Salvages the documents of a damaged database. Rows on unreadable pages are reassembled from indexes and other
// tables, which are on other pages.
import { createHash, randomUUID } from "node:crypto";
import type { DatabaseSync } from "node:sqlite";
import type { Metadata, StoredDocument } from "../../../domain/document.ts";
import type { Loss } from "../../store.ts";
import { isOverwritten, readAll, scanIndex, scanTable } from "../check/scan.ts";
import { DOCUMENT_COLUMNS, type DocumentRow, toDocument } from "../rows.ts";

export interface SalvagedDocument {
  readonly document: StoredDocument;
  /** Empty if the row was lost. */
  readonly fingerprint: string;
  readonly doc: number;
  /** Fields that the indexes did not have either; empty if the row was readable. */
  readonly missing: readonly string[];
  /** False if it got a new id: references to the old one no longer work. */
  readonly hasId: boolean;
}

export interface SalvagedList<Item> {
  readonly found: readonly Item[];
  readonly losses: readonly Loss[];
  /** Rows that are known to exist but are unreadable. */
  readonly unreadable: number;
  /** False if there may have been more. */
  readonly isWhole: boolean;
}

type Row = DocumentRow & { readonly fingerprint: string };

const HASH = /^[0-9a-f]{64}$/;

export function salvageDocuments(database: DatabaseSync): SalvagedList<SalvagedDocument> {
  const columns = `${DOCUMENT_COLUMNS}, fingerprint`;
  const table = scanTable<Row>(database, { table: "documents", key: "doc", columns });
  const rows = new Map([...table.rows].flatMap(([doc, row]) => readRow(doc, row)));
  const blurred = [...rows.values()].filter(({ doc }) => isPartlyOverwritten(table.rows.get(doc)));
  const losses = blurred.map(({ document }): Loss => {
    return {
      kind: "metadata",
      name: nameOf(document),
      what: "part of its name, title or metadata",
      // Bytes that look overwritten may be real user data.
      isUncertain: true,
    };
  });
  if (table.isWhole && rows.size === table.rows.size) {
    return { found: [...rows.values()], losses, unreadable: 0, isWhole: true };
  }
  const indexes = readIndexes(database);
  const scans = Object.values(indexes);
  const known = [...new Set(scans.flatMap((each) => [...each.rows.keys()]))];
  const rest = known.filter((doc) => !rows.has(doc)).sort((a, b) => a - b);
  const salvaged = rest.map((doc) => fromIndexes(database, doc, indexes));
  return {
    found: [...rows.values(), ...salvaged],
    losses: [...losses, ...salvaged.map(toLoss)],
    unreadable: salvaged.length,
    isWhole: scans.some((each) => each.isWhole),
  };
}

function toLoss({ document, missing, hasId }: SalvagedDocument): Loss {
  const what = missing.join(", ");
  // Fields that are in no index may have been empty.
  const uncertain = missing.length === 1 ? ({ isUncertain: true } as const) : {};
  return hasId
    ? { kind: "metadata", name: nameOf(document), what, ...uncertain }
    : { kind: "document", name: "unknown", what: `${what} of what is ${nameOf(document)} now` };
}

export function nameOf({ filename, id }: Pick<StoredDocument, "filename" | "id">): string {
  return `${filename} (${id})`;
}

function readRow(doc: number, row: Row): [number, SalvagedDocument][] {
  try {
    const document = toDocument(row);
    // Listing a document tolerates fields that cannot be parsed; here they count as losses.
    for (const json of [row.pages, row.warnings, row.metadata]) JSON.parse(json);
    if (!HASH.test(document.contentHash) || typeof document.id !== "string") return [];
    return [[doc, { document, fingerprint: row.fingerprint, doc, missing: [], hasId: true }]];
  } catch {
    return [];
  }
}

function isPartlyOverwritten(row: Row | undefined): boolean {
  return row !== undefined && [row.filename, row.title, row.metadata].some(isOverwritten);
}

function readIndexes(database: DatabaseSync) {
  const read = <Value>(column: string, index: string) => {
    const scan = { table: "documents", key: "doc", columns: [column], index };
    const { rows, isWhole } = scanIndex<Record<string, Value | null>>(database, scan);
    const values = [...rows].map(([doc, row]) => [doc, row[column] ?? undefined] as const);
    return { rows: new Map(values), isWhole };
  };
  return {
    id: read<string>("id", "sqlite_autoindex_documents_1"),
    path: read<string>("source_path", "sqlite_autoindex_documents_2"),
    hash: read<string>("content_hash", "documents_hash"),
    filename: read<string>("filename", "documents_filename"),
    added: read<string>("date_added", "documents_added"),
    size: read<number>("size_bytes", "documents_size"),
    format: read<StoredDocument["format"]>("format", "documents_format"),
    text: scanTable<unknown>(database, { table: "texts", key: "doc", columns: "1" }),
  };
}

function fromIndexes(
  database: DatabaseSync,
  doc: number,
  indexes: ReturnType<typeof readIndexes>,
): SalvagedDocument {
  const missing = ["part of its metadata"];
  const need = <Value>(what: string, value: Value | undefined, otherwise: () => Value): Value => {
    if (value !== undefined) return value;
    missing.push(what);
    return otherwise();
  };
  const id = need("id", indexes.id.rows.get(doc), randomUUID);
  const hash = indexes.hash.rows.get(doc);
  const isHash = hash !== undefined && HASH.test(hash);
  const contentHash = need("link to its file", isHash ? hash : undefined, () => hashOf(id));
  const name = () => `recovered-${contentHash.slice(0, 8)}`;
  const path = indexes.path.rows.get(doc);
  if (!indexes.path.isWhole && path === undefined) missing.push("path");
  const now = () => new Date().toISOString();
  const document: StoredDocument = {
    id,
    filename: need("name", indexes.filename.rows.get(doc), name),
    ...(path === undefined ? {} : { sourcePath: path }),
    contentHash,
    format: need("format", indexes.format.rows.get(doc), () => "txt"),
    sizeBytes: need("size", indexes.size.rows.get(doc), () => 0),
    dateAdded: need("date", indexes.added.rows.get(doc), now),
    chunkCount: 0,
    method: "text_extraction",
    pages: [],
    warnings: [],
    metadata: readFacets(database, doc),
  };
  return { document, fingerprint: "", doc, missing, hasId: indexes.id.rows.has(doc) };
}

/** Only flat values, because nested ones exist only in the row. */
function readFacets(database: DatabaseSync, doc: number): Metadata {
  const sql = "SELECT key, value FROM facets INDEXED BY facets_doc WHERE doc = ?";
  const rows = readAll<{ key: string; value: string }>(database, sql, doc) ?? [];
  const metadata: Record<string, unknown> = {};
  for (const [key, values] of Map.groupBy(rows, (row) => row.key)) {
    try {
      const read = values.map(({ value }) => JSON.parse(value) as unknown);
      metadata[key] = read.length === 1 ? read[0] : read;
    } catch {
      // Garbage on the page, never a stored value.
    }
  }
  return metadata;
}

function hashOf(id: string): string {
  return createHash("sha256").update(id).digest("hex");
}
