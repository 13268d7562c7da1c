// Salvages the readable documents of a damaged database.
import type { DatabaseSync } from "node:sqlite";
import type { StoredDocument } from "../../../domain/document.ts";
import { type DocumentRow, toDocument } from "../../core/rows.ts";
import { fromJson } from "../../sql.ts";
import type { Loss } from "../../store.ts";
import { isOverwritten, scanTable } from "../check/scan.ts";
import { DOCUMENT_COLUMNS } from "../rows.ts";

export interface SalvagedDocument {
  readonly document: StoredDocument;
  readonly fingerprint: string;
  readonly doc: number;
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
  const rows = [...table.rows.values()].filter(isReadable);
  return {
    found: rows.map((row) => {
      return { document: toDocument(row), fingerprint: row.fingerprint, doc: row.doc };
    }),
    losses: rows.flatMap(lossesOf),
    unreadable: table.rows.size - rows.length,
    isWhole: table.isWhole && rows.length === table.rows.size,
  };
}

export function nameOf({ filename, id }: Pick<StoredDocument, "filename" | "id">): string {
  return `${filename} (${id})`;
}

/** Listing a document tolerates fields that cannot be parsed; here its metadata is a loss, and the rest makes it unreadable. */
function isReadable(row: Row): boolean {
  const isNamed = [row.id, row.filename].every((each) => typeof each === "string");
  const isParsed = [row.pages, row.warnings].every((each) => fromJson(each) !== undefined);
  return isNamed && isParsed && HASH.test(row.content_hash);
}

function lossesOf(row: Row): readonly Loss[] {
  const loss = { kind: "metadata", name: nameOf(row) } as const;
  if (fromJson(row.metadata) === undefined) return [{ ...loss, what: "its metadata" }];
  const isPart = [row.filename, row.title, row.metadata].some(isOverwritten);
  if (!isPart) return [];
  // Bytes that look overwritten may be real user data.
  return [{ ...loss, what: "part of its name, title or metadata", isUncertain: true }];
}
