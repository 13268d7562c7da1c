import { describe, expect, test } from "vitest";
import type { ClaimedDocument, IndexedChunk, Store } from "../../../src/store/store.ts";
import {
  addSample,
  FINGERPRINT,
  sampleDocument,
  sampleVector,
} from "../../support/sample-documents.ts";
import type { Subject } from "../store.suite.ts";

const CLAIM = { fingerprint: FINGERPRINT, leaseMs: 60_000, chunks: 100 };

/** Stored in the first stage: light vectors, to be refined. */
async function addLight(
  { documents }: Store,
  texts: readonly string[],
  encoding: IndexedChunk["encoding"] = "waiting",
): Promise<string> {
  const { document, chunks } = sampleDocument(texts);
  const light = chunks.map((chunk) => ({
    ...chunk,
    vector: sampleVector(`light ${chunk.text}`),
    ...(encoding === undefined ? {} : { encoding }),
  }));
  await documents.put(document, light);
  return document.id;
}

/** As the model makes them: the vector of the text itself. */
const refine = (claimed: readonly ClaimedDocument[]) =>
  claimed.map(({ id, chunks }) => ({
    id,
    chunks: chunks.map(({ key, text }) => ({ key, vector: sampleVector(text) })),
  }));

/** The cosine of the nearest chunk with the text's own vector: 1 once it is refined. */
async function nearestTo({ documents }: Store, text: string) {
  const [hit] = await documents.nearest({ vector: sampleVector(text), limit: 1 });
  const [chunk] = hit ? await documents.chunks([hit.key]) : [];
  return { text: chunk?.text, score: hit?.score ?? 0 };
}

