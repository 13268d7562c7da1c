import { globSync, readFileSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { findFileAccess } from "./architecture/file-rules.ts";
import { findViolations, readRules, type Sources } from "./architecture/rooms.ts";
import { heavyAtStart, loadedBy } from "./architecture/start-graph.ts";
import { IN_PROCESS, testViolations } from "./architecture/test-rules.ts";

const root = join(import.meta.dirname, "..");
/** They name what they look for. */
const TEST_RULES = [
  ...[
    "test/architecture/test-rules.ts",
    "test/architecture/file-rules.ts",
    "test/architecture.test.ts",
  ],
];
const rules = readRules(
  await readFile(join(root, "ARCHITECTURE.md"), "utf8"),
  await readFile(join(root, "CONTRIBUTING.md"), "utf8"),
);

async function readSources(): Promise<Sources> {
  const src = join(root, "src");
  const names = (await readdir(src, { recursive: true })).map((name) => name.replaceAll("\\", "/"));
  const code = names.filter((name) => /\.tsx?$/.test(name) && !name.endsWith(".test.ts"));
  const texts = await Promise.all(code.map((name) => readFile(join(src, name), "utf8")));
  return new Map(code.map((name, at) => [name, texts[at] ?? ""]));
}

test("every room is in the table, imports what it allows, and is entered by its entry files", async () => {
  expect(findViolations(await readSources(), rules)).toEqual([]);
});

test("a start loads no database, no model, no parser", async () => {
  const sources = await readSources();
  expect(loadedBy("app.ts", sources).size).toBeGreaterThan(50);
  expect(heavyAtStart("main.ts", sources)).toEqual([]);
  expect(heavyAtStart("app.ts", sources)).toEqual([]);
  expect([...loadedBy("ingest/ingest.ts", sources)]).not.toContain("node:http");
});

test.each([
  ["a room", "ingest/ingest.ts", 'export { x } from "./ingest/ingest.ts";'],
  ["a module of Node's", "node:http", 'import { request } from "node:http";'],
  ["a package", "ws", 'import "ws";'],
  ["a room behind types", "store/x.ts", 'import type { A } from "./a.ts";\nimport "./store/x.ts";'],
])("%s that is loaded at the start is found", (_fault, found, text) => {
  const sources = new Map([
    ["app.ts", 'import {\n  a,\n} from "./tools/a.ts";'],
    ["tools/a.ts", text.replaceAll("./", "../")],
    ["ingest/ingest.ts", ""],
    ["store/x.ts", ""],
  ]);
  expect(heavyAtStart("app.ts", sources)).toEqual([found]);
});

test("dynamic and type-only imports do not count as loaded at start", () => {
  const text = 'import type { A } from "./store/x.ts";\nconst x = () => import("./store/x.ts");\n';
  const sources = new Map([
    ["app.ts", text],
    ["store/x.ts", ""],
  ]);
  expect(heavyAtStart("app.ts", sources)).toEqual([]);
});

test("the table has a row for every folder of src", async () => {
  const folders = (await readdir(join(root, "src"), { withFileTypes: true })).filter((entry) =>
    entry.isDirectory(),
  );
  expect(rules.rooms.map(({ name }) => name)).toEqual(
    expect.arrayContaining(folders.map(({ name }) => name)),
  );
});

test.each([
  ["a lower room that imports a higher one", "store/planted.ts", 'import "../tools/tool.ts";'],
  [
    "a room that is not entered by its entry file",
    "search/planted.ts",
    'import { x } from "../store/sqlite/open.ts";',
  ],
  ["a driver imported lazily", "ingest/planted.ts", 'await import("../store/postgres/open.ts");'],
  ["a driver named by the root", "app.ts", 'await import("./store/sqlite/sqlite.ts");'],
  ["a type from the composition root", "cli/planted.ts", 'import type { App } from "../app.ts";'],
  [
    "configuration below the root",
    "embed/planted.ts",
    'import type { Config } from "../config/config.ts";',
  ],
  ["a page that reaches into the server", "console/pages/planted.tsx", 'import "../console.ts";'],
  ["a room that nobody planned", "helpers/planted.ts", ""],
  ["the environment read in a room", "answer/planted.ts", 'const key = process.env["KEY"];'],
  ["the environment by import", "answer/planted.ts", 'import { env } from "node:process";'],
  ["a write to stdout in a room", "mcp/planted.ts", 'process.stdout.write("x");'],
  ["a caller with rights by default", "transports/planted.ts", "const who = given ?? OWNER;"],
  ["an address read a second time", "console/planted.ts", "const path = request.url;"],
  ["rights compared in a room", "console/planted.ts", 'if (who.rights.has("admin")) show();'],
  ["a refusal made in a room", "mcp/planted.ts", "throw accessDenied();"],
  [
    "a table in which every object's own names are found",
    "ingest/planted.ts",
    "const UNPACKERS: Readonly<Record<string, () => void>> = { gzip() {} };",
  ],
  [
    "a name looked for with what it inherits",
    "config/planted.ts",
    "if (name in SETTINGS) use(name);",
  ],
  ["JSON parsed in the console", "console/planted.ts", "const drop = JSON.parse(String(bytes));"],
  ["JSON parsed in a transport", "transports/http/planted.ts", "return parts.map(JSON.parse);"],
  ["JSON parsed in the protocol", "mcp/planted.ts", "const { id } = JSON.parse(line);"],
  ["a body read in parts", "console/planted.ts", 'request.on("data", keep);'],
  [
    "a body read as a stream",
    "transports/planted.ts",
    "for await (const part of request) keep(part);",
  ],
  ["a body passed to a pipeline", "console/planted.ts", "await pipeline(request, file);"],
  ["a body read whole", "mcp/planted.ts", "const body = await text(request);"],
  ["a file name that says nothing", "chunk/utils.ts", ""],
  ["a barrel", "chunk/index.ts", ""],
  [
    "a closure that is all state",
    "embed/planted.ts",
    "const open = () => { let a = 1; let b = 2; let c = 3; return () => [a++, b++, c++]; };",
  ],
  [
    "a function that has grown too long",
    "chunk/planted.ts",
    `export const all = (run: () => void) => {\n${"  run();\n".repeat(rules.maxFunctionLines)}};\n`,
  ],
  ["a file that has grown too long", "chunk/planted.ts", "x\n".repeat(rules.maxFileLines + 1)],
])("%s is found", (_fault, path, text) => {
  expect(findViolations(new Map([[path, text]]), rules)).toHaveLength(1);
});

test("files that a caller can influence are opened in one place", async () => {
  expect(findFileAccess(await readSources())).toEqual([]);
});

test.each([
  ["a file read whole", "ingest", 'import { readFile } from "node:fs/promises";'],
  ["a file opened", "scopes/import", 'import { open } from "node:fs/promises";'],
  ["a stream", "console", 'import { createReadStream } from "node:fs";'],
  ["a look through a link", "ingest/sources", 'import { stat } from "node:fs/promises";'],
  ["a look at a link", "ingest", 'import { lstat, readdir } from "node:fs/promises";'],
  ["a read that blocks", "scopes", 'import { readFileSync } from "node:fs";'],
  ["a copy", "ingest", 'import { copyFile } from "node:fs/promises";'],
  ["another name", "ingest", 'import { open as mkdir } from "node:fs/promises";'],
  ["the whole module", "console", 'import * as fs from "node:fs";'],
  ["the default export", "ingest", 'import fs from "fs";'],
  ["a part of the module", "ingest", 'import { promises } from "node:fs";'],
  ["a late import", "ingest", 'const { open } = await import("node:fs/promises");'],
  ["another way to load it", "scopes", 'const fs = process.getBuiltinModule("node:fs");'],
  ["an export", "ingest", 'export { open } from "node:fs/promises";'],
])("%s beside the one place is found", (_fault, room, text) => {
  const planted = new Map([[`${room}/planted.ts`, text]]);
  expect(findFileAccess(planted, {})).toHaveLength(1);
});

test("what may be opened elsewhere is listed only as long as it is", () => {
  const own = { "console/assets.ts": ["readFile"] };
  expect(findFileAccess(new Map(), own)).toHaveLength(1);
  expect(findFileAccess(new Map([["console/assets.ts", ""]]), own)).toHaveLength(1);
  const text = 'import { readFile, writeFile } from "node:fs/promises";';
  expect(findFileAccess(new Map([["console/assets.ts", text]]), own)).toEqual([]);
  expect(findFileAccess(new Map([["store/x.ts", text]]), {})).toEqual([]);
});

test("the rule changes with the table", () => {
  const planted = new Map([["chunk/planted.ts", 'import "../store/store.ts";']]);
  expect(findViolations(planted, rules)).toHaveLength(1);
  const table = "| store | x | – | store.ts | x |\n| chunk | x | store | chunk.ts | x |\n";
  const limits =
    "Files have at most 9 lines, functions at most 9 lines. A closure has at most 9 `let`s.";
  expect(findViolations(planted, readRules(table, limits))).toEqual([]);
});

test("state in one object, and `let`s that no inner function uses, are no fault", () => {
  const text =
    "const open = () => { const s = { a: 1, b: 2, c: 3 }; return () => s.a++; };\n" +
    "const sum = () => { let a = 1; let b = 2; let c = 3; a++; b++; c++; return a + b + c; };\n";
  expect(findViolations(new Map([["chunk/planted.ts", text]]), rules)).toEqual([]);
});

test("blank lines and comments make no function too long", () => {
  const lines = "  // why\n\n  run();\n".repeat(rules.maxFunctionLines - 2);
  const text = `export const all = (run: () => void) => {\n${lines}};\n`;
  expect(findViolations(new Map([["chunk/planted.ts", text]]), rules)).toEqual([]);
});

test("comments may name what code may not touch", () => {
  const text = "// process.env is read by config alone\n/* process.stdout too */\n";
  expect(findViolations(new Map([["chunk/planted.ts", text]]), rules)).toEqual([]);
});

test("tests use what exists once for all of them, and start what ships", () => {
  const paths = globSync(["src/**/*.test.ts", "test/**/*.ts"], { cwd: root });
  expect(paths.length).toBeGreaterThan(200);
  const checked = paths.filter((path) => !TEST_RULES.includes(path));
  const found = checked.flatMap((path) =>
    testViolations(path, readFileSync(join(root, path), "utf8")),
  );
  expect(found).toEqual([]);
});

const isInProcess = (text: string) => testViolations("test/e2e/planted.test.ts", text).length > 0;

test("a transport suite that starts the program leaves the list of those that do not", () => {
  const listed = Object.keys(IN_PROCESS);
  const found = listed.filter((path) => isInProcess(readFileSync(join(root, path), "utf8")));
  expect(found).toEqual(listed);
  expect(isInProcess('import { startHttpProgram } from "../support/process.ts";')).toBe(false);
});

test.each([
  'import { openTestHttp } from "../support/http.ts";',
  'const folder = await mkdtemp(join(tmpdir(), "x-"));',
  'const log = openLog({ level: "silent" });',
  "const context = { signal, taskProgress: () => {} };",
  "await vi.waitFor(() => expect(seen).toBe(1));",
  'const MAIN = join(root, "src", "main.ts");',
  'const MAIN = "../../src/main.ts";',
  'const WORKER = new URL("../../src/embed/onnx/worker.ts", import.meta.url);',
  'const WORKER = import.meta.resolve("../../src/embed/onnx/worker.ts");',
  'vi.mock("../store.ts");',
  "await sleep(1_500);",
])("%s in a test is found", (planted) => {
  expect(testViolations("test/e2e/planted.test.ts", planted)).toHaveLength(1);
});

test("a unit test that starts a process is found", () => {
  const planted = 'import { spawn } from "node:child_process";';
  expect(testViolations("src/chunk/planted.test.ts", planted)).toHaveLength(1);
  expect(testViolations("src/chunk/planted.process.test.ts", planted)).toEqual([]);
});
