// A tool call over each transport, the start, and ten megabytes of content, each beside its yardstick.
// Run: node bench/calls.ts
import { copyFile, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { buildProgram } from "../scripts/build.ts";
import {
  overHttp,
  overStdio,
  overWebSocket,
  type Peer,
  shakeHands,
  startHttp,
} from "./support/wire.ts";

const root = join(import.meta.dirname, "..");
const folder = await mkdtemp(join(tmpdir(), "knowledge-bench-"));
const yardstick = join(folder, "yardsticks.mjs");
const kbFile = join(folder, "kb.txt");
const largeFile = join(folder, "large.txt");
// A build of its own, as it is published; inside the project, where packages are found.
const built = join(".tmp", "bench-calls");
const main = join(root, built, "bin", "knowledge-server.js");
const ours = (file: string) => [main, "--kb-file", file, "--data-dir", join(folder, "data")];

interface Row {
  readonly what: string;
  readonly ours: number;
  readonly yardstick: number;
  readonly unit: string;
  readonly aim: number;
}

// Rounds of both in turn: what else the machine does hits both alike.
const ROUNDS = 9;
const CALLS = 200;

async function prepare(): Promise<void> {
  await writeFile(kbFile, "A small knowledge base.\n");
  await writeFile(largeFile, "Ten megabytes of plain text, line by line.\n".repeat(243_902));
  await mkdir(join(root, built, "bin"), { recursive: true });
  await copyFile(join(root, "bin", "knowledge-server.js"), main);
  await buildProgram(root, join(built, "dist"));
  await build({
    entryPoints: [join(import.meta.dirname, "support", "yardsticks.ts")],
    outfile: yardstick,
    bundle: true,
    platform: "node",
    format: "esm",
    minifySyntax: true,
    minifyWhitespace: true,
    logLevel: "error",
  });
}

async function callsPerRound(peer: Peer, message: object, count: number): Promise<number> {
  const started = performance.now();
  for (let id = 1; id <= count; id++) await peer.ask({ ...message, id });
  return ((performance.now() - started) / count) * 1000;
}

async function compare(one: () => Promise<number>, other: () => Promise<number>, rounds = ROUNDS) {
  const first: number[] = [];
  const second: number[] = [];
  for (let round = 0; round < rounds; round++) {
    first.push(await one());
    second.push(await other());
  }
  return [median(first), median(second)] as const;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

const call = (name: string) => ({
  jsonrpc: "2.0",
  method: "tools/call",
  params: { name, arguments: {} },
});

async function stdioCalls(): Promise<Row> {
  const server = await shakeHands(overStdio(ours(kbFile)));
  const echo = await shakeHands(overStdio([yardstick, "sdk"]));
  await callsPerRound(server, call("get_kb_info"), CALLS * 3);
  await callsPerRound(echo, call("echo"), CALLS * 3);
  const [mine, theirs] = await compare(
    () => callsPerRound(server, call("get_kb_info"), CALLS),
    () => callsPerRound(echo, call("echo"), CALLS),
  );
  server.close();
  echo.close();
  return {
    what: "get_kb_info over stdio / SDK echo tool",
    ours: mine,
    yardstick: theirs,
    unit: "µs",
    aim: 1.2,
  };
}

async function networkCalls(): Promise<Row[]> {
  const server = await startHttp([...ours(kbFile).toSpliced(1, 0, "http"), "--port", "0"]);
  const bare = await startHttp([yardstick, "http"]);
  const http = overHttp(server.url);
  const echo = overHttp(bare.url);
  const socket = await shakeHands(await overWebSocket(server.url));
  const message = call("get_kb_info");
  for (const peer of [http, echo, socket]) await callsPerRound(peer, message, CALLS * 3);
  const [mine, theirs] = await compare(
    () => callsPerRound(http, message, CALLS),
    () => callsPerRound(echo, message, CALLS),
  );
  const [overSocket, overPost] = await compare(
    () => callsPerRound(socket, message, CALLS),
    () => callsPerRound(http, message, CALLS),
  );
  for (const peer of [http, echo, socket]) peer.close();
  server.child.kill();
  bare.child.kill();
  return [
    {
      what: "get_kb_info over HTTP / bare node:http echo",
      ours: mine,
      yardstick: theirs,
      unit: "µs",
      aim: 2.5,
    },
    {
      what: "get_kb_info over WebSocket / over HTTP",
      ours: overSocket,
      yardstick: overPost,
      unit: "µs",
      aim: 1,
    },
  ];
}

async function start(args: readonly string[]): Promise<number> {
  const started = performance.now();
  const peer = await shakeHands(overStdio(args));
  await peer.ask({ jsonrpc: "2.0", id: 1, method: "tools/list" });
  const took = performance.now() - started;
  peer.close();
  return took;
}

async function coldStart(): Promise<Row> {
  await start(ours(kbFile));
  const [mine, theirs] = await compare(
    () => start(ours(kbFile)),
    () => start([yardstick, "sdk"]),
  );
  return {
    what: "start to tools/list / bundled SDK server",
    ours: mine,
    yardstick: theirs,
    unit: "ms",
    aim: 1.3,
  };
}

async function largeContent(): Promise<Row> {
  const server = await shakeHands(overStdio(ours(largeFile)));
  const bare = overStdio([yardstick, "content", largeFile]);
  const fetchOnce = async (peer: Peer) => {
    const started = performance.now();
    const answer = JSON.parse(await peer.ask({ ...call("get_kb_content"), id: 1 }));
    JSON.parse(answer.result.content[0].text);
    return performance.now() - started;
  };
  await fetchOnce(server);
  await fetchOnce(bare);
  const [mine, theirs] = await compare(
    () => fetchOnce(server),
    () => fetchOnce(bare),
  );
  server.close();
  bare.close();
  return {
    what: "10 MB of content over stdio / bare JSON",
    ours: mine,
    yardstick: theirs,
    unit: "ms",
    aim: 2,
  };
}

await prepare();
const rows = [
  await stdioCalls(),
  ...(await networkCalls()),
  await coldStart(),
  await largeContent(),
];
await rm(folder, { recursive: true, force: true });
const lines = rows.map(({ what, ours: mine, yardstick: theirs, unit, aim }) => {
  const digits = unit === "µs" ? 0 : 1;
  const ratio = (mine / theirs).toFixed(2);
  return `| ${what} | ${mine.toFixed(digits)} ${unit} | ${theirs.toFixed(digits)} ${unit} | ${ratio} | ≤ ${aim} |`;
});
process.stdout.write(
  "| ours / yardstick | ours | yardstick | ratio | aim |\n|---|---|---|---|---|\n",
);
process.stdout.write(`${lines.join("\n")}\n${JSON.stringify(rows)}\n`);
