// Limits and timeouts that are too long for a test, shortened, with tools that hang until they are released.
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { once } from "node:events";
import type { Socket } from "node:net";
import type { Readable } from "node:stream";
import { setImmediate } from "node:timers/promises";
import { afterAll, describe, expect, test } from "vitest";
import { WebSocket as NodeWebSocket } from "ws";
import type { Console } from "../../src/console/console.ts";
import type { Principal, Right } from "../../src/domain/call/principal.ts";
import { openQuota } from "../../src/domain/call/quota.ts";
import { openMcp } from "../../src/mcp/mcp.ts";
import { openMetrics } from "../../src/observe/metrics.ts";
import type { Http } from "../../src/transports/http/http.ts";
import { openLimits } from "../../src/transports/limits.ts";
import { openSession, PING, post } from "../support/clients.ts";
import { eventually } from "../support/eventually.ts";
import { openTestHttp, type TestHttpOptions } from "../support/http.ts";
import { dial, postHead, readAll } from "../support/raw-http.ts";
import { silentLog } from "../support/silent-log.ts";
import { openToolbox, type TestToolbox } from "../support/toolbox.ts";

const SOON = {
  headersMs: 2_000,
  requestMs: 3_000,
  bodyMs: 2_500,
  checkEveryMs: 100,
  // A peer must have answered one by the next.
  webSocketBeatMs: 3_000,
};
const MAX_CALLS = 4;

interface Started {
  readonly url: string;
  readonly toolbox: TestToolbox;
}

const servers: Http[] = [];
afterAll(() => Promise.all(servers.map((http) => http.close())));

/** A server for one test. */
async function start(options: TestHttpOptions = {}): Promise<Started> {
  const log = silentLog();
  const toolbox = openToolbox();
  const parts = { version: "1", log, metrics: openMetrics(), maxCalls: MAX_CALLS };
  const http = await openTestHttp(openMcp(toolbox, parts), options);
  servers.push(http);
  return { url: http.url, toolbox };
}

const call = (name: string, id: string | number = 1) => ({
  jsonrpc: "2.0",
  id,
  method: "tools/call",
  params: { name },
});
const haveStarted = ({ toolbox }: Started, ...names: readonly string[]) =>
  eventually(() => expect(toolbox.started).toEqual(names));
/** Sooner or later: a call's place is free again shortly after its response, and a stop of this process takes up its time. */
const isServed = (url: string) =>
  eventually(async () => expect((await post(url, PING)).status).toBe(200));

