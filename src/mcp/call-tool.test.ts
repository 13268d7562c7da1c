import { expect, test } from "vitest";
import { openStreams, readLines } from "../../test/support/stream-transport.ts";
import { openToolbox } from "../../test/support/toolbox.ts";
import { openLog } from "../observe/log.ts";
import { openMetrics } from "../observe/metrics.ts";
import { openMcp } from "./mcp.ts";

test("a call leaves one line with its tool, outcome and time, and is counted", async () => {
  const lines: string[] = [];
  const log = openLog({ level: "info", write: (line) => void lines.push(line) });
  const metrics = openMetrics();
  const streams = openStreams(openMcp(openToolbox(), { version: "1", log, metrics }));
  const { promise: answered, resolve } = Promise.withResolvers<string>();
  readLines(streams.stdout, resolve);
  const params = { name: "echo", arguments: { text: "said" } };
  const message = { jsonrpc: "2.0", id: 1, method: "tools/call", params };
  streams.stdin.write(`${JSON.stringify(message)}\n`);
  expect(await answered).toContain("said");
  await streams.close();
  const said = lines.map((line) => JSON.parse(line)).filter(({ event }) => event === "mcp.call");
  expect(said).toEqual([
    expect.objectContaining({ tool: "echo", outcome: "ok", ms: expect.any(Number) }),
  ]);
  expect(metrics.render()).toContain('knowledge_tool_calls_total{tool="echo",outcome="ok"} 1');
});

test("a call that ends to ask the client's model leaves no tool running", async () => {
  const lines: string[] = [];
  const log = openLog({ level: "debug", write: (line) => void lines.push(line) });
  const streams = openStreams(
    openMcp(openToolbox(), { version: "1", log, metrics: openMetrics() }),
  );
  const { promise: answered, resolve } = Promise.withResolvers<string>();
  readLines(streams.stdout, resolve);
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": { sampling: {} },
  };
  const params = { name: "ask", arguments: {}, _meta };
  const message = { jsonrpc: "2.0", id: 1, method: "tools/call", params };
  streams.stdin.write(`${JSON.stringify(message)}\n`);
  expect(JSON.parse(await answered)).toMatchObject({ result: { resultType: "input_required" } });
  await streams.close();
  const events = lines.map((line) => JSON.parse(line));
  expect(events).toContainEqual(
    expect.objectContaining({ event: "tool.failed", tool: "ask", code: "CANCELLED" }),
  );
});
