import { expect, test } from "vitest";
import { withOwnNames } from "./aliases.ts";
import { FETCH } from "./chatgpt/contract.ts";
import { KNOWLEDGE_READ, KNOWLEDGE_SHOW } from "./documents/contract.ts";
import { GET_CATEGORIES } from "./scopes/contract.ts";

test("a document, a page and a scope are taken under the names that results give them", () => {
  expect(withOwnNames(KNOWLEDGE_SHOW, { id: "a" })).toEqual({ document_id: "a" });
  expect(withOwnNames(KNOWLEDGE_READ, { id: "a", page_num: 3 })).toEqual({
    document_id: "a",
    page: 3,
  });
  expect(withOwnNames(GET_CATEGORIES, { scope_id: "web" })).toEqual({ project_name: "web" });
});

test("an argument's own name comes first, and a tool's own id stays", () => {
  const both = { document_id: "a", id: "b" };
  expect(withOwnNames(KNOWLEDGE_SHOW, both)).toEqual(both);
  expect(withOwnNames(FETCH, { id: "a" })).toEqual({ id: "a" });
  expect(withOwnNames(FETCH, undefined)).toBeUndefined();
});