// Most of their time is waiting for a limit.
describe.concurrent("over HTTP", () => {
  test("headers that never end time out", async () => {
    const { url } = await start({ timeouts: SOON });
    const socket = await dial(url);
    socket.write("POST /mcp HTTP/1.1\r\nHost: localhost\r\nX-Slow: ");
    expect(await readAll(socket)).toMatch(/^HTTP\/1\.1 408 /);
    await isServed(url);
  });

  test("an idle connection is closed without a response", async () => {
    const { url } = await start({ timeouts: SOON });
    expect(await readAll(await dial(url))).toBe("");
    await isServed(url);
  });

  test.each([
    ["its own limit", SOON],
    ["the limit of the whole request", { ...SOON, bodyMs: 60_000 }],
  ])("a body that never ends times out by %s, and holds nothing", async (_which, timeouts) => {
    const { url } = await start({ timeouts });
    const socket = await dial(url);
    socket.write(`${postHead(1_000)}{"jsonrpc"`);
    expect(await readAll(socket)).toMatch(/^HTTP\/1\.1 408 /);
    await isServed(url);
    const metrics = async () => (await fetch(`${url}/metrics`)).text();
    // The bytes are given back when the connection has closed, which may be after its other end has read the response.
    await eventually(async () => expect(await metrics()).toMatch(/^knowledge_bytes_in_flight 0$/m));
  });

  test.each([
    ["a message", "json"],
    ["an upload", "upload"],
  ] as const)(
    "%s to the console that never ends times out, and holds nothing",
    async (_what, as) => {
      const limits = openLimits(1024 * 1024);
      const console: Console = {
        sendPage: async () => {},
        // The server has responded when the body breaks off.
        handle: async ({ body }) => {
          for await (const _ of (await body[as]()) as Readable) {
            // Only its time matters.
          }
        },
      };
      const { url } = await start({ timeouts: SOON, limits, console });
      const socket = await dial(url);
      socket.write(`${postHead(1_000).replace("/mcp", "/api/x")}{"files"`);
      expect(await readAll(socket)).toMatch(/^HTTP\/1\.1 408 /);
      await eventually(() =>
        expect([limits.uploads.held(), limits.inFlight.held()]).toEqual([0, 0]),
      );
    },
  );

  test("a cancelled request of a session ends without a response", async () => {
    const started = await start();
    const { url, toolbox } = started;
    const session = await openSession(url);
    const running = post(url, call("slow", 5), session);
    await haveStarted(started, "slow");
    const cancel = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 5 } };
    await post(url, cancel, session);
    expect((await running).status).toBe(202);
    expect(toolbox.aborted).toEqual(["slow"]);
  });

  test("a client without a session cannot cancel another's request", async () => {
    const started = await start();
    const { url, toolbox } = started;
    const running = post(url, call("hold"));
    await haveStarted(started, "hold");
    for (let id = 0; id < 20; id++) {
      const params = { requestId: id };
      await post(url, { jsonrpc: "2.0", method: "notifications/cancelled", params });
    }
    toolbox.release();
    expect(await (await running).json()).toMatchObject({ result: {} });
  });

  test("an id that is in use in the session is refused", async () => {
    const started = await start();
    const { url, toolbox } = started;
    const session = await openSession(url);
    const first = post(url, call("hold", 5), session);
    await haveStarted(started, "hold");
    expect((await post(url, call("echo", 5), session)).status).toBe(400);
    toolbox.release();
    expect(await (await first).json()).toMatchObject({ id: 5, result: {} });
  });
});

describe.concurrent("over WebSocket", () => {
  const dialSocket = async (url: string, token?: string) => {
    const headers = token === undefined ? {} : { Authorization: `Bearer ${token}` };
    const socket = new NodeWebSocket(`${url.replace("http", "ws")}/mcp`, "mcp", { headers });
    socket.on("error", () => {});
    await once(socket, "open");
    return socket;
  };
  const closeCode = async (socket: NodeWebSocket) => ((await once(socket, "close")) as [number])[0];

  test("a message that never ends times out", async () => {
    const socket = await dialSocket((await start({ timeouts: SOON })).url);
    socket.send("half", { fin: false });
    expect(await closeCode(socket)).toBe(1006);
  });

  test("a token that loses its rights loses its connection", async () => {
    const people = new Map([["key", person("read", "write")]]);
    const authenticate = (token: string | undefined) => people.get(token ?? "");
    const { url } = await start({ authenticate, timeouts: SOON });
    const socket = await dialSocket(url, "key");
    // The token is checked with each ping; at the second ping the first check is done.
    await once(socket, "ping");
    await once(socket, "ping");
    expect(socket.readyState).toBe(socket.OPEN);
    people.set("key", person("read"));
    expect(await closeCode(socket)).toBe(1008);
  });
});

