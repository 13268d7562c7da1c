import fc from "fast-check";
import { expect, test } from "vitest";
import { answerFromPassages } from "../../src/answer/answer-from-passages.ts";
import { findQuote } from "../../src/answer/citations.ts";
import { sentences } from "../../src/text/sentences.ts";
import { withReader } from "../support/answers.ts";
import { passage } from "../support/passages.ts";

const RUNS = { numRuns: 200 };
const piece = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 20 }),
  fc.constantFrom(
    "The pump lasts 24 months. ",
    "ポンプは丈夫です。",
    "\n\n",
    "\n",
    "| a | b |\n| - | - |\n",
    "# Pump\n",
    "- item one\n",
    "U.S. Dr. Who? ",
    "Ｆｕｌｌ　ｗｉｄｔｈ ",
    "“quoted” – dash ",
  ),
);
const text = fc.array(piece, { maxLength: 15 }).map((parts) => parts.join(""));

test("every sentence is an exact slice, in order, and no letter is lost", () => {
  fc.assert(
    fc.property(text, (given) => {
      let last = 0;
      let kept = "";
      for (const { start, end, text: sentence } of sentences(given)) {
        expect(start).toBeGreaterThanOrEqual(last);
        expect(given.slice(start, end)).toBe(sentence);
        last = end;
        kept += sentence;
      }
      const letters = (value: string) => value.match(/[\p{L}\p{N}]/gu)?.join("") ?? "";
      expect(letters(kept)).toBe(letters(given));
    }),
    RUNS,
  );
});

test("every citation is its chunk verbatim, and its quotes are inside", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(text, { maxLength: 6 }),
      fc.nat(1_000),
      fc.integer({ min: 1, max: 6 }),
      async (texts, start, most) => {
        const found = texts.map((each, at) => passage(each, { chunkId: `c${at}`, start }));
        const query = "How long does the pump last?";
        const { citations, related, outcome } = await answerFromPassages(
          { query, found, maxResults: most },
          await withReader(),
        );
        expect(citations.length + related.length).toBeLessThanOrEqual(most);
        expect(citations.length === 0).toBe(outcome === "nothing");
        for (const { content, location } of [...citations, ...related]) {
          const source = found.find(({ chunkId }) => chunkId === location["chunk_id"]);
          expect(content).toBe(source?.text);
          for (const quote of location["quotes"] as { start: number; end: number }[]) {
            expect(quote.start).toBeGreaterThanOrEqual(start);
            expect(quote.end).toBeLessThanOrEqual(start + content.length);
            expect(quote.end).toBeGreaterThan(quote.start);
          }
        }
      },
    ),
    RUNS,
  );
});

test("a quote is found at its position even if its width, case and white space changed", () => {
  const change = fc.constantFrom(
    (value: string) => value,
    (value: string) => value.toUpperCase(),
    (value: string) => value.normalize("NFKC"),
    (value: string) => value.replace(/\s+/g, "\n  "),
    (value: string) => value.replaceAll("“", '"').replaceAll("–", "-"),
  );
  const plain = fc.string({
    unit: fc.constantFrom(..."abcXYZ 123、。ポンプ“”–　Ａ１"),
    minLength: 3,
    maxLength: 60,
  });
  fc.assert(
    fc.property(plain, fc.nat(), fc.nat(), change, (given, from, size, alter) => {
      const start = from % given.length;
      const quote = given.slice(start, start + 1 + (size % 20));
      fc.pre(/[\p{L}\p{N}]/u.test(quote));
      const span = findQuote(given, alter(quote));
      expect(span).toBeDefined();
      const bare = (value: string) =>
        value
          .normalize("NFKC")
          .toLowerCase()
          .replace(/\s/g, "")
          .replace(/["“”]/g, "'")
          .replaceAll("–", "-");
      expect(bare(given.slice(span?.start, span?.end))).toBe(bare(quote));
    }),
    RUNS,
  );
});
