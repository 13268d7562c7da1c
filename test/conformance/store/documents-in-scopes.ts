import { describe, expect, test } from "vitest";
import { addSample, sampleDocument } from "../../support/sample-documents.ts";
import type { Subject } from "../store.suite.ts";

const PAGE = { limit: 10, offset: 0, sortBy: "date_added", sortOrder: "asc" } as const;

/** What callers see in general: stress/sights compares every way to the data. */
export function scopedDocumentCases(subject: Subject): void {
  describe("documents in scopes", () => {
    const put = async (scope: string | undefined, text: string, sourcePath?: string) => {
      const { document, chunks } = sampleDocument([text]);
      const placed = { ...document, ...(scope && { scope }), ...(sourcePath && { sourcePath }) };
      expect(await subject.store.documents.put(placed, chunks)).toBe("stored");
      return document.id;
    };

    test("a path and a content belong to a scope", async () => {
      const { documents } = subject.store;
      const one = await put("a", "alpha", "/same");
      const other = await put("b", "alpha", "/same");
      expect((await documents.findByPath("/same", "a"))?.id).toBe(one);
      expect((await documents.findByPath("/same", "b"))?.id).toBe(other);
      const again = await put("b", "beta", "/same");
      expect(await documents.get(other)).toBeUndefined();
      expect((await documents.findByPath("/same", "b"))?.id).toBe(again);
      expect(await documents.get(one)).toMatchObject({ scope: "a" });
    });

    test("a moved document is seen by others at once, with its words", async () => {
      const { store } = subject;
      const id = await put("a", "alpha gamma");
      await addSample(store.documents, ["beta"]);
      const [inA, inB] = [store.documents.seenBy(["a"]), store.documents.seenBy(["b"])];
      expect((await inA.termStatistics(["alpha"])).chunkCount).toBe(1);
      expect(await inB.list(PAGE)).toEqual({ documents: [], total: 0 });
      expect(await store.documents.move(id, "b")).toBe("moved");
      expect((await inA.termStatistics(["alpha"])).chunkCount).toBe(0);
      const found = await inB.lexical({ terms: [{ term: "alpha", weight: 1 }], limit: 5 });
      expect(found.statistics.frequencies.get("alpha")).toBe(1);
      expect(found.hits).toHaveLength(1);
      expect(await inA.get(id)).toBeUndefined();
      expect(await store.documents.move("nobody", "b")).toBe("not-found");
    });

    test("a document does not move to where its content already is", async () => {
      const { documents } = subject.store;
      const { document, chunks } = sampleDocument(["alpha"]);
      await documents.put({ ...document, scope: "a" }, chunks);
      const twin = { ...document, id: `${document.id}-2`, scope: "b" };
      await documents.put(twin, chunks);
      expect(await documents.move(document.id, "b")).toBe("taken");
    });

    test("clearing a scope leaves the others", async () => {
      const { documents } = subject.store;
      await put("a", "alpha");
      const kept = await put(undefined, "beta");
      expect(await documents.clear(["a"])).toMatchObject({ documents: 1, chunks: 1 });
      expect((await documents.list(PAGE)).documents.map(({ id }) => id)).toEqual([kept]);
      expect(await documents.seenBy(["a"]).clear()).toMatchObject({ documents: 0 });
    });

    test.each(["folder", "site", "git", "s3", "export"] as const)(
      "a scope that a %s adds to is not removed",
      async (kind) => {
        const { scopes, sources } = subject.store;
        await scopes.apply([{ kind: "put-scope", scope: { id: "followed", tier: "PROJECT" } }]);
        await sources.put("f00", { kind, address: "/f", settings: { scope: "followed" } });
        await sources.put("f01", { kind, address: "/f", settings: {} });
        const remove = () => scopes.apply([{ kind: "remove-scope", id: "followed" }]);
        await expect(remove()).rejects.toMatchObject({
          code: "SCOPE_HAS_DOCUMENTS",
          details: { scope_id: "followed", sources: ["f00"] },
        });
        await sources.remove("f00");
        await remove();
      },
    );

    test("the general scope has no parent", async () => {
      const { scopes } = subject.store;
      const general = { id: "general", tier: "PROJECT", parent: "top" } as const;
      await scopes.apply([{ kind: "put-scope", scope: { id: "top", tier: "GENERAL" } }]);
      const put = scopes.apply([{ kind: "put-scope", scope: general }]);
      await expect(put).rejects.toMatchObject({ code: "SCOPE_CONFLICT" });
    });

    test("a scope with documents is not removed: SCOPE_HAS_DOCUMENTS", async () => {
      const { scopes } = subject.store;
      await scopes.apply([{ kind: "put-scope", scope: { id: "a", tier: "GENERAL" } }]);
      const id = await put("a", "alpha");
      const removal = scopes.apply([{ kind: "remove-scope", id: "a" }]);
      await expect(removal).rejects.toMatchObject({
        code: "SCOPE_HAS_DOCUMENTS",
        details: { documents: [{ document_id: id }] },
      });
      await subject.store.documents.remove(id);
      await scopes.apply([{ kind: "remove-scope", id: "a" }]);
    });
  });
}