describe("open connections", () => {
  const limits = {
    ...openLimits(1024 * 1024),
    webSockets: openQuota({ total: 3, perCaller: 2 }),
    streams: openQuota({ total: 3, perCaller: 1 }),
  };
  const people = new Map(["ann", "ben", "cat"].map((name) => [name, { ...person("read"), name }]));
  const authenticate = (token: string | undefined) => people.get(token ?? "");
  const as = (name: string) => ({ Authorization: `Bearer ${name}` });

  test("WebSockets are limited per caller and in total, until they are closed", async () => {
    const { url } = await start({ authenticate, limits });
    const open: NodeWebSocket[] = [];
    const knock = async (name: string) => {
      const headers = as(name);
      const socket = new NodeWebSocket(`${url.replace("http", "ws")}/mcp`, "mcp", { headers });
      open.push(socket);
      const refused = once(socket, "unexpected-response").then(([, { statusCode }]) => statusCode);
      socket.on("error", () => {});
      return Promise.race([once(socket, "open").then(() => "open"), refused]);
    };
    const answers = [];
    for (const name of ["ann", "ann", "ann", "ben", "cat"]) answers.push(await knock(name));
    expect(answers).toEqual(["open", "open", 503, "open", 503]);
    for (const each of open.splice(0)) each.terminate();
    await eventually(async () => expect(await limits.webSockets.held()).toBe(0));
    expect(await knock("cat")).toBe("open");
    for (const each of open) each.terminate();
  });

  test("event streams of sessions and of HTTP+SSE are limited too", async () => {
    const { url } = await start({ authenticate, limits });
    const openStream = async (signal: AbortSignal) => {
      const headers = { ...as("ann"), ...(await openSession(url, as("ann"))) };
      return fetch(`${url}/mcp`, { headers, signal });
    };
    const first = new AbortController();
    const { signal } = new AbortController();
    // Kept with its body: an answer that nobody holds is collected, which ends its stream.
    const held = await openStream(first.signal);
    expect(held.status).toBe(200);
    expect((await openStream(signal)).status).toBe(503);
    expect((await fetch(`${url}/sse`, { headers: as("ann"), signal })).status).toBe(503);
    expect(held.bodyUsed).toBe(false);
    first.abort();
    await eventually(async () => expect(await limits.streams.held()).toBe(0));
    expect((await openStream(signal)).status).toBe(200);
  });
});

describe("a caller who leaves while the token is checked", () => {
  const key = "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\n";
  test.each([
    [
      "a WebSocket",
      `GET /mcp HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n${key}\r\n`,
    ],
    ["an event stream", "GET /sse HTTP/1.1\r\nHost: localhost\r\n\r\n"],
  ])("holds no place of %s", async (_what, head) => {
    const accepted: Socket[] = [];
    const note = (message: unknown) => accepted.push((message as { socket: Socket }).socket);
    const asked = Promise.withResolvers<void>();
    const checked = Promise.withResolvers<Principal>();
    const limits = openLimits(1024 * 1024);
    const authenticate = () => {
      asked.resolve();
      return checked.promise;
    };
    const { url } = await start({ authenticate, limits });
    subscribe("net.server.socket", note);
    const socket = await dial(url);
    socket.write(head);
    await asked.promise;
    unsubscribe("net.server.socket", note);
    const left = new Promise((resolve) => accepted[0]?.once("close", resolve));
    socket.resetAndDestroy();
    await left;
    checked.resolve(person("read"));
    await setImmediate();
    await setImmediate();
    expect([limits.webSockets.held(), limits.streams.held()]).toEqual([0, 0]);
    expect(await (await fetch(`${url}/metrics`)).text()).toMatch(/^knowledge_http_sessions 0$/m);
  });
});

describe("overload", () => {
  test("requests over the limit are refused with the time to retry, and then served", async () => {
    const started = await start();
    const { url, toolbox } = started;
    const running = Array.from({ length: MAX_CALLS }, (_, id) => post(url, call("hold", id)));
    await haveStarted(started, ...Array(MAX_CALLS).fill("hold"));
    const refused = await post(url, PING);
    expect(refused.status).toBe(503);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    toolbox.release();
    for (const answer of running) expect((await answer).status).toBe(200);
    await isServed(url);
  });

  test("writes are refused before reads", async () => {
    const started = await start();
    const { url, toolbox } = started;
    const running = Array.from({ length: MAX_CALLS / 2 }, () => post(url, call("hold")));
    await haveStarted(started, ...Array(MAX_CALLS / 2).fill("hold"));
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
