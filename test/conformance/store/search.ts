import { describe, expect, test } from "vitest";
import type { SearchFilter } from "../../../src/domain/passage.ts";
import {
  addSample,
  DIMENSIONS,
  foundTexts,
  sampleDocument,
  sampleVector,
} from "../../support/sample-documents.ts";
import type { Subject } from "../store.suite.ts";

export function searchCases(subject: Subject): void {
  const texts = async (hits: readonly { key: number }[]) => {
    const chunks = await subject.store.documents.chunks(hits.map((hit) => hit.key));
    return chunks.map((chunk) => chunk.text);
  };
  const lexical = async (words: readonly string[], filter?: SearchFilter) => {
    const terms = words.map((term) => ({ term, weight: 1 }));
    const query = filter ? { terms, limit: 50, filter } : { terms, limit: 50 };
    return texts((await subject.store.documents.lexical(query)).hits);
  };
  const nearest = async (text: string, limit: number, filter?: SearchFilter) => {
    const vector = sampleVector(text);
    const query = filter ? { vector, limit, filter } : { vector, limit };
    return texts(await subject.store.documents.nearest(query));
  };

  describe("lexical search", () => {
    test("scores are BM25 with k1 1.2 and b 0.75", async () => {
      const { documents } = subject.store;
      const chunks = ["cat cat dog", "cat bird fish tree", "dog"];
      await addSample(documents, chunks);
      const terms = [{ term: "cat", weight: 2 }];
      const { hits } = await documents.lexical({ terms, limit: 10 });
      const rarity = Math.log(1 + (3 - 2 + 0.5) / (2 + 0.5));
      const expected = [
        [2, 3],
        [1, 4],
      ].map(([tf = 0, length = 0]) => {
        const norm = 1.2 * (1 - 0.75 + (0.75 * length) / (8 / 3));
        return (2 * rarity * tf * 2.2) / (tf + norm);
      });
      expect(await texts(hits)).toEqual(chunks.slice(0, 2));
      hits.forEach((hit, index) => {
        expect(hit.score).toBeCloseTo(expected[index] ?? Number.NaN, 4);
      });
    });

    test("a rare term counts more than a frequent one, and both together most", async () => {
      await addSample(subject.store.documents, ["the rare", "the same", "the rest", "rare"]);
      expect((await lexical(["the", "rare"])).slice(0, 2).sort()).toEqual(["rare", "the rare"]);
      expect((await lexical(["the", "rare"]))[0]).toBe("the rare");
    });

    test("unknown terms find nothing and do not affect known ones", async () => {
      await addSample(subject.store.documents, ["known words"]);
      expect(await lexical(["unknown"])).toEqual([]);
      expect(await lexical(["unknown", "known"])).toEqual(["known words"]);
      expect(await lexical([])).toEqual([]);
    });

    test("terms are matched exactly, in any script", async () => {
      const { document, chunks } = sampleDocument(["a", "b"]);
      const terms = [
        ["検索", "E-1042", "naïve"],
        ["検索語", "e-1042"],
      ];
      await subject.store.documents.put(
        document,
        chunks.map((chunk, index) => ({ ...chunk, terms: terms[index] ?? [] })),
      );
      expect(await lexical(["検索"])).toEqual(["a"]);
      expect(await lexical(["e-1042"])).toEqual(["b"]);
      expect(await lexical(["naïve"])).toEqual(["a"]);
    });

    test("the limit is kept", async () => {
      await addSample(
        subject.store.documents,
        Array.from({ length: 20 }, (_, i) => `word n${i}`),
      );
      const terms = [{ term: "word", weight: 1 }];
      const { hits } = await subject.store.documents.lexical({ terms, limit: 7 });
      expect(hits).toHaveLength(7);
    });

    test("every hit contains every phrase", async () => {
      await addSample(subject.store.documents, [
        "red green blue",
        "green red blue",
        "red green",
        "blue red green blue green",
      ]);
      const phrased = async (...phrases: string[][]) => {
        const terms = phrases.flat().map((term) => ({ term, weight: 1 }));
        const { hits } = await subject.store.documents.lexical({ terms, phrases, limit: 10 });
        return (await texts(hits)).sort();
      };
      expect(await phrased(["red", "green"])).toEqual([
        "blue red green blue green",
        "red green",
        "red green blue",
      ]);
      expect(await phrased(["red", "green"], ["blue", "green"])).toEqual([
        "blue red green blue green",
      ]);
      expect(await phrased(["green", "green"])).toEqual([]);
      expect(await phrased(["red", "unknown"])).toEqual([]);
    });

    test("statistics count chunks, also after removals", async () => {
      const { documents } = subject.store;
      await addSample(documents, ["cat cat", "cat dog"]);
      const gone = await addSample(documents, ["cat", "bird"]);
      const before = await documents.termStatistics(["cat", "dog", "bird", "nobody"]);
      expect(before.chunkCount).toBe(4);
      expect([...before.frequencies]).toEqual([
        ["cat", 3],
        ["dog", 1],
        ["bird", 1],
        ["nobody", 0],
      ]);
      await documents.remove(gone);
      const after = await documents.termStatistics(["cat", "bird"]);
      const terms = ["cat", "bird"].map((term) => ({ term, weight: 1 }));
      expect((await documents.lexical({ terms, limit: 1 })).statistics).toEqual(after);
      expect(after.chunkCount).toBe(2);
      expect([...after.frequencies.values()]).toEqual([2, 0]);
    });

    test("the phrases that a chunk contains are reported", async () => {
      const { documents } = subject.store;
      await addSample(documents, ["red green blue red", "green red"]);
      const terms = [{ term: "red", weight: 1 }];
      const { hits } = await documents.lexical({ terms, limit: 5 });
      const chunks = await documents.chunks(hits.map(({ key }) => key));
      const keys = chunks.toSorted((a, b) => a.ordinal - b.ordinal).map(({ key }) => key);
      const phrases = [
        ["red", "green"],
        ["green", "red"],
        ["blue", "red"],
        ["red", "nobody"],
      ];
      expect(await documents.phrasesIn([...keys, 987_654], phrases)).toEqual([[0, 2], [1], []]);
    });

    test("similar terms are near in spelling, the most frequent first", async () => {
      const { documents } = subject.store;
      await addSample(documents, ["deployment", "deploymant deployment", "employment", "検索"]);
      const asked = ["deploymnet", "xyzzyplugh", "検策", "emploiment", "dep", "deploymnet"];
      const near = ["deployment", "deploymant"];
      expect(await documents.similarTerms(asked, 5)).toEqual([
        near,
        [],
        [],
        ["employment"],
        [],
        near,
      ]);
      expect(await documents.similarTerms(["deploymnet"], 1)).toEqual([["deployment"]]);
      expect(await documents.similarTerms([], 5)).toEqual([]);
    });

    test("similar terms are those of the present documents, also after a clear", async () => {
      const { documents } = subject.store;
      await addSample(documents, ["deployment", "employment"]);
      await documents.similarTerms(["deploymnet"], 5);
      await documents.clear();
      expect(await documents.similarTerms(["deploymnet", "emploiment"], 5)).toEqual([[], []]);
      await addSample(documents, ["deployments"]);
      expect(await documents.similarTerms(["deploymnts", "emploiment"], 5)).toEqual([
        ["deployments"],
        [],
      ]);
      expect(await documents.termsStartingWith("deploy", 5)).toEqual(["deployments"]);
    });

    test("similar terms are counted without the documents that were removed", async () => {
      const { documents } = subject.store;
      const often = ["deploymant", "deploymant again", "deploymant more"];
      const gone = await addSample(documents, [...often, "deploymunt"]);
      await addSample(documents, ["deployment", "deployment again", "deploymant"]);
      expect(await documents.similarTerms(["deploymnet"], 1)).toEqual([["deploymant"]]);
      await documents.remove(gone);
      const left = ["deployment", "deploymant"];
      expect(await documents.similarTerms(["deploymnet"], 5)).toEqual([left]);
      expect(await documents.termsStartingWith("deploy", 5)).toEqual(left);
    });

    test("terms with a prefix are listed, the most frequent first", async () => {
      const { documents } = subject.store;
      await addSample(documents, ["deployment", "deploymant deployment", "employment", "検索語"]);
      expect(await documents.termsStartingWith("deploy", 5)).toEqual(["deployment", "deploymant"]);
      expect(await documents.termsStartingWith("deploy", 1)).toEqual(["deployment"]);
      expect(await documents.termsStartingWith("deployment", 5)).toEqual([]);
      expect(await documents.termsStartingWith("de", 5)).toEqual([]);
      expect(await documents.termsStartingWith("検索", 5)).toEqual([]);
    });
  });

  describe("vector search", () => {
    test("the best come with their chunks, except those that are known", async () => {
      const { documents } = subject.store;
      const all = Array.from({ length: 9 }, (_, index) => `text ${index}`);
      await addSample(documents, all);
      const query = { vector: sampleVector("text 4", DIMENSIONS), limit: 8 };
      const hits = await documents.nearest(query);
      const keys = hits.map(({ key }) => key);
      const except = new Set([keys[1] ?? 0, keys[7] ?? 0]);
      const found = await documents.nearestWithChunks(query, { best: 4, except });
      const wanted = await documents.chunks([keys[0] ?? 0, keys[2] ?? 0, keys[3] ?? 0]);
      expect(found).toEqual({ hits, chunks: wanted });
      expect(found.chunks).toHaveLength(3);
      const none = await documents.nearestWithChunks(query, { best: 0, except });
      expect(none).toEqual({ hits, chunks: [] });
    });

    test("the nearest come first, with their cosine", async () => {
      const { documents } = subject.store;
      const all = Array.from({ length: 40 }, (_, index) => `text ${index}`);
      await addSample(documents, all);
      const vector = sampleVector("text 7");
      const cosine = (text: string) =>
        sampleVector(text).reduce((sum, value, at) => sum + value * (vector[at] ?? 0), 0);
      const hits = await documents.nearest({ vector, limit: 5 });
      const expected = [...all].sort((a, b) => cosine(b) - cosine(a)).slice(0, 5);
      expect(await texts(hits)).toEqual(expected);
      hits.forEach((hit, index) => {
        expect(hit.score).toBeCloseTo(cosine(expected[index] ?? ""), 1);
      });
      expect(hits[0]?.score).toBeCloseTo(1, 2);
    });

    test("chunks without a vector, or of another length, are not found by vector", async () => {
      const { documents } = subject.store;
      await addSample(documents, ["bare"], { withVectors: false });
      const { document, chunks } = sampleDocument(["longer"]);
      await documents.put(
        document,
        chunks.map((chunk) => ({ ...chunk, vector: sampleVector("longer", DIMENSIONS * 2) })),
      );
      await addSample(documents, ["seen"]);
      expect(await nearest("seen", 10)).toEqual(["seen"]);
      expect(await foundTexts(documents, "bare longer")).toHaveLength(2);
    });

    test("a removed document is found by no search", async () => {
      const { documents } = subject.store;
      await addSample(documents, ["stays"]);
      const id = await addSample(documents, ["goes", "away"]);
      expect(await nearest("goes", 1)).toEqual(["goes"]);
      await documents.remove(id);
      expect(await nearest("goes", 10)).toEqual(["stays"]);
      expect(await lexical(["goes"])).toEqual([]);
    });
  });

  describe("filters", () => {
    const cases: [string, SearchFilter, string[]][] = [
      ["format", { formats: ["pdf"] }, ["pdf word"]],
      ["several formats", { formats: ["pdf", "md"] }, ["md word", "pdf word"]],
      ["filename", { filenames: ["b.md"] }, ["md word"]],
      ["document", { documentIds: ["11111111-1111-4111-8111-111111111111"] }, ["pdf word"]],
      ["metadata text", { metadata: { author: ["Ann"] } }, ["pdf word"]],
      ["metadata list", { metadata: { tags: ["red"] } }, ["md word", "pdf word"]],
      ["any of several values", { metadata: { author: ["Ann", "Bob"] } }, ["md word", "pdf word"]],
      ["metadata number", { metadata: { year: [2026] } }, ["pdf word"]],
      ["numbers are not their digits", { metadata: { year: ["2026"] } }, []],
      ["metadata boolean", { metadata: { draft: [true] } }, ["md word"]],
      [
        "all conditions together",
        { formats: ["md"], metadata: { tags: ["red"], author: ["Bob"] } },
        ["md word"],
      ],
      ["contradiction", { formats: ["md"], metadata: { author: ["Ann"] } }, []],
      ["nothing allowed", { documentIds: [] }, []],
      ["dates before", { addedTo: "2000-01-01" }, []],
      [
        "dates around",
        { addedFrom: "2000-01-01", addedTo: "2999-12-31" },
        ["md word", "pdf word", "txt word"],
      ],
      ["dates after", { addedFrom: "2999-01-01T00:00:00Z" }, []],
    ];
    test.each(cases)("are exact by %s", async (_, filter, expected) => {
      const { documents } = subject.store;
      await addSample(documents, ["pdf word"], {
        id: "11111111-1111-4111-8111-111111111111",
        format: "pdf",
        filename: "a.pdf",
        metadata: { author: "Ann", tags: ["red", "blue"], year: 2026 },
      });
      await addSample(documents, ["md word"], {
        format: "md",
        filename: "b.md",
        metadata: { author: "Bob", tags: ["red"], draft: true },
      });
      await addSample(documents, ["txt word"], { filename: "c.txt" });
      expect((await lexical(["word"], filter)).sort()).toEqual(expected);
      expect((await nearest("pdf word", 10, filter)).sort()).toEqual(expected);
    });

    test("today is within a range that ends today", async () => {
      const { documents } = subject.store;
      const today = () => new Date().toISOString().slice(0, 10);
      const addedFrom = today();
      await addSample(documents, ["fresh"]);
      expect(await lexical(["fresh"], { addedFrom, addedTo: today() })).toEqual(["fresh"]);
    });
  });

  describe("several processes", () => {
    test("a change made by one is found by the other's next search", async () => {
      const here = subject.store.documents;
      const there = (await subject.another()).documents;
      const id = await addSample(here, ["first words"]);
      expect(await foundTexts(there, "words")).toEqual(["first words"]);
      const second = await addSample(there, ["second words"]);
      expect((await foundTexts(here, "words")).sort()).toEqual(["first words", "second words"]);
      await there.remove(id);
      expect(await foundTexts(here, "words")).toEqual(["second words"]);
      const vector = sampleVector("second words");
      expect(await here.nearest({ vector, limit: 5 })).toHaveLength(1);
      await here.remove(second);
      expect(await there.nearest({ vector, limit: 5 })).toEqual([]);
    });

    test("what was stored is there after closing and opening", async () => {
      const first = await subject.another();
      await addSample(first.documents, ["durable words"]);
      await first.close();
      const again = await subject.another();
      expect(await foundTexts(again.documents, "durable")).toEqual(["durable words"]);
    });

    test("an aborted search rejects as cancelled", async () => {
      const { documents } = subject.store;
      const signal = AbortSignal.abort();
      const query = { terms: [{ term: "x", weight: 1 }], limit: 1 };
      await expect(documents.lexical(query, signal)).rejects.toMatchObject({ code: "CANCELLED" });
      const vector = sampleVector("x");
      await expect(documents.nearest({ vector, limit: 1 }, signal)).rejects.toMatchObject({
        code: "CANCELLED",
      });
    });

    test("health names the driver and where the data is", async () => {
      const health = () => subject.store.health();
      // The check itself waits for a moment only, in which another process may have the processor.
      await expect
        .poll(health)
        .toMatchObject({ connected: true, originalsAccessible: true, issues: [] });
      expect((await health()).location).not.toBe("");
    });
  });
}
