// What a connection offers to tools (progress, sampling, cancelling, notifications) on each transport.
import type { Client } from "@modelcontextprotocol/client";
import { SSEClientTransport } from "sdk-v1/client/sse.js";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { openMcp } from "../../src/mcp/mcp.ts";
import { openMetrics } from "../../src/observe/metrics.ts";
import type { Http } from "../../src/transports/http/http.ts";
import {
  connect,
  connectOld,
  listeningTransport,
  type Mode,
  messagesOf,
  post,
  progressIn,
  webSocketTransport,
} from "../support/clients.ts";
import { eventually } from "../support/eventually.ts";
import { openTestHttp } from "../support/http.ts";
import { silentLog } from "../support/silent-log.ts";
import { openToolbox, type TestToolbox } from "../support/toolbox.ts";

let toolbox: TestToolbox;
let http: Http;
const open: Client[] = [];

beforeEach(async () => {
  toolbox = openToolbox();
  const log = silentLog();
  http = await openTestHttp(openMcp(toolbox, { version: "1", log, metrics: openMetrics() }));
});
afterEach(async () => {
  for (const client of open.splice(0)) await client.close();
  await http.close();
});

const WAYS: readonly (readonly [string, Mode])[] = [
  ["http", "legacy"],
  ["http", "modern"],
  ["websocket", "legacy"],
  ["websocket", "modern"],
];

async function join(way: string, mode: Mode, options: Parameters<typeof connect>[2] = {}) {
  const { transport, isListening } =
    way === "http"
      ? listeningTransport(`${http.url}/mcp`)
      : {
          transport: webSocketTransport(`${http.url.replace("http", "ws")}/mcp`),
          isListening: async () => {},
        };
  const client = await connect(transport, mode, options);
  open.push(client);
  await isListening();
  return client;
}

const hasStarted = (name: string) => eventually(() => expect(toolbox.started).toEqual([name]));

const textOf = (result: unknown) =>
  JSON.parse((result as { content: { text: string }[] }).content[0]?.text ?? "null");

describe.each(WAYS)("%s, %s", (way, mode) => {
  test("a call returns the payload as text and as structured content", async () => {
    const client = await join(way, mode);
    const result = await client.callTool({ name: "echo", arguments: { text: "héllo 日本" } });
    expect(textOf(result)).toEqual({ text: "héllo 日本" });
    expect(result.structuredContent).toEqual({ text: "héllo 日本" });
  });

  test("progress reaches the caller that asked for it", async () => {
    const client = await join(way, mode);
    const messages = messagesOf(client.transport ?? {});
    await client.callTool({ name: "steps" }, { onprogress: () => {} });
    const told = progressIn(messages);
    const { progressToken } = told[0] ?? expect.unreachable();
    expect(told).toMatchObject(
      [1, 2, 3].map((n) => ({ progressToken, progress: n, total: 3, message: `step ${n}` })),
    );
  });

  test("the client's model is used if the client offers sampling", async () => {
    const client = await join(way, mode, {
      capabilities: { sampling: {} },
      prepare: (each) =>
        each.setRequestHandler("sampling/createMessage", async ({ params }) => ({
          model: "m",
          role: "assistant",
          content: { type: "text", text: `Paris (${params.systemPrompt})` },
        })),
    });
    expect(textOf(await client.callTool({ name: "ask" }))).toEqual({ reply: "Paris (Be brief.)" });
  });

  test("no model is used if the client offers none", async () => {
    const client = await join(way, mode);
    expect(textOf(await client.callTool({ name: "ask" }))).toEqual({ reply: "no model" });
  });

  test("a cancelled call stops the work", async () => {
    const client = await join(way, mode);
    const stop = new AbortController();
    const call = client.callTool({ name: "slow" }, { signal: stop.signal });
    await hasStarted("slow");
    stop.abort();
    await expect(call).rejects.toThrow();
    await eventually(() => expect(toolbox.aborted).toEqual(["slow"]));
  });

  test("an internal error is not exposed", async () => {
    const result = await (await join(way, mode)).callTool({ name: "fail" });
    expect(result.isError).toBe(true);
    expect(JSON.stringify(result)).not.toContain("secret");
    expect(textOf(result)).toMatchObject({ success: false, error: "internal" });
  });

  test("an unknown tool is a protocol error", async () => {
    const client = await join(way, mode);
    await expect(client.callTool({ name: "nothing" })).rejects.toMatchObject({
      code: -32602,
      data: { error_type: "unknown_tool" },
    });
  });

  test("resources are listed page by page, and read by template", async () => {
    const client = await join(way, mode);
    const { resources } = await client.listResources();
    expect(resources.map(({ uri }) => uri)).toEqual([
      "test://fixed",
      "test://items/a",
      "test://items/b",
    ]);
    const { contents } = await client.readResource({ uri: "test://items/x%20y" });
    expect(contents).toEqual([
      { uri: "test://items/x%20y", mimeType: "text/plain", text: "item x y" },
    ]);
  });

  test("prompts are rendered, and missing arguments are refused", async () => {
    const client = await join(way, mode);
    const { messages } = await client.getPrompt({ name: "greet", arguments: { who: "Ada" } });
    expect(messages).toEqual([{ role: "user", content: { type: "text", text: "Greet Ada." } }]);
    await expect(client.getPrompt({ name: "greet" })).rejects.toMatchObject({ code: -32602 });
  });

  test("arguments are completed", async () => {
    const client = await join(way, mode);
    const { completion } = await client.complete({
      ref: { type: "ref/resource", uri: "test://items/{id}" },
      argument: { name: "id", value: "al" },
    });
    expect(completion.values).toEqual(["alpha"]);
  });
});

