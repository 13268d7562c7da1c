// Peers that break the rules of the wire: what they do costs them their own connection and nothing else.
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { WebSocket as NodeWebSocket } from "ws";
import type { Principal, Right } from "../../src/domain/call/principal.ts";
import { openMcp } from "../../src/mcp/mcp.ts";
import { openMetrics } from "../../src/observe/metrics.ts";
import type { Http } from "../../src/transports/http/http.ts";
import { post } from "../support/clients.ts";
import { eventually } from "../support/eventually.ts";
import { openTestHttp, type TestHttpOptions } from "../support/http.ts";
import { silentLog } from "../support/silent-log.ts";
import { openToolbox } from "../support/toolbox.ts";

const SOON = {
  headersMs: 2_000,
  requestMs: 3_000,
  bodyMs: 3_000,
  checkEveryMs: 100,
  webSocketBeatMs: 1_000,
};
const MOST_CALLS = 4;

let http: Http | undefined;
let toolbox: ReturnType<typeof openToolbox>;
afterEach(() => http?.close());

async function start(options: TestHttpOptions = {}): Promise<string> {
  const log = silentLog();
  toolbox = openToolbox();
  const parts = { version: "1", log, metrics: openMetrics(), maxCalls: MOST_CALLS };
  http = await openTestHttp(openMcp(toolbox, parts), options);
  return http.url;
}

const ping = { jsonrpc: "2.0", id: 1, method: "ping" };
const call = (name: string, id: string | number = 1) => ({
  jsonrpc: "2.0",
  id,
  method: "tools/call",
  params: { name },
});
const haveStarted = (...names: readonly string[]) =>
  eventually(() => expect(toolbox.started).toEqual(names));
const isServed = async (url: string) => (await post(url, ping)).status === 200;

async function dial(url: string): Promise<Socket> {
  const socket = connect({
    port: Number(new URL(url).port),
    host: "127.0.0.1",
    allowHalfOpen: true,
  });
  socket.on("error", () => {});
  await once(socket, "connect");
  return socket;
}

/** All that comes until the server ends the connection. */
async function readAll(socket: Socket): Promise<string> {
  let text = "";
  for await (const part of socket) text += String(part);
  return text;
}

const head = (length: number, more = "") =>
  `POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n${more}\r\n`;

describe("over HTTP", () => {
  test("headers that do not end are given up", async () => {
    const url = await start({ timeouts: SOON });
    const socket = await dial(url);
    socket.write("POST /mcp HTTP/1.1\r\nHost: localhost\r\nX-Slow: ");
    expect(await readAll(socket)).toMatch(/^HTTP\/1\.1 408 /);
    expect(await isServed(url)).toBe(true);
  });

  test("a connection on which nothing is asked ends without a word", async () => {
    const url = await start({ timeouts: SOON });
    expect(await readAll(await dial(url))).toBe("");
    expect(await isServed(url)).toBe(true);
  });

  test("a body that does not end is given up", async () => {
    const url = await start({ timeouts: SOON });
    const socket = await dial(url);
    socket.write(`${head(1_000)}{"jsonrpc"`);
    expect(await readAll(socket)).toMatch(/^HTTP\/1\.1 4\d\d|^$/);
    expect(await isServed(url)).toBe(true);
  });

  test("a client that has closed its side is still answered", async () => {
    const url = await start();
    const socket = await dial(url);
    const body = JSON.stringify(ping);
    socket.end(head(body.length, "Connection: close\r\n") + body);
    expect(await readAll(socket)).toContain('"result":{}');
  });

  test("a body cut short costs only its connection", async () => {
    const url = await start();
    const socket = await dial(url);
    socket.end(`${head(1_000)}{"jsonrpc"`);
    await readAll(socket);
    expect(await isServed(url)).toBe(true);
  });

  test("bytes that are no UTF-8 are answered", async () => {
    const url = await start();
    const body = Buffer.concat([
      Buffer.from('{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"'),
      Buffer.from([0xff, 0xc0, 0x80, 0xed, 0xa0, 0x80]),
      Buffer.from('"}}'),
    ]);
    const response = await fetch(`${url}/mcp`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body,
    });
    expect(await response.json()).toMatchObject({ id: 7, error: { code: -32602 } });
  });

  test("a cancelled request of a session ends without an answer", async () => {
    const url = await start();
    const session = await openSession(url);
    const running = post(url, call("slow", 5), session);
    await haveStarted("slow");
    const cancel = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 5 } };
    await post(url, cancel, session);
    expect((await running).status).toBe(202);
    expect(toolbox.aborted).toEqual(["slow"]);
  });

  test("a client without a session cannot cancel another's request", async () => {
    const url = await start();
    const running = post(url, call("hold"));
    await haveStarted("hold");
    for (let id = 0; id < 20; id++) {
      const params = { requestId: id };
      await post(url, { jsonrpc: "2.0", method: "notifications/cancelled", params });
    }
    toolbox.release();
    expect(await (await running).json()).toMatchObject({ result: {} });
  });

  test("an id that is in use in the session is refused", async () => {
    const url = await start();
    const session = await openSession(url);
    const first = post(url, call("hold", 5), session);
    await haveStarted("hold");
    expect((await post(url, call("echo", 5), session)).status).toBe(400);
    toolbox.release();
    expect(await (await first).json()).toMatchObject({ id: 5, result: {} });
  });
});

