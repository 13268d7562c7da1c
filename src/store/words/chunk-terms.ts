// A chunk's terms in order, as its row holds them: for phrases, for removal and for copies.
import { visible } from "../documents/filter.ts";
import { type Connection, NOTHING, oneOf, sql } from "../sql.ts";

/** Never part of a term. */
const TERM_SEPARATOR = "\u001f";

/** Has a separator at both ends, so that a phrase never matches inside a term. */
export function joinTerms(terms: readonly string[]): string {
  return TERM_SEPARATOR + terms.join(TERM_SEPARATOR) + TERM_SEPARATOR;
}

export function splitTerms(joined: string): string[] {
  const inner = joined.slice(1, -1);
  return inner === "" ? [] : inner.split(TERM_SEPARATOR);
}

const OF_DOCUMENT = sql`JOIN documents d ON d.kb = c.kb AND d.doc = c.doc`;

/** For each key, the numbers of the phrases that the chunk contains. */
export async function phrasesIn(
  db: Connection,
  keys: readonly number[],
  phrases: readonly (readonly string[])[],
): Promise<number[][]> {
  const rows = await db.all<{ key: number; terms: string }>(sql`
    SELECT c.key, c.terms FROM chunks c ${db.sight ? OF_DOCUMENT : NOTHING}
    WHERE c.kb = ${db.kb} AND c.key ${oneOf("bigint", keys)} ${visible(db)}`);
  const terms = new Map(rows.map((row) => [row.key, row.terms]));
  const needles = phrases.map((phrase) => joinTerms(phrase).toWellFormed());
  return keys.map((key) => {
    const joined = terms.get(key) ?? "";
    return [...needles.keys()].filter((number) => joined.includes(needles[number] ?? ""));
  });
}