describe.each([["http"], ["websocket"]])("%s, a lasting connection", (way) => {
  test("an async task's progress is sent on the connection that started it", async () => {
    const seen: unknown[] = [];
    const client = await join(way, "legacy", {
      prepare: (each) => {
        each.fallbackNotificationHandler = async ({ params }) => void seen.push(params);
        each.removeNotificationHandler("notifications/progress");
      },
    });
    await client.callTool({ name: "task" });
    await client.callTool({ name: "task", _meta: { progressToken: "mine" } });
    // Once, although two tasks ran: nobody gave a token for the first.
    const expected = { progressToken: "task-1", progress: 1, total: 2, message: "half" };
    await eventually(() => expect(seen).toEqual([expected]));
  });

  test("a change of the tools is announced", async () => {
    const told = vi.fn();
    const client = await join(way, "legacy", {
      prepare: (each) => each.setNotificationHandler("notifications/tools/list_changed", told),
    });
    await client.ping();
    toolbox.notify({ kind: "tools" });
    await eventually(() => expect(told).toHaveBeenCalledOnce());
  });
});

test("over HTTP+SSE a cancelled call stops the work", async () => {
  const client = await connectOld(new SSEClientTransport(new URL(`${http.url}/sse`)));
  const stop = new AbortController();
  const call = client.callTool({ name: "slow" }, undefined, { signal: stop.signal });
  await hasStarted("slow");
  stop.abort();
  await expect(call).rejects.toThrow();
  await eventually(() => expect(toolbox.aborted).toEqual(["slow"]));
  await client.close();
});

describe("tools/cancel", () => {
  test("as a request it returns whether the task was stopped", async () => {
    const ask = (taskId: string) => ({
      jsonrpc: "2.0",
      id: 1,
      method: "tools/cancel",
      params: { taskId },
    });
    const known = await (await post(http.url, ask("known"))).json();
    expect(known).toMatchObject({ result: { taskId: "known", cancelled: true } });
    const unknown = await (await post(http.url, ask("other"))).json();
    expect(unknown).toMatchObject({ result: { cancelled: false } });
  });

  test("as a notification it gets no response", async () => {
    const response = await post(http.url, {
      jsonrpc: "2.0",
      method: "tools/cancel",
      params: { taskId: "known" },
    });
    expect(response.status).toBe(202);
    await eventually(() => expect(toolbox.cancelledTasks).toEqual(["known"]));
  });

  test("a reader cannot cancel tasks in either way", async () => {
    const reader = { name: "reader", rights: new Set(["read"] as const) };
    const parts = { version: "1", log: silentLog(), metrics: openMetrics() };
    const guarded = await openTestHttp(openMcp(toolbox, parts), { authenticate: () => reader });
    const cancel = { jsonrpc: "2.0", method: "tools/cancel", params: { taskId: "known" } };
    expect(await (await post(guarded.url, { ...cancel, id: 1 })).json()).toMatchObject({
      error: { data: { error_type: "access_denied" } },
    });
    await post(guarded.url, cancel);
    await guarded.close();
    expect(toolbox.cancelledTasks).toEqual([]);
  });
});

describe("bare requests", () => {
  test("many clients may use the same id at once", async () => {
    const call = (text: string) => ({
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name: "echo", arguments: { text } },
    });
    const texts = Array.from({ length: 20 }, (_, at) => `call ${at}`);
    type Answer = { id: number; result: { structuredContent: { text: string } } };
    const answers = await Promise.all(
      texts.map(async (text) => (await (await post(http.url, call(text))).json()) as Answer),
    );
    expect(answers.map((answer) => answer.result.structuredContent.text)).toEqual(texts);
    expect(answers.every((answer) => answer.id === 1)).toBe(true);
  });

  test("a client that disconnects cancels its call", async () => {
    const stop = new AbortController();
    const body = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "slow" } };
    const call = fetch(`${http.url}/mcp`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
      signal: stop.signal,
    });
    await hasStarted("slow");
    stop.abort();
    await expect(call).rejects.toThrow();
    await eventually(() => expect(toolbox.aborted).toEqual(["slow"]));
  });

  test("progress turns the response into an event stream", async () => {
    const body = {
      jsonrpc: "2.0",
      id: 7,
      method: "tools/call",
      params: { name: "steps", _meta: { progressToken: "p" } },
    };
    const response = await post(http.url, body, { Accept: "application/json, text/event-stream" });
    expect(response.headers.get("content-type")).toBe("text/event-stream");
    const frames = (await response.text()).split("\n\n").filter(Boolean);
    expect(frames).toHaveLength(4);
    expect(frames[3]).toContain('"id":7');
  });

  test("a client that does not accept streams gets plain JSON", async () => {
    const body = {
      jsonrpc: "2.0",
      id: 7,
      method: "tools/call",
      params: { name: "steps", _meta: { progressToken: "p" } },
    };
    const response = await post(http.url, body);
    expect(response.headers.get("content-type")).toBe("application/json");
    expect(await response.json()).toMatchObject({
      id: 7,
      result: { structuredContent: { steps: 3 } },
    });
  });
});

test("a shutdown waits for a running call", async () => {
  const { url } = http;
  const body = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "hold" } };
  const call = post(url, body);
  await hasStarted("hold");
  const closed = http.close();
  toolbox.release();
  await closed;
  expect(await (await call).json()).toMatchObject({
    result: { structuredContent: { held: true } },
  });
  await expect(post(url, body)).rejects.toThrow();
});
