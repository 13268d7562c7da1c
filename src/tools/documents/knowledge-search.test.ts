import { afterEach, beforeEach, expect, test } from "vitest";
import { type TempDocuments, tempDocuments } from "../../../test/support/temp-documents.ts";

let at: TempDocuments;
beforeEach(async () => {
  at = await tempDocuments();
});
afterEach(() => at.dispose());

const add = async (name: string, text: string, more: object = {}) =>
  at.call("knowledge-add", { file_path: await at.write(name, text), async: false, ...more });

test("a search during an add reports what is still being read", async () => {
  at.gate.shut();
  const held = await at.call("knowledge-add", { file_path: await at.write("big.txt", "Slow.") });
  expect(await at.call("knowledge-search", { query: "apples" })).toMatchObject({
    success: false,
    error: "empty_knowledge_base",
    message: expect.stringContaining("1 document is being read"),
    document_count: 0,
    tasks: [{ task_id: held["task_id"], filename: "big.txt" }],
  });
  at.gate.open();
  await at.ingest.finish(String(held["task_id"]), {
    signal: new AbortController().signal,
    onProgress: () => {},
  });
  at.gate.shut();
  await at.call("knowledge-add", { file_path: await at.write("more.txt", "Slower.") });
  expect(await at.call("knowledge-search", { query: "slow" })).toMatchObject({
    success: true,
    message: expect.stringContaining("1 document is still being read"),
  });
  at.gate.open();
});

test("a filter key that no document has is named", async () => {
  await add("apples.txt", "Apples are kept in the cellar.", { metadata: { author: "Ann" } });
  const search = (filters: object) => at.call("knowledge-search", { query: "apples", filters });
  const message = (await search({ autor: "Ann", author: "Ann" }))["message"];
  expect(message).toContain("No document has metadata named 'autor'");
  expect((await search({ author: "Bob" }))["message"]).not.toContain("metadata named");
});

test("an argument that the tool does not have is named", async () => {
  await add("apples.txt", "Apples are kept in the cellar.");
  const { message } = await at.call("knowledge-search", { query: "apples", topk: 1 });
  expect(message).toBe("Ignored unknown arguments: 'topk' (did you mean 'top_k'?)");
});

test("what is shown as the title is what a filter compares", async () => {
  await add("apples.txt", "Apples are kept in the cellar.", { metadata: { title: "Fruit" } });
  const search = (filters: object) => at.call("knowledge-search", { query: "apples", filters });
  expect(await search({ title: "Fruit" })).toMatchObject({
    results: [{ metadata: { title: "Fruit" } }],
  });
  expect(await search({ title: "Other" })).toMatchObject({ total_results: 0 });
  expect(await search({ page_num: 1 })).toMatchObject({ error: "invalid_parameter" });
});

test("the default number of results can be set", async () => {
  const few = await tempDocuments({ topK: 2 });
  try {
    for (const name of ["one", "two", "three"]) {
      const file_path = await few.write(`${name}.txt`, `Apples of ${name} kinds are red.`);
      await few.call("knowledge-add", { file_path, async: false });
    }
    const { results } = await few.call("knowledge-search", { query: "apples" });
    expect(results).toHaveLength(2);
    const more = await few.call("knowledge-search", { query: "apples", top_k: 3 });
    expect(more["results"]).toHaveLength(3);
  } finally {
    await few.dispose();
  }
});

test("a changed file shows its revision, under the same id", async () => {
  const first = await add("apples.txt", "Apples are kept in the cellar.");
  const second = await add("apples.txt", "Apples are kept in the attic.");
  expect(second["document_id"]).toBe(first["document_id"]);
  expect(await at.call("knowledge-search", { query: "apples" })).toMatchObject({
    results: [{ document_id: first["document_id"], revision: 2 }],
  });
  expect(await at.call("knowledge-show", { document_id: first["document_id"] })).toMatchObject({
    documents: [{ revision: 2, metadata: {} }],
  });
});
