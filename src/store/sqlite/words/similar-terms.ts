// The vocabulary is held in memory from the first question on.
import { openVocabulary } from "../../core/vocabulary.ts";
import type { Database } from "../database.ts";

export function openSimilarTerms(database: Database) {
  const vocabulary = openVocabulary();
  let lastId = 0;

  const follow = () => {
    const rows = database
      .rows("SELECT id, term FROM terms WHERE id > ? ORDER BY id")
      .iterate(lastId) as unknown as Iterable<[number, string]>;
    for (const [id, term] of rows) {
      lastId = id;
      vocabulary.add(term);
    }
  };
  const frequency = (term: string) =>
    database.get<{ frequency: number }>("SELECT frequency FROM terms WHERE term = ?", term)
      ?.frequency ?? 0;

  return (term: string, limit: number): string[] =>
    database.read(() => {
      follow();
      // Terms that have left the vocabulary are still in memory: the database knows.
      return vocabulary
        .near(term)
        .map((candidate) => ({ candidate, chunks: frequency(candidate) }))
        .filter(({ chunks }) => chunks > 0)
        .sort((a, b) => b.chunks - a.chunks || (a.candidate < b.candidate ? -1 : 1))
        .slice(0, limit)
        .map(({ candidate }) => candidate);
    });
}
