// A file that is added again under another name or with other content.
import { afterAll, afterEach, beforeEach, describe, expect, test } from "vitest";
import { readInternalMetadata, visibleMetadata } from "../../src/domain/internal-metadata.ts";
import { openAnalyser } from "../../src/text/analyse.ts";
import { type TempIngest, tempIngest } from "../support/temp-ingest.ts";
import { tempBase, tempDatabase } from "../support/temp-postgres.ts";
import { tempStore } from "../support/temp-store.ts";

const database = await tempDatabase();
afterAll(() => database?.drop());

const STORES = { sqlite: tempStore, postgres: () => tempBase(database) };
const signal = new AbortController().signal;

const KINDS = ["sqlite", ...(database ? (["postgres"] as const) : [])] as const;

describe.each(KINDS)("on %s", (kind) => {
  let at: TempIngest;
  beforeEach(async () => {
    at = await tempIngest({ temp: await STORES[kind]() });
  });
  afterEach(() => at.dispose());

  async function add(path: string, metadata: Record<string, unknown> = {}): Promise<string> {
    const options = { metadata, forceOcr: false, signal };
    const { task } = await at.ingest.enqueue({ kind: "file", path }, options);
    const { result } = await at.ingest.finish(task.id, { signal });
    return result?.documentId ?? "";
  }
  const search = async (words: string) => {
    const terms = openAnalyser()
      .terms(words)
      .map((term) => ({ term, weight: 1 }));
    const { hits } = await at.store.documents.lexical({ terms, limit: 5 }, signal);
    return hits.length;
  };

  test("the same content under another name is found by both names", async () => {
    const text = "One and the same content.";
    const id = await add(await at.write("pear-report.txt", text));
    expect(await search("walnut")).toBe(0);
    expect(await add(await at.write("walnut-summary.txt", text))).toBe(id);
    for (const word of ["pear", "walnut", "content"]) expect(await search(word), word).toBe(1);
    const document = await at.store.documents.get(id);
    expect(readInternalMetadata(document?.metadata ?? {}).otherNames).toEqual([
      "walnut-summary.txt",
    ]);
    expect((await at.store.documents.whole(id))?.chunks.every(({ vector }) => vector)).toBe(true);
  });

  test("a title given later replaces the document's", async () => {
    const path = await at.write("a.txt", "One and the same content.");
    const id = await add(path);
    await add(path, { title: "Fruit" });
    expect((await at.store.documents.get(id))?.title).toBe("Fruit");
    await add(path, { author: "Ann" });
    expect((await at.store.documents.get(id))?.title).toBe("Fruit");
  });

  test("metadata given with an add is kept when the file changes, unless given again", async () => {
    const id = await add(await at.write("a.txt", "The first."), { author: "Ann", tags: ["x"] });
    expect(await add(await at.write("a.txt", "The second."))).toBe(id);
    const shown = async () => visibleMetadata((await at.store.documents.get(id))?.metadata ?? {});
    expect(await shown()).toEqual({ author: "Ann", tags: ["x"] });
    await add(await at.write("a.txt", "The third."), { tags: ["y"] });
    expect(await shown()).toEqual({ author: "Ann", tags: ["y"] });
  });
});
