// A longer list only continues a shorter one: what is asked for first does not depend on how much is asked for.
import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { openAnalyser, openSearch } from "../../src/search/search.ts";
import { letterEmbed } from "../support/plain-parts.ts";
import { sampleDocument } from "../support/sample-documents.ts";
import { silentLog } from "../support/silent-log.ts";
import { tempStore } from "../support/temp-store.ts";

const WORDS = "red green blue paint wall door brush water price shop order tool".split(" ");
const word = fc.constantFrom(...WORDS);
/** Each document is about a few words, so that one alone may fill the first places. */
const document = fc.uniqueArray(word, { minLength: 3, maxLength: 4 }).chain((own) =>
  fc.array(
    fc.array(fc.constantFrom(...own), { minLength: 3, maxLength: 12 }).map((all) => all.join(" ")),
    { minLength: 10, maxLength: 40 },
  ),
);
const documents = fc.array(document, { minLength: 30, maxLength: 30 });
const LIMITS = [1, 3, 10, 20, 30, 50];

test("a longer list only continues a shorter one", async () => {
  const temporary = await tempStore();
  onTestFinished(() => temporary.dispose());
  const { store } = temporary;
  const [embed, analyser] = [letterEmbed(), openAnalyser()];
  const [given = []] = fc.sample(documents, { numRuns: 1, seed: 1 });
  for (const [at, texts] of given.entries()) {
    const { document, chunks } = sampleDocument(texts, { filename: `${at}.txt` });
    const vectors = await embed.passages(texts);
    const indexed = chunks.map((chunk, number) => ({
      ...chunk,
      terms: analyser.terms(chunk.text),
      vector: vectors[number] as Float32Array,
    }));
    await store.documents.put(document, indexed);
  }
  const search = openSearch({ store: store.documents, embed, analyser, log: silentLog() });
  const shown = async (query: string, limit: number) => {
    const { passages } = await search.search({ text: query, limit });
    return passages.map(({ chunkId, score }) => ({ chunkId, score }));
  };
  const question = fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join(" "));
  await fc.assert(
    fc.asyncProperty(question, async (query) => {
      const longest = await shown(query, 50);
      expect(longest.length).toBeGreaterThan(30);
      for (const limit of LIMITS) {
        expect(await shown(query, limit)).toEqual(longest.slice(0, limit));
      }
    }),
    { numRuns: 40 },
  );
});
