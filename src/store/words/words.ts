// Searches by words, on both engines.
import type { Connection } from "../sql.ts";
import type { LexicalFound, LexicalQuery, TermStatistics } from "../store.ts";
import { openSnapshots } from "./index-snapshot.ts";
import { type AllowedDocuments, searchLexical, toStatistics, wellFormed } from "./lexical.ts";
import { openNarrowing } from "./narrow.ts";
import { SegmentScorer } from "./segment-scorer.ts";
import { openIndex } from "./term-postings.ts";
import { openSimilarTerms } from "./vocabulary.ts";

/** `maxBytes` is the memory for postings of recent queries. */
export function openWords(maxBytes: number) {
  const follow = openSnapshots();
  const index = openNarrowing(openIndex(follow, maxBytes));
  const scorer = new SegmentScorer();
  return {
    lexical: (
      db: Connection,
      query: LexicalQuery,
      allowed: AllowedDocuments | Promise<AllowedDocuments>,
    ): Promise<LexicalFound> => searchLexical(db, { index, scorer }, { query, allowed }),
    async termStatistics(db: Connection, terms: readonly string[]): Promise<TermStatistics> {
      return toStatistics(await index(db, wellFormed(terms)), terms);
    },
    ...openSimilarTerms(follow, index),
  };
}
