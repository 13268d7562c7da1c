import { createHash, randomUUID } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { addSample } from "../../support/sample-documents.ts";
import type { Subject } from "../store.suite.ts";

/** A private copy, as `keep` wants it. */
async function privateFile(content: string): Promise<{ hash: string; path: string }> {
  const path = join(tmpdir(), `original-${randomUUID()}`);
  await writeFile(path, content);
  return { hash: createHash("sha256").update(content).digest("hex"), path };
}

function requestOf(contentHash: string) {
  return { contentHash, filename: "f", sizeBytes: 1, metadata: {}, forceOcr: false };
}

export function originalCases(subject: Subject): void {
  describe("originals", () => {
    const keep = async (content: string) => {
      const { hash, path } = await privateFile(content);
      await subject.store.originals.keep(hash, path);
      return hash;
    };

    test("an original is readable after its source is gone", async () => {
      const { originals } = subject.store;
      const hash = await keep("the bytes");
      expect(await originals.has(hash)).toBe(true);
      const original = await originals.open(hash);
      expect(await readFile(original.path, "utf8")).toBe("the bytes");
      await original.release();
    });

    test("keeping the same content twice keeps one", async () => {
      const first = await keep("twice");
      expect(await keep("twice")).toBe(first);
      const { path, release } = await subject.store.originals.open(first);
      expect(await readFile(path, "utf8")).toBe("twice");
      await release();
    });

    test("an unknown original is not there and cannot be opened", async () => {
      const { originals } = subject.store;
      const hash = createHash("sha256").update("never kept").digest("hex");
      expect(await originals.has(hash)).toBe(false);
      await expect(originals.open(hash)).rejects.toMatchObject({ code: "FILE_NOT_FOUND" });
      expect(await originals.discard(hash, new Date().toISOString())).toBe("kept");
    });

    test("an original is removed with the last document that uses it", async () => {
      const { documents, originals } = subject.store;
      const contentHash = await keep("shared");
      const first = await addSample(documents, ["a"], { contentHash });
      const second = await addSample(documents, ["b"], { contentHash });
      await documents.remove(first);
      expect(await originals.has(contentHash)).toBe(true);
      await documents.remove(second);
      expect(await originals.has(contentHash)).toBe(false);
    });

    test("replacing a document removes its original and keeps the new one", async () => {
      const { documents, originals } = subject.store;
      const old = await keep("version 1");
      await addSample(documents, ["a"], { contentHash: old, sourcePath: "/p" });
      const fresh = await keep("version 2");
      await addSample(documents, ["b"], { contentHash: fresh, sourcePath: "/p" });
      expect(await originals.has(old)).toBe(false);
      expect(await originals.has(fresh)).toBe(true);
    });

    test("originals without a single document are reported at once, and stay", async () => {
      const { documents, originals } = subject.store;
      await documents.clear();
      const hashes = [await keep("first"), await keep("second")];
      const { problem, files, unreferenced } = await originals.survey();
      expect(unreferenced).toBe(files);
      expect(problem?.code).toMatch(/OfNone$/);
      expect(problem?.values[0]).toBe(problem?.values[1]);
      await originals.sweep();
      for (const hash of hashes) expect(await originals.has(hash)).toBe(true);
      await addSample(documents, ["a"], { contentHash: hashes[0] ?? "" });
      expect((await originals.survey()).problem).toBeUndefined();
    });

    test("clear drops the originals", async () => {
      const { documents, originals } = subject.store;
      const contentHash = await keep("cleared");
      await addSample(documents, ["a"], { contentHash });
      await documents.clear();
      expect(await originals.has(contentHash)).toBe(false);
    });

    test("an open task keeps its original until it ends", async () => {
      const { documents, originals, tasks } = subject.store;
      const contentHash = await keep("wanted by a task");
      const { id, createdAt } = await tasks.enqueue(randomUUID(), requestOf(contentHash));
      const document = await addSample(documents, ["a"], { contentHash });
      await documents.remove(document);
      expect(await originals.has(contentHash)).toBe(true);
      expect(await originals.discard(contentHash, createdAt)).toBe("kept");
      await tasks.cancel(id);
      expect(await originals.discard(contentHash, createdAt)).toBe("discarded");
      expect(await originals.has(contentHash)).toBe(false);
    });

    test("an original that was stored again meanwhile is kept", async () => {
      const { originals, tasks } = subject.store;
      const contentHash = await keep("wanted twice");
      const { id, createdAt } = await tasks.enqueue(randomUUID(), requestOf(contentHash));
      await tasks.cancel(id);
      await sleep(5);
      await keep("wanted twice");
      expect(await originals.discard(contentHash, createdAt)).toBe("kept");
      expect(await originals.has(contentHash)).toBe(true);
    });

    test("originals that no user removed go to the trash, until they are stored again", async () => {
      const { documents, originals, tasks } = subject.store;
      const { files, inTrash, missing } = await originals.survey();
      const failed = await keep("could not be read");
      const { id, createdAt } = await tasks.enqueue(randomUUID(), requestOf(failed));
      await tasks.cancel(id);
      expect(await originals.discard(failed, createdAt, { why: "failed" })).toBe("discarded");
      const left = await keep("left its folder");
      await documents.remove(
        await addSample(documents, ["a"], { contentHash: left }),
        "left-folder",
      );
      expect(await originals.has(failed)).toBe(false);
      expect(await originals.has(left)).toBe(false);
      expect(await originals.survey()).toMatchObject({ files, inTrash: inTrash + 2, missing });
      await keep("could not be read");
      expect(await originals.has(failed)).toBe(true);
      expect(await originals.survey()).toMatchObject({ files: files + 1, missing });
      const { path, release } = await originals.open(left);
      expect(await readFile(path, "utf8")).toBe("left its folder");
      await release();
    });

    test("a document with a missing file is counted", async () => {
      const { documents, originals } = subject.store;
      const { files, missing } = await originals.survey();
      await addSample(documents, ["a"]);
      expect(await originals.survey()).toMatchObject({ files, missing: missing + 1 });
    });

    test("a sweep leaves recently stored originals and those in use", async () => {
      const { documents, originals } = subject.store;
      const fresh = await keep("about to be used");
      const used = await keep("used");
      await addSample(documents, ["a"], { contentHash: used });
      await originals.sweep();
      expect(await originals.has(fresh)).toBe(true);
      expect(await originals.has(used)).toBe(true);
    });
  });
}
