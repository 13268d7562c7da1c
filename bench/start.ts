// How quickly a fresh process is of use, and what many of them cost: start, first search, the command line, memory.
// Run: node bench/start.ts [--rounds 7] [--peers FOLDER [--published DIR]]. Beside yardsticks, in turn: a busy machine
// slows both. FOLDER holds other servers of the kind, installed by npm (bench/support/peers.ts), DIR their default model
// with its fp32 weights; without it they take ours, which is quantised.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { build } from "esbuild";
import { buildProgram } from "../scripts/build.ts";
import { openLocalRag, type Peer } from "./support/peers.ts";
import { memoryOf, openStdio, type Program, type Session } from "./support/stdio-session.ts";
import { startHttp } from "./support/wire.ts";

const root = join(import.meta.dirname, "..");
const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "7" },
    peers: { type: "string" },
    published: { type: "string" },
  },
});
const rounds = Number(values.rounds);
const folder = mkdtempSync(join(tmpdir(), "knowledge-start-"));
const program = join(root, "bin", "knowledge-server.js");
const yardstick = join(folder, "yardsticks.mjs");
const data = ["--data-dir", join(folder, "data")];
const QUESTION = "how are backups made";

const median = (list: readonly number[]) => list.toSorted((a, b) => a - b)[list.length >> 1] ?? 0;
const print = (line: string) => void process.stdout.write(`${line}\n`);
const env = { PATH: process.env["PATH"] ?? "", HOME: folder };
const own = (...flags: readonly string[]): Program => ({ args: [program, ...data, ...flags], env });
type Ask = (session: Session) => Promise<unknown>;

const search = (session: Session) => session.tool("knowledge-search", { query: QUESTION });

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

const toList = (server: Program) => async () => {
  const started = performance.now();
  const session = await openStdio(server);
  await session.call("tools/list", {});
  const ms = performance.now() - started;
  await session.end();
  return ms;
};

/** Of a process that has just been started; its start is not counted. */
const firstSearch = (server: Program, ask: Ask) => async () => {
  const session = await openStdio(server);
  const ms = await timed(() => ask(session));
  await session.end();
  return ms;
};

/** From nothing to the first result. */
const startAndSearch = (server: Program, ask: Ask) => async () => {
  const started = performance.now();
  const session = await openStdio(server);
  await session.call("tools/list", {});
  await ask(session);
  const ms = performance.now() - started;
  await session.end();
  return ms;
};

/** By the clock, from a small process: a large one forks slowly. */
function commandCost(args: readonly string[]) {
  const script = `const t=performance.now();require("node:child_process").spawnSync(process.execPath,${JSON.stringify(args)},{stdio:"ignore"});console.log(performance.now()-t)`;
  const { stdout } = spawnSync(process.execPath, ["-e", script], { env, encoding: "utf8" });
  return Number(stdout);
}

async function memoryOfClients(count: number, server: Program, ask: Ask): Promise<number> {
  const sessions = await Promise.all(Array.from({ length: count }, () => openStdio(server)));
  // Twice: the first search is the light encoder's, the second waits for the model where one is loaded.
  for (const session of sessions) await ask(session);
  await new Promise((done) => setTimeout(done, 6_000));
  for (const session of sessions) await ask(session);
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

async function besidePeers(): Promise<void> {
  if (values.peers === undefined) return;
  const places = {
    installed: values.peers,
    docs: join(folder, "docs"),
    folder: join(folder, "peer"),
    modelDir: values.published ?? join(root, "models", "all-MiniLM-L6-v2"),
    dtype: values.published === undefined ? ("q8" as const) : ("fp32" as const),
  };
  const peer = await openLocalRag(places);
  if (peer) await comparePeer(peer);
}

async function comparePeer({ name, program: theirs, search: askIn }: Peer): Promise<void> {
  const ask: Ask = (session) => askIn(session, QUESTION);
  const compare = (what: string, { own: ours, yard }: { own: number; yard: number }) =>
    print(
      `${what}: ${Math.round(ours)} ms, ${name} ${Math.round(yard)} ms: ${(yard / ours).toFixed(1)} ×`,
    );
  compare("start to tools/list", await inTurn(toList(own()), toList(theirs)));
  const alone = own("--share", "off");
  const searches = [firstSearch(alone, search), firstSearch(theirs, ask)] as const;
  compare("first search of a fresh stdio server", await inTurn(...searches));
  const whole = [startAndSearch(alone, search), startAndSearch(theirs, ask)] as const;
  compare("start and first search together", await inTurn(...whole));
  for (const count of [1, 10]) {
    const memory = await memoryOfClients(count, theirs, ask);
    print(`${count} clients of ${name} after a search: ${Math.round(memory)} MB`);
  }
}

try {
  await prepare();
  const ms = (value: number) => `${Math.round(value)} ms`;
  const sdk = toList({ args: [yardstick, "sdk"], env });
  const start = await inTurn(toList(own()), sdk);
  print(
    `start to tools/list: ${ms(start.own)}, SDK yardstick ${ms(start.yard)}: ${(start.own / start.yard).toFixed(2)} ×`,
  );
  const first = await inTurn(firstSearch(own(), search), sdk);
  print(
    `first search of a fresh stdio server: ${ms(first.own)} (the yardstick's start beside it: ${ms(first.yard)})`,
  );
  const bare = async () => commandCost(["-e", "0"]);
  const command = [program, "search", QUESTION, ...data];
  const alone = await inTurn(async () => commandCost(command), bare);
  print(`search on the command line: ${ms(alone.own)} (bare Node ${ms(alone.yard)})`);
  const idle = await openStdio(own());
  await new Promise((done) => setTimeout(done, 3_000));
  print(`an idle stdio server: ${Math.round(memoryOf(idle.pid))} MB`);
  await idle.end();
  for (const count of [1, 10]) {
    print(
      `${count} stdio clients by themselves: ${Math.round(await memoryOfClients(count, own("--share", "off"), search))} MB`,
    );
  }
  const server = await startHttp([program, "http", "--port", "0", ...data]);
  const shared = await inTurn(async () => commandCost(command), bare);
  print(
    `search on the command line beside a server: ${ms(shared.own)} (bare Node ${ms(shared.yard)})`,
  );
  for (const count of [1, 10]) {
    const clients = await memoryOfClients(count, own(), search);
    const serving = memoryOf(server.child.pid ?? 0);
    print(
      `${count} stdio clients beside a server: ${Math.round(clients)} MB, the server ${Math.round(serving)} MB`,
    );
  }
  server.child.kill("SIGTERM");
  await new Promise((done) => server.child.once("close", done));
  await besidePeers();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
