// docs/conformance.md names a test for every promise. A row without one, or with one that does not exist, fails.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "..");

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
      return hasTest(read(file), name) ? [] : [`${promise}: ${file} has no test "${name}"`];
    } catch {
      return [`${promise}: there is no file ${file}`];
    }
  });
}

/** As the title of a test, or its beginning. */
function hasTest(code: string, name: string): boolean {
  return new RegExp(`\\(\\s*["\`]${escaped(name)}`).test(code);
}

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

const page = readFileSync(join(ROOT, "docs", "conformance.md"), "utf8");
const read = (file: string) => readFileSync(join(ROOT, file), "utf8");

test("every promise names a test that exists", () => {
  const rows = rowsOf(page);
  expect(rows.length).toBeGreaterThan(140);
  expect(faultsOf(rows, read)).toEqual([]);
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
])("%s fails", (row, fault) => {
  expect(faultsOf(rowsOf(row), read)).toEqual([expect.stringContaining(fault)]);
});
