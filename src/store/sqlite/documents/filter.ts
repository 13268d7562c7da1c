// Turns a filter into the set of documents it allows, found through indexes and cached until something changes.

import { OTHER_NAMES } from "../../../domain/internal-metadata.ts";
import type { SearchFilter } from "../../../domain/passage.ts";
import { openPathGlob } from "../../../text/glob.ts";
import { dateRange } from "../../core/date-range.ts";
import type { Database } from "../database.ts";
import type { Mirror } from "../vectors/mirror.ts";

/** By document number: 1 where a document is allowed. */
export type DocMask = Uint8Array;

/** Few filters are in use at once; each costs one byte per document. */
const FILTERS_KEPT = 8;

export function openFilters(database: Database, mirror: Mirror) {
  const kept = new Map<string, { version: number; allowed: DocMask }>();
  return {
    /** Undefined if everything is allowed. With `model`, only documents with its vectors. */
    allowed(filter: SearchFilter | undefined, model?: string): DocMask | undefined {
      const { sql, values }: Conditions = filter ? conditions(filter) : { sql: [], values: [] };
      if (model !== undefined && !isOnly(database, model)) {
        sql.push("substr(fingerprint, 1, length(?)) = ?");
        values.push(`${model}+`, `${model}+`);
      }
      const { paths = [] } = filter ?? {};
      if (sql.length === 0 && paths.length === 0) return undefined;
      const name = JSON.stringify([sql, values, paths]);
      const known = kept.get(name);
      kept.delete(name);
      const fresh =
        known?.version === mirror.version
          ? known
          : { version: mirror.version, allowed: find(database, { sql, values, paths }) };
      kept.set(name, fresh);
      if (kept.size > FILTERS_KEPT) kept.delete(kept.keys().next().value as string);
      return fresh.allowed;
    },
  };
}

/** Whether all documents have this model's vectors; takes two index lookups. False only during a reindex. */
function isOnly(database: Database, model: string): boolean {
  const ends = database.get<{ first: string | null; last: string | null }>(
    "SELECT (SELECT min(fingerprint) FROM documents) AS first, (SELECT max(fingerprint) FROM documents) AS last",
  );
  return [ends?.first, ends?.last].every((each) => each?.startsWith(`${model}+`));
}

interface Wanted {
  readonly sql: readonly string[];
  readonly values: readonly string[];
  readonly paths: readonly string[];
}

function find(database: Database, { sql, values, paths }: Wanted): DocMask {
  const last = database.get<{ last: number | null }>(
    "SELECT max(doc) AS last FROM documents",
  )?.last;
  const mask = new Uint8Array((last ?? 0) + 1);
  const globs = paths.map(openPathGlob);
  const where = sql.length === 0 ? "1" : sql.join(" AND ");
  const query = database.rows(
    `SELECT doc, coalesce(source_path, filename) FROM documents WHERE ${where}`,
  );
  const rows = query.iterate(...values) as unknown as Iterable<[doc: number, path: string]>;
  for (const [doc, path] of rows) {
    if (globs.length === 0 || globs.some((matches) => matches(path.replaceAll("\\", "/"))))
      mask[doc] = 1;
  }
  return mask;
}

interface Conditions {
  readonly sql: string[];
  readonly values: string[];
}

function conditions(filter: SearchFilter): Conditions {
  const sql: string[] = [];
  const values: string[] = [];
  const oneOf = (column: string, list: readonly string[] | undefined) => {
    if (list === undefined) return;
    sql.push(`${column} IN (SELECT value FROM json_each(?))`);
    values.push(JSON.stringify(list));
  };
  oneOf("format", filter.formats);
  oneOf("id", filter.documentIds);
  oneOf("title", filter.titles);
  if (filter.filenames !== undefined) {
    sql.push(
      `(filename IN (SELECT value FROM json_each(?)) OR
        doc IN (SELECT doc FROM facets WHERE key = ? AND value IN (SELECT value FROM json_each(?))))`,
    );
    const asFacets = filter.filenames.map((name) => JSON.stringify(name));
    values.push(JSON.stringify(filter.filenames), OTHER_NAMES, JSON.stringify(asFacets));
  }
  const { from, to } = dateRange(filter);
  if (from !== undefined) {
    sql.push("date_added >= ?");
    values.push(from);
  }
  if (to !== undefined) {
    sql.push("date_added <= ?");
    values.push(to);
  }
  for (const [key, wanted] of Object.entries(filter.metadata ?? {})) {
    sql.push(
      "doc IN (SELECT doc FROM facets WHERE key = ? AND value IN (SELECT value FROM json_each(?)))",
    );
    values.push(key, JSON.stringify(wanted.map((value) => JSON.stringify(value))));
  }
  return { sql, values };
}
