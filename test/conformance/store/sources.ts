import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { sourceMetadata } from "../../../src/domain/internal-metadata.ts";
import type { SearchFilter } from "../../../src/domain/passage.ts";
import { sampleDocument, sampleHash } from "../../support/sample-documents.ts";
import type { Subject } from "../store.suite.ts";

const LONG_MS = 60_000;
const SITE = {
  kind: "site",
  address: "https://example.com/手引/",
  settings: { depth: 3 },
} as const;
const REQUEST = {
  ...{ contentHash: sampleHash("sync"), filename: "site", sizeBytes: 1 },
  ...{ metadata: {}, forceOcr: false, many: "source" as const, source: "s1" },
};
const RUN = {
  task: "t1",
  ...{ startedAt: "2026-01-01T00:00:00.000Z", finishedAt: "2026-01-01T00:01:00.000Z" },
  ...{ found: 2, added: 1, unchanged: 0, removed: 0, failed: 1 },
  failures: [{ file: "a", error: "corrupt_file", message: "It is broken." }],
};

export function sourceCases(subject: Subject): void {
  const running = async () => {
    const { tasks } = subject.store;
    const { id } = await tasks.enqueue(randomUUID(), REQUEST);
    await tasks.claimById(id, "w1", LONG_MS);
    return id;
  };

  describe("sources", () => {
    test("are listed as they were put; putting one again changes its settings only", async () => {
      const { sources } = subject.store;
      await sources.put("s1", SITE, "2026-01-02T00:00:00.000Z");
      await sources.change("s1", { isPaused: true });
      await sources.put("s1", { ...SITE, settings: { depth: 5 } });
      const [listed, ...others] = await sources.list();
      expect(others).toEqual([]);
      const { kind, address } = SITE;
      expect(listed).toMatchObject({
        kind,
        address,
        id: "s1",
        isPaused: true,
        items: 0,
        failed: 0,
      });
      expect(listed?.settings).toEqual({ depth: 5 });
      expect(listed?.nextRun).toBeUndefined();
      expect([await sources.remove("s1"), await sources.remove("s1")]).toEqual([true, false]);
    });

    test("are taken by one open task at a time", async () => {
      const { sources, tasks } = subject.store;
      await sources.put("s1", SITE);
      const [first, second] = [await running(), await running()];
      expect((await sources.begin("s1", first))?.task).toBe(first);
      expect(await sources.begin("s1", second)).toBeUndefined();
      // The same task again, after its process died.
      expect((await sources.begin("s1", first))?.id).toBe("s1");
      await tasks.fail(first, "w1", { error: "x", message: "y" });
      expect((await sources.begin("s1", second))?.task).toBe(second);
      expect(await sources.begin("none", second)).toBeUndefined();
      await sources.end("s1", { ...RUN, task: second });
      expect((await sources.begin("s1", second))?.wasWhole).toBe(true);
      await tasks.fail(second, "w1", { error: "x", message: "y" });
      const [third, fourth] = [await running(), await running()];
      expect((await sources.begin("s1", third))?.wasWhole).toBe(true);
      // The third died, and did not record its end.
      expect((await sources.begin("s1", third))?.wasWhole).toBe(false);
      await tasks.fail(third, "w1", { error: "x", message: "y" });
      expect((await sources.begin("s1", fourth))?.wasWhole).toBe(false);
    });

    test("are due when their time has come, unless they are paused or being synced", async () => {
      const { sources } = subject.store;
      const now = "2026-06-01T00:00:00.000Z";
      await sources.put("past", SITE, "2026-05-31T23:59:59.999Z");
      await sources.put("future", SITE, "2026-06-01T00:00:00.001Z");
      await sources.put("paused", SITE, "2026-01-01T00:00:00.000Z");
      await sources.put("busy", SITE, "2026-01-01T00:00:00.000Z");
      await sources.put("manual", SITE);
      await sources.change("paused", { isPaused: true });
      await sources.begin("busy", await running());
      expect(await sources.due(now)).toEqual(["past"]);
    });

    test("record items while their task is held, and say which document is missing", async () => {
      const { sources, tasks, documents } = subject.store;
      await sources.put("s1", SITE);
      const taskId = await running();
      await sources.begin("s1", taskId);
      const { document, chunks } = sampleDocument(["Herons."]);
      const { contentHash } = document;
      await documents.put(document, chunks);
      const stored = { item: "a", version: "1", path: "/a", contentHash };
      const lost = { item: "b", version: "1", path: "/b", contentHash: sampleHash("other") };
      const failed = { item: "c", failure: { error: "corrupt_file", message: "It is broken." } };
      const holder = { taskId, worker: "w1" };
      // Nothing to read in it, which is no failure.
      const put = [stored, lost, failed, { item: "d", failure: "none" as const }];
      expect(await sources.record("s1", { put, removed: [] }, holder)).toBe("recorded");
      expect(await sources.items("s1")).toEqual([
        { ...stored, isMissing: false },
        { ...lost, isMissing: true },
        { ...failed, isMissing: false },
        { item: "d", failure: "none", isMissing: false },
      ]);
      expect(await sources.list()).toMatchObject([{ items: 4, failed: 1 }]);
      await documents.remove(document.id);
      const again = { put: [{ item: "c", version: "2" }], removed: ["b"] };
      await sources.record("s1", again, holder);
      expect(
        (await sources.items("s1")).map(({ item, version, isMissing }) => [
          item,
          version,
          isMissing,
        ]),
      ).toEqual([
        ["a", "1", true],
        ["c", "2", true],
        ["d", undefined, false],
      ]);
      const other = { taskId, worker: "w2" };
      expect(await sources.record("s1", again, other)).toBe("lease-lost");
      await tasks.cancel(taskId);
      expect(await sources.record("s1", again, holder)).toBe("lease-lost");
    });

    test("give documents a date, which searches filter by", async () => {
      const { documents } = subject.store;
      const dates = { old: "2020-03-04T05:06:07.000Z", new: "2025-03-04T05:06:07.000Z", none: "" };
      for (const [filename, modified] of Object.entries(dates)) {
        const { document, chunks } = sampleDocument([`Herons ${filename}`]);
        const metadata = sourceMetadata(modified === "" ? {} : { modified });
        await documents.put({ ...document, filename, metadata }, chunks);
      }
      const names = async (filter: SearchFilter) => {
        const terms = [{ term: "herons", weight: 1 }];
        const { hits } = await documents.lexical({ terms, limit: 10, filter });
        const found = await documents.chunks(hits.map(({ key }) => key));
        return found.map((chunk) => chunk.document.filename).sort();
      };
      expect(await names({ modifiedFrom: "2021-01-01" })).toEqual(["new"]);
      expect(await names({ modifiedTo: "2020-03-04" })).toEqual(["old"]);
      expect(await names({ modifiedFrom: "2020-03-04", modifiedTo: "2025-03-04" })).toEqual([
        "new",
        "old",
      ]);
      expect(await names({ asOf: "2024-01-01" })).toEqual(["old"]);
      expect(await names({ asOf: "2999-01-01" })).toEqual(["new", "none", "old"]);
    });

    test("keep how the last run ended, and their items until they are removed", async () => {
      const { sources } = subject.store;
      await sources.put("s1", SITE);
      await sources.restore("s1", [{ item: "a", version: "1" }]);
      await sources.end("s1", RUN, "2026-07-01T00:00:00.000Z");
      expect(await sources.list()).toMatchObject([
        { lastRun: RUN, nextRun: "2026-07-01T00:00:00.000Z", items: 1 },
      ]);
      await sources.remove("s1");
      await sources.put("s1", SITE);
      expect(await sources.items("s1")).toEqual([]);
    });
  });
}
