import { expect, test } from "vitest";
import { passage } from "../../test/support/passages.ts";
import type { ExtractedDocument } from "../domain/document.ts";
import { openReadingCache } from "./reading-cache.ts";

const documentOf = (text: string) => ({ text, blocks: [] }) as unknown as ExtractedDocument;

test("a document is read once, and results computed from it are cached", async () => {
  const cache = openReadingCache();
  const reads: string[] = [];
  const read = async () => {
    reads.push("read");
    return documentOf("The pump is red.");
  };
  const found = passage("The pump is red.");
  const first = await cache.document(found, read);
  first?.recall("fields", () => 1);
  const second = await cache.document(found, read);
  expect(second?.recall("fields", () => 2)).toBe(1);
  expect(reads).toEqual(["read"]);
});

test("a document that was replaced under the same id is read again", async () => {
  const cache = openReadingCache();
  await cache.document(passage("The pump is red."), async () => documentOf("The pump is red."));
  const now = passage("The pump is blue.");
  const known = await cache.document(now, async () => documentOf("The pump is blue."));
  expect(known?.document.text).toBe("The pump is blue.");
});

test("a chunk whose text has changed is computed again", () => {
  const cache = openReadingCache();
  const make = ({ text }: { text: string }) => text;
  const at = { chunkId: "c1" };
  expect(cache.passage(passage("one", at), "text", make)).toBe("one");
  expect(cache.passage(passage("two", at), "text", make)).toBe("two");
});

test("the least recently used entry is evicted first", async () => {
  const cache = openReadingCache();
  const reads: string[] = [];
  const ask = (id: string) =>
    cache.document(passage("x", { documentId: id }), async () => {
      reads.push(id);
      return documentOf("x");
    });
  for (let at = 0; at < 16; at++) await ask(`doc-${at}`);
  await ask("doc-0");
  await ask("doc-16");
  await ask("doc-0");
  await ask("doc-1");
  expect(reads.slice(16)).toEqual(["doc-16", "doc-1"]);
});
