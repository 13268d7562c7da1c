// How quickly a fresh process is of use, and what many of them cost: start, first search, the command line, memory.
// Run: node bench/start.ts [--rounds 7]. Beside yardsticks, in turn: a busy machine slows both.
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { parseArgs } from "node:util";
import { build } from "esbuild";
import { buildProgram } from "../scripts/build.ts";
import { startHttp } from "./support/wire.ts";

const root = join(import.meta.dirname, "..");
const { values } = parseArgs({ options: { rounds: { type: "string", default: "7" } } });
const rounds = Number(values.rounds);
const folder = mkdtempSync(join(tmpdir(), "knowledge-start-"));
const program = join(root, "bin", "knowledge-server.js");
const yardstick = join(folder, "yardsticks.mjs");
const data = ["--data-dir", join(folder, "data")];
const QUESTION = "how are backups made";

const median = (list: readonly number[]) => list.toSorted((a, b) => a - b)[list.length >> 1] ?? 0;
const print = (line: string) => void process.stdout.write(`${line}\n`);
const env = { PATH: process.env["PATH"] ?? "", HOME: folder };

interface Session {
  readonly pid: number;
  call(method: string, params: object): Promise<unknown>;
  end(): Promise<void>;
}

async function openStdio(args: readonly string[]): Promise<Session> {
  const child = spawn(process.execPath, args, { env, stdio: ["pipe", "pipe", "ignore"] });
  const closed = new Promise((done) => child.once("close", done));
  const waiting = new Map<number, (result: unknown) => void>();
  createInterface({ input: child.stdout }).on("line", (line) => {
    const { id, result } = JSON.parse(line) as { id?: number; result?: unknown };
    if (id !== undefined) waiting.get(id)?.(result);
  });
  const state = { id: 0 };
  const call = (method: string, params: object) =>
    new Promise<unknown>((resolve) => {
      const id = ++state.id;
      waiting.set(id, resolve);
      child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
    });
  const clientInfo = { name: "bench", version: "1" };
  await call("initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo });
  return {
    pid: child.pid ?? 0,
    call,
    async end() {
      child.stdin.end();
      await closed;
    },
  };
}

const search = (session: Session) =>
  session.call("tools/call", { name: "knowledge-search", arguments: { query: QUESTION } });

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

/** Both in turn, so that what else the machine does hits both alike. */
async function inTurn(ours: () => Promise<number>, other: () => Promise<number>) {
  const [own, yard]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round++) {
    own.push(await ours());
    yard.push(await other());
  }
  return { own: median(own), yard: median(yard) };
}

const toList = (args: readonly string[]) => async () => {
  const started = performance.now();
  const session = await openStdio(args);
  await session.call("tools/list", {});
  const ms = performance.now() - started;
  await session.end();
  return ms;
};

async function firstSearch(): Promise<number> {
  const session = await openStdio([program, ...data]);
  const ms = await timed(() => search(session));
  await session.end();
  return ms;
}

/** By the clock, from a small process: a large one forks slowly. */
function commandCost(args: readonly string[]) {
  const script = `const t=performance.now();require("node:child_process").spawnSync(process.execPath,${JSON.stringify(args)},{stdio:"ignore"});console.log(performance.now()-t)`;
  const { stdout } = spawnSync(process.execPath, ["-e", script], { env, encoding: "utf8" });
  return Number(stdout);
}

/** Proportional: a page that ten processes share counts a tenth in each. */
function memoryOf(pid: number): number {
  const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, "utf8");
  return Number(/^Pss:\s+(\d+)/m.exec(rollup)?.[1]) / 1024;
}

async function memoryOfClients(count: number, flags: readonly string[]): Promise<number> {
  const sessions = await Promise.all(
    Array.from({ length: count }, () => openStdio([program, ...data, ...flags])),
  );
  // Twice: the first search is the light encoder's, the second waits for the model where one is loaded.
  for (const session of sessions) await search(session);
  await new Promise((done) => setTimeout(done, 6_000));
  for (const session of sessions) await search(session);
  const sum = sessions.reduce((total, { pid }) => total + memoryOf(pid), 0);
  await Promise.all(sessions.map((session) => session.end()));
  return sum;
}

async function prepare(): Promise<void> {
  await buildProgram(root);
  const support = join(import.meta.dirname, "support", "yardsticks.ts");
  await build({
    entryPoints: [support],
    outfile: yardstick,
    bundle: true,
    platform: "node",
    format: "esm",
    minify: true,
    logLevel: "error",
  });
  mkdirSync(join(folder, "docs"));
  for (let at = 0; at < 20; at++) {
    writeFileSync(
      join(folder, "docs", `${at}.md`),
      `# Page ${at}\n\nBackups of shelf ${at} are made every night and kept for ${at + 7} days.\n`,
    );
  }
  execFileSync(process.execPath, [program, "add", join(folder, "docs"), ...data], {
    env,
    cwd: folder,
    stdio: "ignore",
  });
}

try {
  await prepare();
  const ms = (value: number) => `${Math.round(value)} ms`;
  const sdk = toList([yardstick, "sdk"]);
  const start = await inTurn(toList([program, ...data]), sdk);
  print(
    `start to tools/list: ${ms(start.own)}, SDK yardstick ${ms(start.yard)}: ${(start.own / start.yard).toFixed(2)} ×`,
  );
  const first = await inTurn(firstSearch, sdk);
  print(
    `first search of a fresh stdio server: ${ms(first.own)} (the yardstick's start beside it: ${ms(first.yard)})`,
  );
  const bare = async () => commandCost(["-e", "0"]);
  const command = [program, "search", QUESTION, ...data];
  const alone = await inTurn(async () => commandCost(command), bare);
  print(`search on the command line: ${ms(alone.own)} (bare Node ${ms(alone.yard)})`);
  const idle = await openStdio([program, ...data]);
  await new Promise((done) => setTimeout(done, 3_000));
  print(`an idle stdio server: ${Math.round(memoryOf(idle.pid))} MB`);
  await idle.end();
  for (const count of [1, 10]) {
    print(
      `${count} stdio clients by themselves: ${Math.round(await memoryOfClients(count, ["--share", "off"]))} MB`,
    );
  }
  const server = await startHttp([program, "http", "--port", "0", ...data]);
  const shared = await inTurn(async () => commandCost(command), bare);
  print(
    `search on the command line beside a server: ${ms(shared.own)} (bare Node ${ms(shared.yard)})`,
  );
  for (const count of [1, 10]) {
    const clients = await memoryOfClients(count, []);
    const own = memoryOf(server.child.pid ?? 0);
    print(
      `${count} stdio clients beside a server: ${Math.round(clients)} MB, the server ${Math.round(own)} MB`,
    );
  }
  server.child.kill("SIGTERM");
  await new Promise((done) => server.child.once("close", done));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
