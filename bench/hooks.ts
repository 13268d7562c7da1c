// What the hook before a prompt misses, what it names for nothing, and how long it takes, as the client runs it: one
// process for each of a hundred prompts, with the project's documentation as the knowledge base; for the sets "other" and
// "heldOut" with that of another program (DIR/retrieval/tech-claude-docs), for "policy" with a folder of Debian's. Three
// ways: beside an http server, beside a client's stdio server, alone. After npm run build:
// node bench/hooks.ts [--set chosen] [--ways alone] [--data DIR] [--documents FOLDER] [--show]
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { SETS } from "./support/hook-prompts.ts";
import { readRetrievalSet } from "./support/retrieval-set.ts";

const { values } = parseArgs({
  options: {
    set: { type: "string", default: "fresh" },
    ways: { type: "string" },
    documents: { type: "string" },
    show: { type: "boolean", default: false },
    data: { type: "string", default: "../shared/data" },
  },
});
const { needed: NEEDED, not: NOT_NEEDED } = SETS[values.set as keyof typeof SETS];
const ROOT = join(import.meta.dirname, "..");
const PROGRAM = join(ROOT, "bin/knowledge-server.js");
const folder = mkdtempSync(join(tmpdir(), "knowledge-hooks-"));
const data = ["--data-dir", join(folder, "data")];
const env = { PATH: process.env["PATH"] ?? "", HOME: folder };
const print = (line: string) => void process.stdout.write(`${line}\n`);

/** Resolves with how it is ended. */
const WAYS = new Map<string, () => Promise<() => Promise<void>>>([
  ["with http", startHttp],
  ["with stdio", startStdio],
  ["alone", async () => async () => {}],
]);

async function startHttp() {
  const child = spawn(process.execPath, [PROGRAM, "http", "--port", "0", ...data], {
    env,
    stdio: ["ignore", "ignore", "pipe"],
  });
  for await (const line of child.stderr) if (String(line).includes("MCP:")) break;
  child.stderr.resume();
  return async () => {
    child.kill("SIGTERM");
    await once(child, "exit");
  };
}

/** As a coding agent has it: the plugin's server, before its first call. */
async function startStdio() {
  const client = new Client({ name: "hooks", version: "1" });
  const args = [PROGRAM, ...data];
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args, env, stderr: "ignore" }),
  );
  return () => client.close();
}

interface Run {
  readonly names: boolean;
  readonly ms: number;
}

async function runHook(prompt: string): Promise<Run> {
  const started = performance.now();
  const child = spawn(process.execPath, [PROGRAM, "hook", "prompt", ...data], {
    env,
    stdio: ["pipe", "pipe", "ignore"],
  });
  child.stdin.end(JSON.stringify({ prompt }));
  let bytes = 0;
  child.stdout.on("data", (part: Buffer) => {
    bytes += part.length;
  });
  await once(child, "close");
  return { names: bytes > 0, ms: performance.now() - started };
}

const at = (sorted: readonly number[], share: number) =>
  Math.round(sorted[Math.floor((sorted.length - 1) * share)] ?? 0);

/** Each section of the other program's documentation as a file. */
function writeOthers(): string {
  const { corpus } = readRetrievalSet(join(values.data, "retrieval"), "tech-claude-docs", 1);
  const others = join(folder, "others");
  mkdirSync(others);
  for (const [at, { title, text }] of corpus.entries())
    writeFileSync(join(others, `${at}.md`), `# ${title}\n\n${text}\n`);
  return others;
}

const isOther = values.set === "other" || values.set === "heldOut";
const documents = values.documents ?? (isOther ? writeOthers() : join(ROOT, "docs"));
spawnSync(process.execPath, [PROGRAM, "add", documents, "--root", "/", ...data], { env });
print("| | missed | named for nothing | p50 | p95 |");
print("|---|---|---|---|---|");
for (const [name, start] of WAYS) {
  if (values.ways && !values.ways.split(",").includes(name)) continue;
  const end = await start();
  // A prompt comes long after the start of a session.
  for (let round = 0; round < 5; round++) await runHook("warm up");
  const [needed, not]: [Run[], Run[]] = [[], []];
  for (const [number, prompt] of NEEDED.entries()) {
    const other = NOT_NEEDED[number] ?? "";
    needed.push(await runHook(prompt));
    not.push(await runHook(other));
    if (values.show && !needed.at(-1)?.names) print(`missed: ${prompt}`);
    if (values.show && not.at(-1)?.names) print(`named for nothing: ${other}`);
  }
  await end();
  const times = [...needed, ...not].map(({ ms }) => ms).sort((a, b) => a - b);
  const missed = needed.filter(({ names }) => !names).length;
  const idle = not.filter(({ names }) => names).length;
  const cells = [`${missed} of ${needed.length}`, `${idle} of ${not.length}`];
  print(`| ${[name, ...cells, `${at(times, 0.5)} ms`, `${at(times, 0.95)} ms`].join(" | ")} |`);
}
const bare = Array.from({ length: 40 }, () => {
  const started = performance.now();
  spawnSync(process.execPath, ["-e", "0"], { env });
  return performance.now() - started;
}).sort((a, b) => a - b);
print(`| bare node -e 0 | | | ${at(bare, 0.5)} ms | ${at(bare, 0.95)} ms |`);
rmSync(folder, { recursive: true, force: true });