export function refinementCases(subject: Subject): void {
  const waiting = () => subject.store.refinements.waiting(FINGERPRINT);
  const claim = (worker: string, more: Partial<typeof CLAIM> = {}) =>
    subject.store.refinements.claim({ ...CLAIM, worker, ...more });

  describe("refining vectors", () => {
    test("a light vector is found at once, and the refined one replaces it", async () => {
      const { store } = subject;
      await addLight(store, ["one", "two"]);
      expect(await waiting()).toEqual({ documents: 1, chunks: 2 });
      expect((await nearestTo(store, "light one")).score).toBeGreaterThan(0.99);
      const claimed = await claim("w");
      expect(claimed[0]?.chunks).toMatchObject([
        { text: "one", headings: ["Sample"] },
        { text: "two" },
      ]);
      expect(await store.refinements.storeVectors("w", refine(claimed))).toBe(2);
      expect(await waiting()).toEqual({ documents: 0, chunks: 0 });
      for (const text of ["one", "two"]) {
        const found = await nearestTo(store, text);
        expect(found.text).toBe(text);
        expect(found.score).toBeGreaterThan(0.99);
      }
      expect(await claim("w")).toEqual([]);
    });

    test("another process's searches see refined vectors, whenever they looked before", async () => {
      const { store } = subject;
      const texts = Array.from({ length: 400 }, (_, at) => `text ${at}`);
      const other = await subject.another();
      await addLight(store, texts);
      await nearestTo(other, "anything");
      await store.refinements.storeVectors("w", refine(await claim("w")));
      expect((await nearestTo(other, "text 7")).score).toBeGreaterThan(0.99);
      const late = await subject.another();
      expect((await nearestTo(late, "text 7")).score).toBeGreaterThan(0.99);
      for (let step = 0; step < 3; step++) {
        await store.refinements.storeVectors("w", refine(await claim("w")));
      }
      expect(await waiting()).toEqual({ documents: 0, chunks: 0 });
      for (const each of [store, other, late, await subject.another()]) {
        expect((await nearestTo(each, "text 7")).score).toBeGreaterThan(0.99);
        expect((await nearestTo(each, "text 399")).score).toBeGreaterThan(0.99);
      }
    });

    test("a step is made of parts of a long document, or of many short ones", async () => {
      const { store } = subject;
      await addLight(store, ["a", "b", "c"]);
      await addLight(store, ["d"]);
      await addLight(store, ["e"]);
      const first = await claim("w", { chunks: 2 });
      expect(first.map(({ chunks }) => chunks.length)).toEqual([2]);
      await store.refinements.storeVectors("w", refine(first));
      const second = await claim("w", { chunks: 3 });
      expect(second.flatMap(({ chunks }) => chunks.map(({ text }) => text))).toEqual([
        "c",
        "d",
        "e",
      ]);
    });

    test("no two processes get the same document, and one that dies loses nothing", async () => {
      const { store } = subject;
      await addLight(store, ["one"]);
      await addLight(store, ["two"]);
      const other = await subject.another();
      const mine = await claim("w", { chunks: 1 });
      const theirs = await other.refinements.claim({ ...CLAIM, worker: "v" });
      expect([...mine, ...theirs].map(({ chunks }) => chunks[0]?.text)).toEqual(["one", "two"]);
      expect((await store.refinements.holders()).toSorted()).toEqual(["v", "w"]);
      await other.refinements.release("w");
      const again = await other.refinements.claim({ ...CLAIM, worker: "v" });
      expect(again.map(({ chunks }) => chunks[0]?.text)).toEqual(["one"]);
      // Whoever lost the document stores nothing any more.
      expect(await store.refinements.storeVectors("w", refine(mine))).toBe(0);
      expect(await other.refinements.storeVectors("v", refine([...again, ...theirs]))).toBe(2);
      expect(await waiting()).toEqual({ documents: 0, chunks: 0 });
    });

    test("an expired lease can be taken by another worker", async () => {
      await addLight(subject.store, ["one"]);
      expect(await claim("w", { leaseMs: 0 })).toHaveLength(1);
      expect(await claim("v")).toHaveLength(1);
    });

    test("a document that is removed or replaced meanwhile is left alone", async () => {
      const { store } = subject;
      const gone = await addLight(store, ["gone"]);
      const { document, chunks } = sampleDocument(["old"]);
      await store.documents.put(
        document,
        chunks.map((c) => ({ ...c, encoding: "waiting" as const })),
      );
      const claimed = await claim("w");
      await store.documents.remove(gone);
      const fresh = sampleDocument(["new"], { id: document.id });
      await store.documents.put(
        fresh.document,
        fresh.chunks.map((c) => ({ ...c, encoding: "light" as const })),
      );
      expect(await store.refinements.storeVectors("w", refine(claimed))).toBe(0);
      expect(await waiting()).toEqual({ documents: 0, chunks: 0 });
      expect((await nearestTo(store, "new")).text).toBe("new");
    });

    test("documents of another light table, and those that the model does not read, are left alone", async () => {
      const { store } = subject;
      await addLight(store, ["light"], "light");
      await addSample(store.documents, ["without a light encoder"]);
      await addLight(store, ["waiting"]);
      expect(await waiting()).toEqual({ documents: 1, chunks: 1 });
      const other = `${FINGERPRINT}+light-2`;
      expect(await store.refinements.waiting(other)).toEqual({ documents: 0, chunks: 0 });
      expect(await claim("w", { fingerprint: other })).toEqual([]);
      expect((await store.documents.stale(other, 10)).total).toBe(3);
      const claimed = await claim("w");
      expect(claimed.flatMap(({ chunks }) => chunks.map(({ text }) => text))).toEqual(["waiting"]);
    });

    test("a waiting document without a vector is refined, not reindexed", async () => {
      const { store } = subject;
      const { document, chunks } = sampleDocument(["bare", "full"]);
      const [{ vector: _, ...bare }, full] = chunks as [IndexedChunk, IndexedChunk];
      await store.documents.put(document, [
        { ...bare, encoding: "waiting" },
        { ...full, encoding: "light" },
      ]);
      expect((await store.documents.stale(FINGERPRINT, 10)).total).toBe(0);
      expect((await nearestTo(store, "full")).text).toBe("full");
      await store.refinements.storeVectors("w", refine(await claim("w")));
      expect(await nearestTo(store, "bare")).toMatchObject({ text: "bare" });
      expect((await store.documents.stale(FINGERPRINT, 10)).total).toBe(0);
    });

    test("a copy keeps which encoder made each vector", async () => {
      const { store } = subject;
      const id = await addLight(
        store,
        Array.from({ length: 300 }, (_, at) => `text ${at}`),
      );
      await store.refinements.storeVectors("w", refine(await claim("w", { chunks: 10 })));
      const whole = await store.documents.whole(id);
      expect(whole?.chunks.slice(9, 11).map(({ encoding }) => encoding)).toEqual([
        "model",
        "waiting",
      ]);
      const expected = sampleVector("text 9");
      expect(whole?.chunks[9]?.vector?.[0]).toBeCloseTo(expected[0] ?? 0, 1);
    });
  });
}
