// The knowledge base's totals, kept in the one row of `state`.
import type { StoreTotals } from "../../store.ts";
import type { Database } from "../database.ts";

/** Call it inside the transaction of the change. */
export function count(
  database: Database,
  change: { documents: number; chunks: number; sizeBytes: number },
): void {
  database.run(
    `UPDATE state SET changes = changes + 1, documents = documents + ?, chunks = chunks + ?, size_bytes = size_bytes + ?,
       last_updated = ? WHERE id = 1`,
    change.documents,
    change.chunks,
    change.sizeBytes,
    new Date().toISOString(),
  );
}

interface TotalsRow {
  readonly documents: number;
  readonly chunks: number;
  readonly size_bytes: number;
  readonly last_updated: string | null;
}

export function readTotals(database: Database): StoreTotals {
  const row = database.get<TotalsRow>(
    "SELECT documents, chunks, size_bytes, last_updated FROM state",
  ) as TotalsRow;
  return {
    documents: row.documents,
    chunks: row.chunks,
    sizeBytes: row.size_bytes,
    ...(row.last_updated === null ? {} : { lastUpdated: row.last_updated }),
  };
}
