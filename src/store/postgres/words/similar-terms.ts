// The vocabulary is loaded with the first query and kept up to date from new segments.
import { mostFrequent, openVocabulary } from "../../core/vocabulary.ts";
import type { Sql } from "../connection.ts";
import type { Database } from "../database.ts";
import { readTermStatistics } from "./read-postings.ts";

export function openSimilarTerms({ read }: Database) {
  const vocabulary = openVocabulary();
  let known = new Set<number>();

  const follow = async (sql: Sql, kb: number) => {
    const segments = await sql<{ segment: number }[]>`
      SELECT segment FROM knowledge.segments WHERE kb = ${kb}`;
    const fresh = segments.map((row) => row.segment).filter((segment) => !known.has(segment));
    if (fresh.length === 0) return;
    const rows = await sql<{ term: string }[]>`SELECT DISTINCT term FROM knowledge.postings
      WHERE kb = ${kb} AND segment = ANY(${fresh}::bigint[])`;
    for (const { term } of rows) vocabulary.add(term);
    known = new Set(segments.map((row) => row.segment));
  };

  const among =
    (find: (term: string) => readonly string[]) =>
    (term: string, limit: number): Promise<readonly string[]> =>
      read(async (sql, kb) => {
        await follow(sql, kb);
        const candidates = find(term);
        if (candidates.length === 0) return [];
        const { frequencies } = await readTermStatistics(sql, kb, candidates);
        return mostFrequent(frequencies, limit);
      });

  return {
    similarTerms: among(vocabulary.near),
    termsStartingWith: among(vocabulary.startingWith),
  };
}
