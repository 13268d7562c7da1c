import { createHash } from "node:crypto";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { copyStore } from "../../src/store/core/copy.ts";
import type { Store } from "../../src/store/store.ts";
import { foundTexts, sampleDocument } from "../support/sample-documents.ts";
import { tempFolder } from "../support/temp-folder.ts";
import { type TempDatabase, tempDatabase } from "../support/temp-postgres.ts";
import { type TempStore, tempStore } from "../support/temp-store.ts";

const database = (await tempDatabase()) as TempDatabase;

describe.skipIf(!database)("copying between stores", () => {
  let source: TempStore;
  let target: Store;
  let folder: string;
  beforeAll(async () => {
    folder = tempFolder("copy-test");
    source = await tempStore();
    await fill(source.store, folder);
    target = database.open();
  });
  afterAll(async () => {
    await target.close();
    await source.dispose();
    await database.drop();
    await rm(folder, { recursive: true });
  });

  test("an interrupted copy continues where it stopped, and is complete in the end", async () => {
    const stop = new AbortController();
    const broken = copyStore({
      from: source.store,
      to: target,
      signal: stop.signal,
      onProgress: ({ step, done }) => {
        if (step === "documents" && done === 10) stop.abort();
      },
    });
    await expect(broken).rejects.toThrow();
    expect((await target.documents.totals()).documents).toBe(10);

    const report = await copy(source.store, target);
    expect(report).toMatchObject({ documents: 30, chunks: 60, alreadyThere: 10, scopes: 2 });
    await expectSame(source.store, target);
  });

  test("and back: the same documents, dates, files and rules", async () => {
    await copy(source.store, target);
    const back = await tempStore();
    const report = await copy(target, back.store);
    expect(report).toMatchObject({ documents: 30, alreadyThere: 0, withoutOriginal: 0 });
    await expectSame(source.store, back.store);
    await back.dispose();
  });
});

function copy(from: Store, to: Store) {
  return copyStore({ from, to, signal: new AbortController().signal, onProgress: () => {} });
}

async function fill({ documents, originals, scopes }: Store, folder: string): Promise<void> {
  for (let number = 0; number < 30; number++) {
    const texts = [`subject ${number} of a copy`, `second part, number${number}`];
    const bytes = texts.join("\n\n");
    const contentHash = createHash("sha256").update(bytes).digest("hex");
    const path = join(folder, contentHash);
    await writeFile(path, bytes);
    await originals.keep(contentHash, path);
    const fields = { contentHash, metadata: { number }, sourcePath: `/files/${number}.txt` };
    const { document, chunks } = sampleDocument(texts, fields);
    await documents.put(document, chunks);
  }
  await scopes.apply([
    { kind: "put-scope", scope: { id: "general", tier: "GENERAL" } },
    { kind: "put-scope", scope: { id: "webapp", tier: "PROJECT", parent: "general" } },
    { kind: "put-category", scope: "webapp", name: "style", description: "how it looks" },
    { kind: "put-entry", scope: "webapp", category: "style", keyword: "colour", content: "blue" },
  ]);
}

async function expectSame(one: Store, other: Store): Promise<void> {
  const page = { limit: 100, offset: 0, sortBy: "date_added", sortOrder: "asc" } as const;
  const expected = await one.documents.list(page);
  expect(await other.documents.list(page)).toEqual(expected);
  expect(await other.scopes.all()).toEqual(await one.scopes.all());
  for (const { id, contentHash } of expected.documents.slice(0, 5)) {
    expect(await other.documents.extracted(id)).toEqual(await one.documents.extracted(id));
    const original = await other.originals.open(contentHash);
    const bytes = await readFile(original.path);
    expect(createHash("sha256").update(bytes).digest("hex")).toBe(contentHash);
    await original.release();
  }
  expect(await foundTexts(other.documents, "number7")).toEqual(["second part, number7"]);
}
