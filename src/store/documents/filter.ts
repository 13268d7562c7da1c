// A filter as conditions on documents, aliased d.
import { hash } from "node:crypto";
import { KnowledgeError } from "../../domain/errors.ts";
import { MODIFIED, OTHER_NAMES } from "../../domain/internal-metadata.ts";
import type { SearchFilter } from "../../domain/passage.ts";
import { type Connection, join, NOTHING, oneOf, Sql, sql } from "../sql.ts";

/** What the caller may see of documents, aliased d: nothing, or a condition that begins with AND. */
export function visible({ sight }: Connection): Sql {
  return sight === undefined ? NOTHING : sql`AND d.scope ${oneOf("text", sight)}`;
}

/** Documents with this model's vectors. The range, "+" to ",", is that of fingerprints that begin with it. */
export function ofModel(model: string): Sql {
  return sql`(d.fingerprint >= ${`${model}+`} AND d.fingerprint < ${`${model},`})`;
}

/** Whether any document has another model's vectors, as during a reindex; takes two index lookups. */
export function hasOtherModels(db: Connection, model: string): Sql {
  const others = sql`EXISTS (SELECT 1 FROM documents d WHERE d.kb = ${db.kb} AND d.fingerprint`;
  return sql`(${others} < ${`${model}+`}) OR ${others} >= ${`${model},`}))`;
}

/** Each condition begins with AND; undefined if everything is allowed. */
export function conditions(db: Connection, filter: SearchFilter = {}): Sql | undefined {
  const { scopes, formats, documentIds, filenames, titles, paths, metadata = {} } = filter;
  const { addedFrom: from, addedTo: to } = filter;
  const has = (key: string, wanted: readonly unknown[]) =>
    sql`d.doc IN (SELECT f.doc FROM facets f WHERE f.kb = ${db.kb} AND f.key = ${toIndexed(key)}
      AND f.value ${oneOf("text", wanted.map(toFacet))})`;
  const modified = (is: Sql) => sql`SELECT f.doc FROM facets f
    WHERE f.kb = ${db.kb} AND f.key = ${MODIFIED} ${is}`;
  const day = (date: string, time: string) => toFacet(toInstant(date, time));
  const { modifiedFrom, modifiedTo, asOf } = filter;
  const pieces = [
    db.sight && visible(db),
    scopes && sql`AND d.scope ${oneOf("text", scopes)}`,
    formats && sql`AND d.format ${oneOf("text", formats)}`,
    documentIds && sql`AND d.id ${oneOf("text", documentIds)}`,
    filenames &&
      sql`AND (d.filename ${oneOf("text", filenames)} OR ${has(OTHER_NAMES, filenames)})`,
    titles && sql`AND d.title ${oneOf("text", titles)}`,
    paths && sql`AND ${db.dialect.matchesPaths(paths)}`,
    from === undefined ? undefined : sql`AND d.date_added >= ${toInstant(from, BEGIN)}`,
    // An end given as a day includes the whole day.
    to === undefined ? undefined : sql`AND d.date_added <= ${toInstant(to, END)}`,
    modifiedFrom &&
      sql`AND d.doc IN (${modified(sql`AND f.value >= ${day(modifiedFrom, BEGIN)}`)})`,
    modifiedTo && sql`AND d.doc IN (${modified(sql`AND f.value <= ${day(modifiedTo, END)}`)})`,
    asOf &&
      sql`AND (d.doc IN (${modified(sql`AND f.value <= ${day(asOf, END)}`)})
        OR (d.date_added <= ${toInstant(asOf, END)} AND d.doc NOT IN (${modified(NOTHING)})))`,
    ...Object.entries(metadata).map(([key, wanted]) => wanted && sql`AND ${has(key, wanted)}`),
  ].filter((piece) => piece instanceof Sql);
  return pieces.length === 0 ? undefined : join(pieces);
}

const BEGIN = "T00:00:00.000Z";
const END = "T23:59:59.999Z";
const DAY_ONLY = /^\d{4}-\d{2}-\d{2}$/;

/** In the format of stored dates; `time` completes a date without one. */
function toInstant(value: string, time: string): string {
  const instant = new Date(DAY_ONLY.test(value) ? value + time : value);
  if (Number.isNaN(instant.getTime())) {
    throw new KnowledgeError(
      "INVALID_PARAMETER",
      "A date in the filter is not an ISO 8601 date or instant, such as 2026-01-31.",
      { details: { parameter: "date_range" } },
    );
  }
  return instant.toISOString();
}

/** Values are stored as JSON, to distinguish the number 1, the text "1" and true. */
export function toFacet(value: unknown): string {
  return toIndexed(JSON.stringify(value));
}

/** An index entry has at most 2,704 bytes. */
const MAX_INDEXED = 200;

/** Long keys and values are compared by their hash. */
export function toIndexed(text: string): string {
  return text.length <= MAX_INDEXED ? text : `sha256 ${hash("sha256", text)}`;
}
