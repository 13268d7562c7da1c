// node bench/walks.ts [--source DIR] [--only NAME] [--names]: how much code one call runs through, for four calls over
// stdio. V8 counts the calls of every function, in all threads and child processes; a function is on a call's way when
// its count grows with the number of calls. The first calls do not count: they open what stays open. A reader of the
// call stops at the functions of more than a few lines; shorter ones are read where they are called.
import { spawn } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, sep } from "node:path";
import { createInterface } from "node:readline";
import { parseArgs } from "node:util";
import { longPdf } from "./support/long-pdf.ts";

// Far apart, because the server's own calls at its start, and its timers, differ from run to run.
const FEW = 5;
const MORE = 65;
/** A function of fewer lines is a condition, a name for an expression, or passes on. */
const LINES_TO_STOP = 4;
/** What watches a call is not on a reader's way: log, metrics, usage. */
const WATCHING = /^observe\//;
/** Runs beside an add, or after it, as the machine has time: refining by the model, and the look for other tasks. */
const BESIDE =
  /^(ingest\/refine|embed\/onnx|store\/(core|sqlite)\/refinement)\b|^ingest\/queue\/claim\.ts\t(?!take\b)/;

interface Session {
  call(name: string, args: object): Promise<unknown>;
  readonly folder: string;
}

type Work = (session: Session, at: number) => Promise<unknown>;

const WALKS: readonly (readonly [string, Work])[] = [
  ["knowledge-add of a PDF, until it is stored", addPdf],
  [
    "knowledge-search",
    ({ call }) => call("knowledge-search", { query: "how often are backups made?" }),
  ],
  [
    "get_knowledge",
    ({ call }) => call("get_knowledge", { scope_id: "team", keywords: ["backup"] }),
  ],
  ["kb_answer", ({ call }) => call("kb_answer", { query: "How often are backups made?" })],
];

async function addPdf({ call, folder }: Session, at: number) {
  const file_path = join(folder, `page-${at}.pdf`);
  // Bytes after the end make it another file.
  await writeFile(file_path, Buffer.concat([longPdf(1), Buffer.from(`\n%${at}\n`)]));
  return call("knowledge-add", { file_path, async: false });
}

const TEXT = "# Backups\n\nBackups are made every night at two and kept for thirty days.\n";

/** The counts of all functions of a process that makes the call so many times. */
async function counted(source: string, work: Work, times: number): Promise<Map<string, number>> {
  const folder = await mkdtemp(join(tmpdir(), "walks-"));
  const coverage = join(folder, "coverage");
  const line = [join(source, "src", "main.ts"), "stdio", "--data-dir", join(folder, "data")];
  const child = spawn(process.execPath, line, {
    cwd: folder,
    env: { PATH: process.env["PATH"] ?? "", HOME: folder, NODE_V8_COVERAGE: coverage },
    stdio: ["pipe", "pipe", "ignore"],
  });
  const waiting = new Map<number, (message: unknown) => void>();
  createInterface({ input: child.stdout }).on("line", (text) => {
    const message = JSON.parse(text);
    waiting.get(message.id)?.(message);
  });
  let id = 0;
  const send = (method: string, params: object) => {
    const { promise, resolve } = Promise.withResolvers<unknown>();
    waiting.set(++id, resolve);
    child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
    return promise;
  };
  const call = (name: string, args: object) => send("tools/call", { name, arguments: args });
  const clientInfo = { name: "walks", version: "1" };
  await send("initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo });
  child.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
  const note = join(folder, "note.md");
  await writeFile(note, TEXT);
  await call("knowledge-add", { file_path: note, async: false });
  await call("knowledge-scope-put", { scope_id: "team", tier: "GROUP" });
  const rule = { scope_id: "team", category: "care", keyword: "backup", content: "Every night." };
  await call("knowledge-entry-put", rule);
  for (let at = 0; at < times; at++) await work({ call, folder }, at);
  child.stdin.end();
  await new Promise((resolve) => child.once("close", resolve));
  const counts = await readCounts(coverage, join(source, "src") + sep);
  await rm(folder, { recursive: true });
  return counts;
}

interface Coverage {
  readonly result: readonly {
    readonly url: string;
    readonly functions: readonly {
      readonly functionName: string;
      readonly ranges: readonly {
        readonly startOffset: number;
        readonly endOffset: number;
        readonly count: number;
      }[];
    }[];
  }[];
}

/** By file, name and place of a function; a function without a name is read as part of the one around it. */
async function readCounts(folder: string, source: string): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (const name of await readdir(folder)) {
    const { result } = JSON.parse(await readFile(join(folder, name), "utf8")) as Coverage;
    for (const { url, functions } of result) {
      const [, file] = decodeURIComponent(url).split(source);
      if (file === undefined) continue;
      for (const { functionName, ranges } of functions) {
        const [{ startOffset, endOffset, count } = { startOffset: 0, endOffset: 0, count: 0 }] =
          ranges;
        if (functionName === "") continue;
        const key = [file, functionName, startOffset, endOffset].join("\t");
        counts.set(key, (counts.get(key) ?? 0) + count);
      }
    }
  }
  return counts;
}

async function walk(source: string, work: Work) {
  const few = await counted(source, work, FEW);
  const more = await counted(source, work, MORE);
  const onTheWay = [...more].filter(
    ([key, count]) =>
      count - (few.get(key) ?? 0) >= (MORE - FEW) / 2 && !(work === addPdf && BESIDE.test(key)),
  );
  const functions = await Promise.all(onTheWay.map(([key]) => toFunction(source, key)));
  return functions.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

interface Passed {
  readonly file: string;
  readonly name: string;
  readonly isStop: boolean;
}

async function toFunction(source: string, key: string): Promise<Passed> {
  const [file = "", name, start, end] = key.split("\t");
  const code = await readFile(join(source, "src", file), "utf8");
  const lines = code.slice(Number(start), Number(end)).split("\n").length;
  const isStop = lines >= LINES_TO_STOP && !WATCHING.test(file);
  return { file, name: `${file} ${name}`, isStop };
}

function describe(passed: readonly Passed[]): string {
  const files = new Set(passed.map(({ file }) => file));
  return `${passed.length} in ${files.size} files`;
}

const { values } = parseArgs({
  options: {
    source: { type: "string", default: join(import.meta.dirname, "..") },
    only: { type: "string", default: "" },
    names: { type: "boolean", default: false },
  },
});
for (const [name, work] of WALKS.filter(([each]) => each.startsWith(values.only))) {
  const passed = await walk(values.source, work);
  const stops = passed.filter(({ isStop }) => isStop);
  process.stdout.write(`${name}: functions ${describe(passed)}, stops ${describe(stops)}\n`);
  const lines = passed.map((each) => `${each.isStop ? "*" : " "} ${each.name}\n`);
  if (values.names) process.stdout.write(lines.join(""));
}
