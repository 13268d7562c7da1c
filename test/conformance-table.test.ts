// docs/conformance.md names a test for every promise. A row without one, or with one that does not exist, fails.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { PARAMETERS, PROMISED } from "./support/promised-fields.ts";

const ROOT = join(import.meta.dirname, "..");

const FIELDS = "test/contract/fields.test.ts";
const FIELD_CASES = new Set([
  ...PROMISED.map(([response, path, kind]) => `${response}: ${path} is ${kind}`),
  ...PARAMETERS.map(([tool, name, kind]) => `${tool} takes ${name}: ${kind}`),
]);

interface Row {
  readonly promise: string;
  readonly file: string;
  readonly name: string;
}

function rowsOf(page: string): readonly Row[] {
  const lines = page.split("\n").filter((line) => line.startsWith("| "));
  return lines
    .filter((line) => !line.startsWith("| promise "))
    .map((line) => {
      const [promise = "", file = "", name = ""] = line.slice(2, -2).split(" | ");
      return { promise, file: file.replaceAll("`", "").trim(), name: name.trim() };
    });
}

function faultsOf(rows: readonly Row[], read: (file: string) => string): readonly string[] {
  return rows.flatMap(({ promise, file, name }) => {
    if (file === "" || name === "") return [`${promise}: names no test`];
    try {
      if (file === FIELDS) return FIELD_CASES.has(name) ? [] : [`${promise}: no such field`];
      const isThere = file.startsWith("bench/") ? isFigure : hasTest;
      return isThere(read(file), name) ? [] : [`${promise}: ${file} has no test "${name}"`];
    } catch {
      return [`${promise}: there is no file ${file}`];
    }
  });
}

/** Speeds are measured, never asserted. */
function isFigure(code: string, name: string): boolean {
  return code.includes(name);
}

/** As the title of a test, or its beginning; of a case of many with its values put in; of a benchmark, as a figure. */
function hasTest(code: string, name: string): boolean {
  if (isTitle(code, name)) return true;
  const titles = [...code.matchAll(/["`]([^"`\n]*%[sjio][^"`\n]*)["`]/g)];
  return titles.some(([, title = ""]) => isCase(code, title, name));
}

function isTitle(code: string, name: string): boolean {
  return new RegExp(`\\(\\s*["\`]${escaped(name)}`).test(code);
}

/** What is put in must be in the file; a value may be left open. */
function isCase(code: string, title: string, name: string): boolean {
  const pattern = title
    .split(/%[sjio]/)
    .map(escaped)
    .join("(.+)");
  const values = new RegExp(`^${pattern}$`).exec(name)?.slice(1);
  return (
    values?.every((value) => /^%[sjio]$/.test(value) || bare(code).includes(bare(value))) ?? false
  );
}

/** Without what JSON writes and code does not. */
const bare = (text: string) => text.replace(/[\s"]/g, "");

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

const page = readFileSync(join(ROOT, "docs", "conformance.md"), "utf8");
const read = (file: string) => readFileSync(join(ROOT, file), "utf8");

test("every promise names a test that exists", () => {
  const rows = rowsOf(page);
  expect(rows.length).toBeGreaterThan(480);
  expect(faultsOf(rows, read)).toEqual([]);
});

test("every field that is looked for is a promise", () => {
  const named = new Set(rowsOf(page).map(({ name }) => name));
  expect([...FIELD_CASES].filter((each) => !named.has(each))).toEqual([]);
});

test("no promise is listed twice", () => {
  const promises = page.split("\n## ").flatMap((part) => {
    const [title = ""] = part.split("\n");
    return rowsOf(part).map(({ promise }) => `${title}: ${promise}`);
  });
  expect(promises).toEqual([...new Set(promises)]);
});

test.each([
  ["| a promise | `test/conformance-table.test.ts` | no such test |", "has no test"],
  ["| a promise | `test/none.test.ts` | x |", "there is no file"],
  ["| a promise |  |  |", "names no test"],
  [
    "| a promise | `test/contract/documents.test.ts` | knowledge-add needs nothing_at_all |",
    "has no",
  ],
  ["| a promise | `test/contract/fields.test.ts` | knowledge-add: none is a text |", "no such"],
  ["| a promise | `bench/scopes.ts` | noSuchFigure |", "has no test"],
])("%s fails", (row, fault) => {
  expect(faultsOf(rowsOf(row), read)).toEqual([expect.stringContaining(fault)]);
});