describe("over WebSocket", () => {
  const dialSocket = async (url: string, token?: string) => {
    const headers = token === undefined ? {} : { Authorization: `Bearer ${token}` };
    const socket = new NodeWebSocket(`${url.replace("http", "ws")}/mcp`, "mcp", { headers });
    socket.on("error", () => {});
    await once(socket, "open");
    return socket;
  };
  const closeCode = async (socket: NodeWebSocket) => ((await once(socket, "close")) as [number])[0];

  test("text that is no UTF-8 closes the connection", async () => {
    const url = await start();
    const socket = await dialSocket(url);
    socket.send(Buffer.from([0xff, 0xfe]), { binary: false });
    // 1006: the connection went before the close frame was read.
    expect([1006, 1007]).toContain(await closeCode(socket));
    expect(await isServed(url)).toBe(true);
  });

  test("binary messages close the connection", async () => {
    const url = await start();
    const socket = await dialSocket(url);
    socket.send(Buffer.from(JSON.stringify(ping)));
    expect(await closeCode(socket)).toBe(1003);
  });

  test("bytes that are no frame close the connection", async () => {
    const url = await start();
    const socket = await dial(url);
    socket.write(
      "GET /mcp HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n" +
        "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
    );
    await once(socket, "data");
    socket.write(Buffer.alloc(64, 0xff));
    await readAll(socket);
    expect(await isServed(url)).toBe(true);
  });

  test("messages are limited as requests are", async () => {
    const url = await start({ rateLimit: 3 });
    const socket = await dialSocket(url);
    const answers: {
      id: number;
      error?: { data?: { details: { retry_after_seconds: number } } };
    }[] = [];
    socket.on("message", (data) => answers.push(JSON.parse(String(data))));
    for (let id = 0; id < 3; id++) socket.send(JSON.stringify({ ...ping, id }));
    await expect.poll(() => answers.length).toBe(3);
    const [refused, ...others] = answers.filter(({ error }) => error !== undefined);
    expect(others).toEqual([]);
    expect(refused?.id).toBe(2);
    expect(refused?.error?.data?.details.retry_after_seconds).toBeGreaterThan(0);
    socket.close();
  });

  test("a token that loses its rights loses its connection", async () => {
    const people = new Map([["key", person("read", "write")]]);
    const authenticate = (token: string | undefined) => people.get(token ?? "");
    const url = await start({ authenticate, timeouts: SOON });
    const socket = await dialSocket(url, "key");
    // Its token is looked at with each ping; by the second, the first look is over.
    await once(socket, "ping");
    await once(socket, "ping");
    expect(socket.readyState).toBe(socket.OPEN);
    people.set("key", person("read"));
    expect(await closeCode(socket)).toBe(1008);
  });
});

describe("rights", () => {
  test("a session ends when its token's rights change", async () => {
    const people = new Map([["key", person("read", "write")]]);
    const url = await start({ authenticate: (token) => people.get(token ?? "") });
    const key = { Authorization: "Bearer key" };
    const session = { ...key, ...(await openSession(url, key)) };
    expect((await post(url, call("task"), session)).status).toBe(200);
    people.set("key", person("read"));
    expect((await post(url, call("task"), session)).status).toBe(404);
  });

  test("without the right to read nothing is read, by any method", async () => {
    const url = await start({ authenticate: () => person("write") });
    const asked = [
      ["resources/list", {}],
      ["resources/read", { uri: "test://fixed" }],
      ["prompts/get", { name: "greet", arguments: { who: "x" } }],
      [
        "completion/complete",
        {
          ref: { type: "ref/resource", uri: "test://items/{id}" },
          argument: { name: "id", value: "a" },
        },
      ],
    ] as const;
    for (const [method, params] of asked) {
      const answer = await (await post(url, { ...ping, method, params })).json();
      expect(answer, method).toMatchObject({ error: { data: { error_type: "access_denied" } } });
    }
    expect((await fetch(`${url}/metrics`)).status).toBe(403);
  });

  test("a reader cancels no task, as a request or as a notification", async () => {
    const url = await start({ authenticate: () => person("read") });
    const cancel = { jsonrpc: "2.0", method: "tools/cancel", params: { taskId: "known" } };
    expect(await (await post(url, { ...cancel, id: 1 })).json()).toMatchObject({
      error: { data: { error_type: "access_denied" } },
    });
    await post(url, cancel);
    expect(toolbox.cancelledTasks).toEqual([]);
  });
});

describe("overload", () => {
  test("beyond the bound requests are refused with the time to retry, and then served", async () => {
    const url = await start();
    const running = Array.from({ length: MOST_CALLS }, (_, id) => post(url, call("hold", id)));
    await haveStarted(...Array(MOST_CALLS).fill("hold"));
    const refused = await post(url, ping);
    expect(refused.status).toBe(503);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    toolbox.release();
    for (const answer of running) expect((await answer).status).toBe(200);
    expect(await isServed(url)).toBe(true);
  });

  test("writes are turned away before reads", async () => {
    const url = await start();
    const running = Array.from({ length: MOST_CALLS / 2 }, () => post(url, call("hold")));
    await haveStarted(...Array(MOST_CALLS / 2).fill("hold"));
    expect(await (await post(url, call("task"))).json()).toMatchObject({
      result: { isError: true, structuredContent: { error: "overloaded" } },
    });
    expect(await (await post(url, call("echo"))).json()).toMatchObject({ result: {} });
    toolbox.release();
    await Promise.all(running);
  });
});

function person(...rights: Right[]): Principal {
  return { name: "person", rights: new Set(rights) };
}

async function openSession(url: string, headers: Record<string, string> = {}) {
  const params = {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "x", version: "1" },
  };
  const opened = await post(url, { ...ping, method: "initialize", params }, headers);
  return { "Mcp-Session-Id": opened.headers.get("mcp-session-id") ?? "" };
}
