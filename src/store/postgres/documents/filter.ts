// A filter as SQL conditions on documents, aliased d.

import { OTHER_NAMES } from "../../../domain/internal-metadata.ts";
import type { SearchFilter } from "../../../domain/passage.ts";
import { toPathRegex } from "../../../text/glob.ts";
import { dateRange } from "../../core/date-range.ts";
import type { Sql } from "../connection.ts";

/** Fragments of a query; the client library turns their values into parameters. */
export type Fragment = ReturnType<typeof fragment>;

function fragment(sql: Sql) {
  return sql``;
}

/** False if everything is allowed. */
export function isFiltering(filter: SearchFilter = {}): boolean {
  const { metadata = {}, ...rest } = filter;
  const given = [...Object.values(rest), ...Object.values(metadata)];
  return given.some((condition) => condition !== undefined);
}

/** Each condition begins with AND. */
export function conditions(sql: Sql, filter: SearchFilter = {}): Fragment {
  const { formats, documentIds, filenames, titles, paths, metadata = {} } = filter;
  const { from, to } = dateRange(filter);
  const pieces = [
    formats && sql`AND d.format = ANY(${formats as string[]}::text[])`,
    documentIds && sql`AND d.id = ANY(${documentIds as string[]}::text[])`,
    filenames &&
      sql`AND (d.filename = ANY(${filenames as string[]}::text[])
        OR d.metadata @> ANY(${holders(OTHER_NAMES, filenames)}::jsonb[]))`,
    paths &&
      sql`AND replace(coalesce(d.source_path, d.filename), ${"\\"}, '/') ~ ANY(${paths.map(toPathRegex)}::text[])`,
    titles && sql`AND d.title = ANY(${titles as string[]}::text[])`,
    from === undefined ? undefined : sql`AND d.date_added >= ${from}::timestamptz`,
    to === undefined ? undefined : sql`AND d.date_added <= ${to}::timestamptz`,
    ...Object.entries(metadata).map(
      ([key, wanted]) => sql`AND d.metadata @> ANY(${holders(key, wanted)}::jsonb[])`,
    ),
  ].filter((piece) => piece !== undefined);
  return all(sql, pieces);
}

/** Joins fragments; the client library accepts a list, but not an empty one. */
export function all(sql: Sql, pieces: readonly Fragment[]): Fragment {
  return pieces.reduce((before, piece) => sql`${before} ${piece}`, sql``);
}

/** JSON that a document's metadata contains if the key's value is one of these, or a list with one of them. */
function holders(key: string, wanted: readonly (string | number | boolean)[]): object[] {
  return wanted.flatMap((value) => [{ [key]: value }, { [key]: [value] }]);
}

/** Compares the indexed hash, because a path can be too long for an index. */
export function isAtPath(sql: Sql, path: string | undefined): Fragment {
  const given = sql`${path ?? null}::text`;
  const hash = (text: Fragment) =>
    sql`sha256(decode(replace(${text}, chr(92), repeat(chr(92), 2)), 'escape'))`;
  return sql`(${hash(sql`d.source_path`)} = ${hash(given)} AND d.source_path = ${given})`;
}
