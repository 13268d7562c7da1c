import { Client } from "@modelcontextprotocol/client";
import { afterEach, expect, test } from "vitest";
import { silentLog } from "../../test/support/silent-log.ts";
import { openStreams, type Streams, streamTransport } from "../../test/support/stream-transport.ts";
import { openToolbox } from "../../test/support/toolbox.ts";
import { openLog } from "../observe/log.ts";
import { openMetrics } from "../observe/metrics.ts";
import { openMcp } from "./mcp.ts";

let streams: Streams | undefined;
afterEach(() => streams?.close());

function openWarmedUp(rounds: number) {
  const lines: string[] = [];
  const state = { asked: 0, isOver: false };
  const metrics = openMetrics();
  const toolbox = openToolbox();
  const log = openLog({ level: "debug", write: (line) => void lines.push(line) });
  const warmUpCalls = async function* () {
    try {
      for (; state.asked < rounds; state.asked++) {
        yield { name: "echo", arguments: { text: "warm-up" } };
      }
    } finally {
      state.isOver = true;
    }
  };
  const mcp = openMcp({ ...toolbox, warmUpCalls }, { version: "1", log, metrics });
  return { mcp, toolbox, lines, state, metrics };
}

test("warming up calls the tools and leaves neither a line nor a count", async () => {
  const { mcp, toolbox, lines, metrics } = openWarmedUp(3);
  await mcp.prepare();
  expect(toolbox.started).toEqual(["echo", "echo", "echo"]);
  expect(lines).toEqual([]);
  expect(metrics.render()).not.toContain("knowledge_tool_calls_total");
});

/** The steps of three calls and a reading beside them, and the longest time between two of the calls. */
async function readBeside() {
  const steps: string[] = [];
  const times: number[] = [];
  const toolbox = openToolbox();
  const parts = { version: "1", log: silentLog(), metrics: openMetrics() };
  const { promise: asked, resolve: ask } = Promise.withResolvers<void>();
  const readAhead = async (untilIdle: () => Promise<void>) => {
    await untilIdle();
    ask();
    await untilIdle();
    steps.push("read");
  };
  const mcp = openMcp({ ...toolbox, readAhead }, parts);
  const opened = openStreams(mcp);
  const client = new Client({ name: "test", version: "1" });
  await client.connect(streamTransport(opened));
  await asked;
  times.push(performance.now());
  for (const text of ["1", "2", "3"]) {
    await client.callTool({ name: "echo", arguments: { text } });
    steps.push(text);
    times.push(performance.now());
  }
  await expect.poll(() => steps).toContain("read");
  await opened.close();
  return { steps, longestMs: Math.max(...times.map((time, at) => time - (times[at - 1] ?? time))) };
}

test("reading ahead waits for running requests, and for those that follow", async () => {
  for (;;) {
    const { steps, longestMs } = await readBeside();
    // This process had to wait for its turn itself: the call did not follow soon.
    if (longestMs > 30) continue;
    expect(steps).toEqual(["1", "2", "3", "read"]);
    return;
  }
});

test("over stdio a client that has sent nothing finds its calls made once before it", async () => {
  const { mcp, toolbox } = openWarmedUp(1);
  streams = openStreams(mcp);
  await expect.poll(() => toolbox.started).toEqual(["echo"]);
});

test("over stdio it continues while a client lists tools, and ends with the first tool call", async () => {
  const { mcp, state } = openWarmedUp(Number.POSITIVE_INFINITY);
  streams = openStreams(mcp);
  const client = new Client({ name: "test", version: "1" });
  await client.connect(streamTransport(streams));
  await client.listTools();
  const before = state.asked;
  await expect.poll(() => state.asked).toBeGreaterThan(before);
  expect(state.isOver).toBe(false);
  await client.callTool({ name: "echo", arguments: { text: "own" } });
  await expect.poll(() => state.isOver).toBe(true);
});
