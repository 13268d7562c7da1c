import { editDistance } from "../edit-distance.ts";
import type { Sql } from "./connection.ts";
import { all } from "./filter.ts";

const CJK = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

export async function readSimilarTerms(
  sql: Sql,
  kb: number,
  { term, limit }: { readonly term: string; readonly limit: number },
): Promise<readonly string[]> {
  if (CJK.test(term) || term.length < 4) return [];
  const most = term.length < 8 ? 1 : 2;
  const pieces = cut(term, 2 * most + 1).map((piece) => sql`OR strpos(term, ${piece}) > 0`);
  const rows = await sql<{ term: string }[]>`
    SELECT term FROM knowledge.postings
    WHERE kb = ${kb} AND char_length(term) BETWEEN ${term.length - most} AND ${term.length + most}
      AND (false ${all(sql, pieces)}) AND term <> ${term}
    GROUP BY term HAVING sum(frequency) > 0 ORDER BY sum(frequency) DESC, term`;
  return rows
    .map((row) => row.term)
    .filter((found) => !CJK.test(found) && editDistance(found, term) <= most)
    .slice(0, limit);
}

/** An edit spoils two neighbouring pieces at most, so of `2n + 1` pieces one survives `n` edits. */
function cut(term: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) =>
    term.slice(
      Math.floor((index * term.length) / count),
      Math.floor(((index + 1) * term.length) / count),
    ),
  ).filter((piece) => piece !== "");
}
