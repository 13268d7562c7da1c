import { randomBytes } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import type { SearchFilter } from "../../../src/domain/passage.ts";
import type { DocumentPage } from "../../../src/store/store.ts";
import {
  addSample,
  FINGERPRINT,
  foundTexts,
  sampleChunks,
  sampleDocument,
} from "../../support/sample-documents.ts";
import type { Subject } from "../store.suite.ts";

type Sample = ReturnType<typeof sampleDocument>;

const FIRST_PAGE: DocumentPage = { limit: 10, offset: 0, sortBy: "date_added", sortOrder: "asc" };

export function documentCases(subject: Subject): void {
  describe("documents", () => {
    test("an empty store has nothing to list and zero totals", async () => {
      const { documents } = subject.store;
      expect(await documents.list(FIRST_PAGE)).toEqual({ documents: [], total: 0 });
      expect(await documents.totals()).toMatchObject({ documents: 0, chunks: 0, sizeBytes: 0 });
      expect(await documents.get("nobody")).toBeUndefined();
      expect(await documents.extracted("nobody")).toBeUndefined();
      expect(await documents.chunksOf("nobody")).toEqual([]);
    });

    test("hidden text comes back with its document, within a filter", async () => {
      const { documents } = subject.store;
      const hidden = [{ place: { page: 1 }, kind: "hidden", text: "Nobody sees this." }] as const;
      const warnings = [{ code: "hiddenOnPages", values: ["1", "1"] }] as const;
      const { document, chunks } = sampleDocument(["alpha beta"], { format: "pdf" });
      const extracted = { ...document.extracted, hidden, warnings };
      await documents.put({ ...document, extracted }, chunks);
      const plain = sampleDocument(["gamma"]);
      await documents.put(plain.document, plain.chunks);
      expect(await documents.extracted(document.id)).toEqual(extracted);
      expect((await documents.whole(document.id))?.document.extracted).toEqual(extracted);
      const { id, filename } = document;
      expect(await documents.withHidden()).toEqual([{ id, filename, hidden }]);
      expect(await documents.withHidden({ formats: ["pdf"] })).toHaveLength(1);
      expect(await documents.withHidden({ formats: ["md"] })).toEqual([]);
    });

    test("documents are counted when they are shown, and listed by it within a filter", async () => {
      const { documents } = subject.store;
      const [a, b, c] = [["alpha"], ["beta"], ["gamma"]].map((texts) =>
        sampleDocument(texts, texts[0] === "beta" ? { format: "pdf" } : {}),
      ) as [Sample, Sample, Sample];
      for (const { document, chunks } of [a, b, c]) await documents.put(document, chunks);
      const counts = async (filter: SearchFilter = {}, limit = 9) =>
        (await documents.shownMost(filter, limit)).map(({ document, shown }) => [
          document.id,
          shown,
        ]);
      expect(await counts()).toEqual([]);
      await documents.countShown(
        new Map([
          [a.document.id, 2],
          [b.document.id, 1],
          ["gone", 5],
        ]),
      );
      await documents.countShown(new Map([[b.document.id, 3]]));
      await documents.countShown(new Map());
      expect(await counts()).toEqual([
        [b.document.id, 4],
        [a.document.id, 2],
      ]);
      expect(await counts({ formats: ["pdf"] })).toEqual([[b.document.id, 4]]);
      expect(await counts({}, 1)).toHaveLength(1);
      expect(await counts({ asOf: "2001-01-01" })).toEqual([]);
    });

    test("a stored document comes back as it was given", async () => {
      const { documents } = subject.store;
      const { document, chunks } = sampleDocument(["alpha beta", "gamma"], {
        filename: "Größe 見積.pdf",
        sourcePath: "/data/a.pdf",
        format: "pdf",
        title: "A title",
        metadata: { tags: ["x", "y"], year: 2026, nested: { deep: true } },
      });
      expect(await documents.put(document, chunks)).toBe("stored");
      const stored = await documents.get(document.id);
      expect(stored).toMatchObject({
        id: document.id,
        filename: "Größe 見積.pdf",
        sourcePath: "/data/a.pdf",
        contentHash: document.contentHash,
        format: "pdf",
        title: "A title",
        sizeBytes: document.sizeBytes,
        chunkCount: 2,
        method: "text_extraction",
        pages: document.extracted.pages,
        warnings: [],
        metadata: { tags: ["x", "y"], year: 2026, nested: { deep: true } },
      });
      expect(Math.abs(Date.parse(stored?.dateAdded ?? "") - Date.now())).toBeLessThan(60_000);
      expect(await documents.findByHash(document.contentHash)).toEqual(stored);
      expect(await documents.findByPath("/data/a.pdf")).toEqual(stored);
      expect(await documents.extracted(document.id)).toEqual({
        ...document.extracted,
        title: "A title",
      });
    });

    test("a document that is stored while another process clears is whole or gone", async () => {
      const { documents } = subject.store;
      const other = (await subject.another()).documents;
      let cleared = 0;
      for (let round = 0; round < 12; round++) {
        const puts = Array.from({ length: 4 }, (_, at) =>
          addSample(documents, [`round${round} at${at}`, "more of it"]),
        );
        const clears = [other.clear(), documents.clear(), other.clear()];
        await Promise.all(puts);
        for (const { documents: gone } of await Promise.all(clears)) cleared += gone;
        const left = await documents.list(FIRST_PAGE);
        for (const { id, chunkCount } of left.documents)
          expect(await documents.chunksOf(id)).toHaveLength(chunkCount);
        expect((await foundTexts(documents, `round${round}`)).length).toBe(left.total);
        cleared += (await documents.clear()).documents;
      }
      expect(cleared).toBe(12 * 4);
    });

    test("chunks come back in order with what is needed to cite them", async () => {
      const { documents } = subject.store;
      const { document, chunks } = sampleDocument(["one", "two 🚀 二", "three"]);
      const detailed = chunks.map((chunk) => ({
        ...chunk,
        until: { page: 9 },
        headings: ["Part", "表"],
        tableHeader: "| a | b |",
      }));
      await documents.put(document, detailed);
      const stored = await documents.chunksOf(document.id);
      expect(stored.map(({ key: _, id: __, document: ___, ...chunk }) => chunk)).toEqual(
        detailed.map(({ terms: _, vector: __, ...chunk }) => chunk),
      );
      const keys = stored.map((chunk) => chunk.key);
      expect(await documents.chunks([...keys].reverse())).toEqual([...stored].reverse());
      expect(new Set(stored.map((chunk) => chunk.id)).size).toBe(3);
      expect(await documents.get(document.id)).toMatchObject({ ...stored[0]?.document });
    });

    test("removed keys are left out", async () => {
      const { documents } = subject.store;
      const kept = await addSample(documents, ["kept"]);
      const gone = await addSample(documents, ["gone"]);
      const keys = [...(await documents.chunksOf(gone)), ...(await documents.chunksOf(kept))];
      await documents.remove(gone);
      const found = await documents.chunks(keys.map((chunk) => chunk.key));
      expect(found.map((chunk) => chunk.text)).toEqual(["kept"]);
    });

    test("a document without chunks is stored and listed", async () => {
      const { documents } = subject.store;
      const id = await addSample(documents, []);
      expect((await documents.get(id))?.chunkCount).toBe(0);
      expect(await documents.totals()).toMatchObject({ documents: 1, chunks: 0 });
      expect((await documents.remove(id))?.id).toBe(id);
    });

    test("a document from the same path replaces the old one", async () => {
      const { documents } = subject.store;
      const old = await addSample(documents, ["old words"], { sourcePath: "/same" });
      const fresh = await addSample(documents, ["new words"], { sourcePath: "/same" });
      expect(await documents.get(old)).toBeUndefined();
      expect((await documents.findByPath("/same"))?.id).toBe(fresh);
      expect(await foundTexts(documents, "words")).toEqual(["new words"]);
      expect(await documents.totals()).toMatchObject({ documents: 1, chunks: 1 });
    });

    test("a path as long as the system allows is stored, found and replaced", async () => {
      const { documents } = subject.store;
      const parts = Array.from({ length: 64 }, () => randomBytes(45).toString("base64url"));
      const sourcePath = `/${parts.join("/")}`;
      const old = await addSample(documents, ["old words"], { sourcePath });
      const fresh = await addSample(documents, ["new words"], { sourcePath });
      expect(await documents.get(old)).toBeUndefined();
      expect(await documents.findByPath(sourcePath)).toMatchObject({ id: fresh, sourcePath });
      expect(await documents.findByPath(`${sourcePath}x`)).toBeUndefined();
    });

    test("a document with the same id replaces the old one", async () => {
      const { documents } = subject.store;
      const id = await addSample(documents, ["first take"]);
      await addSample(documents, ["second take", "longer"], { id });
      expect(await foundTexts(documents, "take")).toEqual(["second take"]);
      expect((await documents.get(id))?.chunkCount).toBe(2);
    });

    test("documents without a path never replace each other", async () => {
      const { documents } = subject.store;
      await addSample(documents, ["upload one"]);
      await addSample(documents, ["upload two"]);
      expect(await documents.totals()).toMatchObject({ documents: 2 });
    });

    test("a document is found by every name that its content had, and by its title", async () => {
      const { documents } = subject.store;
      const id = await addSample(documents, ["mine"], { filename: "a.md", title: "About apples" });
      await documents.adopt(id, { metadata: { $filename: ["copy.md"] } });
      const terms = [{ term: "mine", weight: 1 }];
      const found = async (filter: SearchFilter) =>
        (await documents.lexical({ terms, limit: 5, filter })).hits.length;
      expect(await found({ filenames: ["a.md"] })).toBe(1);
      expect(await found({ filenames: ["copy.md"] })).toBe(1);
      expect(await found({ filenames: ["other.md"] })).toBe(0);
      expect(await found({ titles: ["About apples"] })).toBe(1);
      expect(await found({ titles: ["About pears"] })).toBe(0);
      expect((await documents.list({ ...FIRST_PAGE, match: "COPY" })).total).toBe(1);
    });

    test("a document is found by globs of its path, and by its name where it has none", async () => {
      const { documents } = subject.store;
      await addSample(documents, ["mine"], { sourcePath: "/home/me/docs/deep/a.md" });
      await addSample(documents, ["mine"], { filename: "upload (1).md" });
      const terms = [{ term: "mine", weight: 1 }];
      const found = async (...paths: string[]) =>
        (await documents.lexical({ terms, limit: 5, filter: { paths } })).hits.length;
      expect(await found("docs/**/*.md")).toBe(1);
      expect(await found("/home/*/docs/**")).toBe(1);
      expect(await found("ocs/**")).toBe(0);
      expect(await found("docs/*.md")).toBe(0);
      expect(await found("*.md")).toBe(2);
      expect(await found("upload (?).md", "none")).toBe(1);
      expect(await found("docs.deep.a.md")).toBe(0);
    });

    test("the metadata keys in use are known", async () => {
      const { documents } = subject.store;
      await addSample(documents, ["x"], { metadata: { author: "Ann", tags: ["a"] } });
      expect(await documents.knownKeys(["autor", "tags", "author"])).toEqual(["tags", "author"]);
      expect(await documents.knownKeys([])).toEqual([]);
    });

    test("adopting merges metadata, moves the path and drops that path's old document", async () => {
      const { documents } = subject.store;
      const id = await addSample(documents, ["mine"], { metadata: { a: 1, b: 2 } });
      const other = await addSample(documents, ["other"], { sourcePath: "/there" });
      const again = { sourcePath: "/there", metadata: { b: 3, c: 4 } };
      expect(await documents.adopt(id, again)).toBe("adopted");
      expect(await documents.get(id)).toMatchObject({
        sourcePath: "/there",
        metadata: { a: 1, b: 3, c: 4 },
      });
      expect(await documents.get(other)).toBeUndefined();
      expect(await documents.adopt("nobody", { metadata: {} })).toBe("not-found");
      const filter = { metadata: { b: [3] } };
      const terms = [{ term: "mine", weight: 1 }];
      expect((await documents.lexical({ terms, limit: 5, filter })).hits).toHaveLength(1);
      const before = { metadata: { b: [2] } };
      expect((await documents.lexical({ terms, limit: 5, filter: before })).hits).toEqual([]);
    });

    test("a removed document is gone from everything", async () => {
      const { documents } = subject.store;
      const id = await addSample(documents, ["short lived"], { sourcePath: "/p" });
      const removed = await documents.remove(id);
      expect(removed?.id).toBe(id);
      expect(await documents.get(id)).toBeUndefined();
      expect(await documents.findByPath("/p")).toBeUndefined();
      expect(await documents.chunksOf(id)).toEqual([]);
      expect(await foundTexts(documents, "lived")).toEqual([]);
      expect(await documents.totals()).toMatchObject({ documents: 0, chunks: 0, sizeBytes: 0 });
      expect(await documents.remove(id)).toBeUndefined();
    });

    test("clear removes every document and returns the totals", async () => {
      const { documents } = subject.store;
      await addSample(documents, ["one", "two"], { sizeBytes: 10 });
      await addSample(documents, ["three"], { sizeBytes: 5 });
      expect(await documents.clear()).toMatchObject({ documents: 2, chunks: 3, sizeBytes: 15 });
      expect(await documents.totals()).toMatchObject({ documents: 0, chunks: 0, sizeBytes: 0 });
      expect(await foundTexts(documents, "one two three")).toEqual([]);
      await addSample(documents, ["one more"]);
      expect(await foundTexts(documents, "one")).toEqual(["one more"]);
    });

    test("totals count documents, chunks and bytes and show the last change", async () => {
      const { documents } = subject.store;
      await addSample(documents, ["a", "b"], { sizeBytes: 7 });
      const first = await documents.totals();
      expect(first).toMatchObject({ documents: 1, chunks: 2, sizeBytes: 7 });
      await pause(5);
      await addSample(documents, ["c"], { sizeBytes: 1 });
      const second = await documents.totals();
      expect(second).toMatchObject({ documents: 2, chunks: 3, sizeBytes: 8 });
      expect((second.lastUpdated ?? "") > (first.lastUpdated ?? "")).toBe(true);
    });
  });

  describe("listing", () => {
    const names = async (page: Partial<DocumentPage>) => {
      const { documents, total } = await subject.store.documents.list({ ...FIRST_PAGE, ...page });
      return { names: documents.map((document) => document.filename), total };
    };
    const fill = async () => {
      const { documents } = subject.store;
      await addSample(documents, ["x"], { filename: "beta.txt", sizeBytes: 30 });
      await pause(5);
      await addSample(documents, ["x"], {
        filename: "Alpha.pdf",
        sizeBytes: 10,
        title: "Über Uns",
      });
      await pause(5);
      await addSample(documents, ["x"], { filename: "gamma.md", sizeBytes: 20 });
    };

    test("sorts by date, name and size, both ways", async () => {
      await fill();
      const orders: [Partial<DocumentPage>, string[]][] = [
        [{}, ["beta.txt", "Alpha.pdf", "gamma.md"]],
        [{ sortOrder: "desc" }, ["gamma.md", "Alpha.pdf", "beta.txt"]],
        [{ sortBy: "filename" }, ["Alpha.pdf", "beta.txt", "gamma.md"]],
        [{ sortBy: "size" }, ["Alpha.pdf", "gamma.md", "beta.txt"]],
        [{ sortBy: "size", sortOrder: "desc" }, ["beta.txt", "gamma.md", "Alpha.pdf"]],
      ];
      for (const [page, expected] of orders) expect((await names(page)).names).toEqual(expected);
    });

    test("pages do not overlap and the total counts all of them", async () => {
      await fill();
      expect(await names({ limit: 2 })).toEqual({ names: ["beta.txt", "Alpha.pdf"], total: 3 });
      expect(await names({ limit: 2, offset: 2 })).toEqual({ names: ["gamma.md"], total: 3 });
      expect(await names({ limit: 2, offset: 9 })).toEqual({ names: [], total: 3 });
    });

    test("matches a part of the name or title in any case, taken literally", async () => {
      await fill();
      expect(await names({ match: "ALPHA" })).toEqual({ names: ["Alpha.pdf"], total: 1 });
      expect(await names({ match: "über" })).toEqual({ names: ["Alpha.pdf"], total: 1 });
      expect(await names({ match: "%" })).toEqual({ names: [], total: 0 });
      expect(await names({ match: "_" })).toEqual({ names: [], total: 0 });
    });
  });

  describe("reindexing", () => {
    test("documents of another fingerprint or without vectors are stale", async () => {
      const { documents } = subject.store;
      await addSample(documents, ["fine"]);
      const old = await addSample(documents, ["old"], { fingerprint: "model-0" });
      const bare = await addSample(documents, ["bare"], { withVectors: false });
      const stale = await documents.stale(FINGERPRINT, 10);
      expect([...stale.ids].sort()).toEqual([old, bare].sort());
      expect(stale.total).toBe(2);
      expect((await documents.stale(FINGERPRINT, 1)).ids).toHaveLength(1);
    });

    test("it is known of which models there are vectors", async () => {
      const { documents } = subject.store;
      await addSample(documents, ["old"], { fingerprint: "one:1+rest" });
      await addSample(documents, ["new"], { fingerprint: "two:1+rest" });
      const models = ["one:1", "two:1", "one", "one:1+rest", "one:10", "zero"];
      const has = await Promise.all(models.map((model) => documents.hasVectorsOf(model)));
      expect(has).toEqual([true, true, false, false, false, false]);
    });

    test("vectors of another model are left out until they are recomputed", async () => {
      const { documents } = subject.store;
      const old = await addSample(documents, ["same text"], { fingerprint: "one+rest" });
      await addSample(documents, ["same text too"], { fingerprint: "two+rest" });
      const vector = sampleChunks(["same text"])[0]?.vector ?? new Float32Array();
      const found = async (model?: string) => {
        const hits = await documents.nearest({ vector, limit: 9, ...(model && { model }) });
        const chunks = await documents.chunks(hits.map(({ key }) => key));
        return chunks.map(({ text }) => text);
      };
      expect(await found("two")).toEqual(["same text too"]);
      expect(await found()).toEqual(["same text", "same text too"]);
      await documents.reindex(old, { fingerprint: "two+rest" }, sampleChunks(["same text"]));
      expect(await found("two")).toEqual(["same text", "same text too"]);
      expect(await found("one")).toEqual([]);
    });

    test("reindexing swaps the chunks and keeps the document", async () => {
      const { documents } = subject.store;
      const id = await addSample(documents, ["same text"], { fingerprint: "model-0" });
      const before = await documents.get(id);
      const halves = sampleChunks(["same", "ext"]).map((chunk, index) => ({
        ...chunk,
        start: index * 6,
        end: index * 6 + chunk.text.length,
      }));
      expect(await documents.reindex(id, { fingerprint: FINGERPRINT }, halves)).toBe("reindexed");
      expect(await documents.get(id)).toEqual({ ...before, chunkCount: 2 });
      expect((await documents.chunksOf(id)).map((chunk) => chunk.text)).toEqual(["same", "ext"]);
      expect(await foundTexts(documents, "text")).toEqual([]);
      expect(await foundTexts(documents, "ext")).toEqual(["ext"]);
      expect((await documents.stale(FINGERPRINT, 10)).total).toBe(0);
      expect(await documents.totals()).toMatchObject({ documents: 1, chunks: 2 });
      expect(await documents.reindex("nobody", { fingerprint: FINGERPRINT }, [])).toBe("not-found");
    });
  });
}
