// The vocabulary is held in memory from the first question on, and follows the index by its new segments.
import { openVocabulary } from "../../core/vocabulary.ts";
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

  return (term: string, limit: number): Promise<readonly string[]> =>
    read(async (sql, kb) => {
      await follow(sql, kb);
      const near = vocabulary.near(term);
      if (near.length === 0) return [];
      // Terms that have left the vocabulary are still in memory: the database knows.
      const { frequencies } = await readTermStatistics(sql, kb, near);
      return [...frequencies]
        .filter(([, chunks]) => chunks > 0)
        .sort(([a, chunksA], [b, chunksB]) => chunksB - chunksA || (a < b ? -1 : 1))
        .slice(0, limit)
        .map(([candidate]) => candidate);
    });
}
