import { DatabaseSync } from "node:sqlite";
import { beforeAll, expect, test } from "vitest";
import { SQLITE_MIGRATIONS } from "./schema.ts";

let database: DatabaseSync;
beforeAll(() => {
  database = new DatabaseSync(":memory:");
  for (const step of SQLITE_MIGRATIONS) database.exec(step);
});

test.each([
  ["a scope by its id", "SELECT * FROM scopes WHERE id = 'a'"],
  ["the scopes below a scope", "SELECT * FROM scopes WHERE parent = 1"],
  ["a scope's categories", "SELECT * FROM categories WHERE scope = 1"],
  ["a category by its name", "SELECT * FROM categories WHERE scope = 1 AND name = 'git'"],
  ["a category's keywords", "SELECT * FROM entries WHERE category = 1"],
  ["an entry by its keyword", "SELECT * FROM entries WHERE category = 1 AND keyword = 'push'"],
])("%s is read by an index", (_what, sql) => {
  const plan = database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all();
  const steps = plan.map(({ detail }) => String(detail));
  expect(steps).toEqual([expect.stringMatching(/^SEARCH \w+ USING .*INDEX/)]);
});

test.each([
  ["an entry without its category", "INSERT INTO entries VALUES (1, 1, 99, 'push', 'text')"],
  ["a category without its scope", "INSERT INTO categories VALUES (1, 1, 99, 'git', '')"],
  ["a scope without its parent", "INSERT INTO scopes VALUES (1, 1, 'a', 3, 99, NULL)"],
])("%s is refused", (_what, sql) => {
  expect(() => database.exec(sql)).toThrow(/FOREIGN KEY/);
});

test("two scopes with the same id are refused, also in different tiers", () => {
  database.exec("INSERT INTO scopes VALUES (1, 1, 'api', 0, NULL, NULL)");
  const twin = "INSERT INTO scopes VALUES (2, 1, 'api', 3, 1, NULL)";
  expect(() => database.exec(twin)).toThrow(/UNIQUE/);
});
