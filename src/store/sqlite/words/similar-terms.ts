// The vocabulary is loaded with the first query and kept in memory.
import { mostFrequent, openVocabulary } from "../../core/vocabulary.ts";
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

  const among = (find: (term: string) => readonly string[]) => (term: string, limit: number) =>
    database.read(() => {
      follow();
      const frequencies = find(term).map((each) => [each, frequency(each)] as const);
      return mostFrequent(frequencies, limit);
    });

  return {
    similarTerms: among(vocabulary.near),
    termsStartingWith: among(vocabulary.startingWith),
  };
}
