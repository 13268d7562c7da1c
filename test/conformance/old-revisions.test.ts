// What only older revisions define: HTTP+SSE of 2024-11-05, batches of 2025-03-26; and clients that take only a stream.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import type { Transport } from "@modelcontextprotocol/client";
import { SSEClientTransport } from "sdk-v1/client/sse.js";
import { describe, expect, test } from "vitest";
import { connectOld, messagesOf, progressIn } from "../support/clients.ts";
import { eventually } from "../support/eventually.ts";
import { httpServers } from "../support/http-servers.ts";
import { programEnv, programLine } from "../support/process.ts";
import { tempFolder } from "../support/temp-folder.ts";

const servers = httpServers();
const start = async (...flags: readonly string[]) => (await servers(...flags)).url;

const ping = (id: number) => ({ jsonrpc: "2.0", id, method: "ping" });
const call = (id: number, name: string, args: object = {}) => ({
  jsonrpc: "2.0",
  id,
  method: "tools/call",
  params: { name, arguments: args, _meta: { progressToken: id } },
});
/** An add that reports its steps: of a text of its own, so that it is never already there. */
const adding = (text: string) => ({ filename: "note.md", text, async: false });
const JSON_HEADERS = { "content-type": "application/json", accept: "application/json" };

async function send(url: string, body: unknown, headers: Record<string, string> = {}) {
  const response = await fetch(url, {
    method: "POST",
    headers: { ...JSON_HEADERS, ...headers },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  return { status: response.status, type: response.headers.get("content-type"), text, response };
}

describe("HTTP+SSE of 2024-11-05", () => {
  const TOKEN = "a-token-of-thirty-two-characters";
  const authorised = { Authorization: `Bearer ${TOKEN}` };
  const transport = (url: string) =>
    new SSEClientTransport(new URL(`${url}/sse`), {
      eventSourceInit: {
        fetch: (at, init) => fetch(at, { ...init, headers: { ...init?.headers, ...authorised } }),
      },
      requestInit: { headers: authorised },
    });

  test("the official client lists tools, calls them and gets progress", async () => {
    const url = await start("--token", TOKEN);
    const opened = transport(url);
    const client = await connectOld(opened);
    const messages = messagesOf(opened as Transport);
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain("knowledge-show");
    const shown = await client.callTool({ name: "knowledge-show" });
    expect(shown).toMatchObject({ structuredContent: { success: true } });
    const asked = { name: "knowledge-add-text", arguments: adding("Heard over a stream.") };
    const added = await client.callTool(asked, undefined, { onprogress: () => {} });
    expect(added).toMatchObject({ structuredContent: { success: true } });
    expect(progressIn(messages).length).toBeGreaterThan(0);
    await client.close();
  });

  test("opening a stream and posting to it both need the token", async () => {
    const url = await start("--token", TOKEN);
    expect((await fetch(`${url}/sse`)).status).toBe(401);
    expect((await send(`${url}/messages?sessionId=x`, ping(1))).status).toBe(401);
    expect((await send(`${url}/messages?sessionId=x`, ping(1), authorised)).status).toBe(404);
    expect((await fetch(`${url}/sse`, { method: "POST", headers: authorised })).status).toBe(405);
  });

  test("a session ends with its stream", async () => {
    const url = await start();
    const gone = new AbortController();
    const response = await fetch(`${url}/sse`, { signal: gone.signal });
    const reader = response.body?.getReader();
    const first = new TextDecoder().decode((await reader?.read())?.value);
    const path = /data: (\S+)/.exec(first)?.[1] ?? "";
    expect((await send(`${url}${path}`, ping(1))).status).toBe(202);
    gone.abort();
    await eventually(async () => expect((await send(`${url}${path}`, ping(2))).status).toBe(404));
  });
});

describe("batches of 2025-03-26 over HTTP", () => {
  const initialize = (protocolVersion: string) => ({
    ...{ jsonrpc: "2.0", id: 0, method: "initialize" },
    params: { protocolVersion, capabilities: {}, clientInfo: { name: "x", version: "1" } },
  });
  const open = async (url: string, version: string) => {
    const { response } = await send(`${url}/mcp`, initialize(version));
    return { "mcp-session-id": response.headers.get("mcp-session-id") ?? "" };
  };

  test.each(["bare", "in a session"])("all responses come in one array, %s", async (how) => {
    const url = await start();
    const headers = how === "bare" ? {} : await open(url, "2025-03-26");
    const note = { jsonrpc: "2.0", method: "notifications/initialized" };
    const odd = { jsonrpc: "1.0", id: 9, method: "ping" };
    const batch = [ping(1), note, call(2, "knowledge-show"), odd];
    const { status, text } = await send(`${url}/mcp`, batch, headers);
    expect(status).toBe(200);
    const found = JSON.parse(text) as { id: number; error?: { code: number } }[];
    expect(found.map(({ id, error }) => [id, error?.code]).toSorted()).toEqual([
      [1, undefined],
      [2, undefined],
      [9, -32600],
    ]);
    expect((await send(`${url}/mcp`, [note, note], headers)).status).toBe(202);
  });

  test("responses and progress come as events if the client accepts a stream", async () => {
    const url = await start();
    const accept = "application/json, text/event-stream";
    const add = call(1, "knowledge-add-text", adding("Added in a batch."));
    const { type, text } = await send(`${url}/mcp`, [add, ping(2)], { accept });
    expect(type).toBe("text/event-stream");
    const events = [...text.matchAll(/data: (.*)/g)].map(([, data]) => JSON.parse(data as string));
    const progress = events.filter(({ method }) => method === "notifications/progress");
    expect(progress.length).toBeGreaterThan(0);
    expect(events.flatMap(({ id }) => (id === undefined ? [] : [id])).toSorted()).toEqual([1, 2]);
  });

  test("batches in other revisions, empty or huge ones, and a handshake in a batch are refused", async () => {
    const url = await start();
    const later = await open(url, "2025-06-18");
    const many = Array.from({ length: 101 }, (_, at) => ping(at));
    const refused = [
      send(`${url}/mcp`, [ping(1)], later),
      send(`${url}/mcp`, [ping(1)], { "mcp-protocol-version": "2025-06-18" }),
      send(`${url}/mcp`, []),
      send(`${url}/mcp`, many),
      send(`${url}/mcp`, [initialize("2025-03-26")]),
    ];
    for (const { status, text } of await Promise.all(refused)) {
      expect(status).toBe(400);
      expect(JSON.parse(text)).toMatchObject({ error: { code: -32600 } });
    }
  });

  test("each message counts against the caller's rate", async () => {
    const url = await start("--rate-limit", "5");
    const { text } = await send(
      `${url}/mcp`,
      Array.from({ length: 8 }, (_, at) => ping(at)),
    );
    const refused = (JSON.parse(text) as { error?: object }[]).filter(({ error }) => error);
    expect(refused).toHaveLength(3);
  });
});

test("a batch over stdio gets one line, if the revision has batches", async () => {
  const folder = tempFolder("batch");
  const child = spawn(process.execPath, programLine([], folder), {
    env: programEnv(folder),
    stdio: ["pipe", "pipe", "ignore"],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const exchange = async (message: unknown) => {
    child.stdin.write(`${JSON.stringify(message)}\n`);
    return JSON.parse((await lines.next()).value as string) as unknown;
  };
  const params = { capabilities: {}, clientInfo: { name: "x", version: "1" } };
  await exchange({
    ...{ jsonrpc: "2.0", id: 0, method: "initialize" },
    params: { ...params, protocolVersion: "2025-03-26" },
  });
  const tools = { jsonrpc: "2.0", id: 2, method: "tools/list" };
  const answers = (await exchange([ping(1), tools, { jsonrpc: "2.0" }])) as { id: number | null }[];
  expect(answers.map(({ id }) => id).toSorted()).toEqual([1, 2, null]);
  expect(await exchange([])).toMatchObject({ error: { code: -32600 } });
  child.stdin.end();
  await once(child, "exit");
});

test.each([
  ["text/event-stream", "text/event-stream"],
  ["text/event-stream;q=0.5", "text/event-stream"],
  ["application/json, text/event-stream", "application/json"],
  ["text/event-stream, */*", "application/json"],
  ["application/json;q=0, text/event-stream", "text/event-stream"],
  ["text/html", "application/json"],
])("Accept: %s is answered with %s", async (accept, type) => {
  const url = await start();
  const answered = await send(`${url}/mcp`, call(1, "knowledge-show"), { accept });
  expect(answered).toMatchObject({ status: 200, type });
  expect(answered.text).toContain('"id":1');
});
