// The exit codes, row by row: the page is the list that is run.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { COMMANDS } from "../../src/cli/commands.ts";
import { runLine } from "../support/commands.ts";
import { tempFolder } from "../support/temp-folder.ts";

const PAGE = readFileSync(join(import.meta.dirname, "../fixtures/exit-codes.md"), "utf8");
const ROWS = [...PAGE.matchAll(/^\| `([^`]+)` \| ([^|]*)\| (\d+) \|$/gm)].map(
  ([, line = "", outcome = "", code]) => ({ line, outcome: outcome.trim(), code: Number(code) }),
);

const folder = tempFolder("exit-codes");

beforeAll(() => {
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
  mkdirSync(join(folder, "data"));
  write("tides.md", "# Tides\n\nThe moon lifts the sea twice a day.\n");
  write("winds.txt", "Trade winds blow from the east.");
  write("broken.pdf", "no PDF at all");
  write(".env", "API_KEY=0123456789abcdef");
  write("rules.yaml", "scopes:\n  - id: company\n    tier: GENERAL\n    description: All of us\n");
  write("AGENTS.md", "# Shop\n\n## Build\n\nRun make.\n\n## Tests\n\nRun make test.\n");
  write("broken.yaml", "scopes:\n  - id: a\n  tier: [");
});

const FILE = /^[\w-]*\.(md|txt|pdf|yaml|env|backup)$|^(missing|restored|other|leaving)$/;

/** Files are named from the test's folder, which is not the process's. */
function wordsOf(line: string): readonly string[] {
  const words = line.split(" ").map((word) => (FILE.test(word) ? resolve(folder, word) : word));
  // A document is named by its file's name alone.
  return /^(show|move|remove) /.test(line) ? line.split(" ") : words;
}

test.each(ROWS)("$line ($outcome) ends with $code", async ({ line, code }) => {
  const ended = await runLine(wordsOf(line), join(folder, "data"));
  expect(ended.code, ended.text).toBe(code);
});

test("every command has a row, except servers, copies to a database, and hooks, which never fail", () => {
  const named = new Set(ROWS.map(({ line }) => line.split(" ")[0]));
  const without = Object.keys(COMMANDS).filter((name) => !named.has(name));
  expect(without).toEqual(["stdio", "http", "worker", "hook"]);
});

test("the README's list has the codes of the page", () => {
  const page = readFileSync(join(import.meta.dirname, "../../docs/command-line.md"), "utf8");
  const listed = [...page.matchAll(/^\| (\d+) \| /gm)].map(([, code]) => Number(code));
  for (const readme of ["README.md", "README.ja.md"]) {
    const text = readFileSync(join(import.meta.dirname, "../..", readme), "utf8");
    const sentence = /(?:Exit codes|終了コード)\S*:([^\n]*)/.exec(text)?.[1] ?? "";
    const codes = [...sentence.matchAll(/(?:^|[\s、,])(\d+) /g)].map(([, code]) => Number(code));
    expect(codes, readme).toEqual(listed);
  }
});
