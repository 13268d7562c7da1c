// Limits on what one caller can make the server hold or do: huge messages, bodies that never end,
// endless subscriptions, guessed tokens.
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { WebSocket as NodeWebSocket } from "ws";
import { post } from "../support/clients.ts";
import { httpServers, writeTokens } from "../support/http-servers.ts";
import { dial, postHead, readAll } from "../support/raw-http.ts";

const MAX_BYTES = 1024 * 1024;
const SMALL = ["--max-request-mb", "1"];
const TOKEN = "a-token-of-sixteen-or-more";

const open = new Set<{ destroy(): void } | { terminate(): void }>();
afterEach(() => {
  for (const each of open) "destroy" in each ? each.destroy() : each.terminate();
  open.clear();
});

const servers = httpServers();
const start = async (...flags: readonly string[]) => (await servers(...flags)).url;

const ping = { jsonrpc: "2.0", id: 1, method: "ping" };

async function dialSocket(url: string, headers = {}): Promise<NodeWebSocket> {
  const socket = new NodeWebSocket(`${url.replace("http", "ws")}/mcp`, "mcp", { headers });
  open.add(socket);
  socket.on("error", () => {});
  await once(socket, "open");
  return socket;
}

async function ask(socket: NodeWebSocket, message: object | string): Promise<unknown> {
  socket.send(typeof message === "string" ? message : JSON.stringify(message));
  const [data] = (await once(socket, "message")) as [Buffer];
  return JSON.parse(String(data));
}

describe("JSON out of bounds", () => {
  const args = {
    deep: `{"a":${"[".repeat(50_000)}${"]".repeat(50_000)}}`,
    wide: `{${Array.from({ length: 40_000 }, (_, at) => `"k${at}":1`).join(",")}}`,
    many: `{"a":[${"0,".repeat(300_000)}0]}`,
  };
  const cases = Object.entries(args).map(([name, value]) => {
    const call = `"method":"tools/call","params":{"name":"knowledge-show","arguments":${value}}`;
    return [name, `{${call},"jsonrpc":"2.0","id":"last"}`] as const;
  });
  const refused = {
    id: "last",
    error: { code: -32600, message: expect.stringMatching(/^(The message|An object)/) },
  };

  test.each(cases)("%s is refused with its id, over HTTP and WebSocket", async (_name, text) => {
    const url = await start();
    const answer = await post(url, text);
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject(refused);
    const socket = await dialSocket(url);
    expect(await ask(socket, text)).toMatchObject(refused);
    expect(await ask(socket, ping)).toMatchObject({ id: 1, result: {} });
  });
});

describe("bytes in flight", () => {
  /** A body of which all but the last byte is sent. */
  async function sendMost(url: string, bytes: number): Promise<Socket> {
    const socket = connect({ port: Number(new URL(url).port), host: "127.0.0.1" });
    open.add(socket);
    socket.on("error", () => {});
    socket.write(postHead(bytes) + " ".repeat(bytes - 1));
    return socket;
  }
  const inFlight = async (url: string) =>
    Number(
      /knowledge_bytes_in_flight (\d+)/.exec(await (await fetch(`${url}/metrics`)).text())?.[1],
    );

  test("unfinished bodies share one budget; over it the next is refused temporarily", async () => {
    const url = await start(...SMALL);
    for (let count = 1; count <= 4; count++) {
      await sendMost(url, MAX_BYTES);
      await expect.poll(() => inFlight(url)).toBe(count * MAX_BYTES);
    }
    const refused = await post(url, ping);
    expect(refused.status).toBe(503);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    for (const each of open) if ("destroy" in each) each.destroy();
    await expect.poll(() => inFlight(url)).toBe(0);
    expect((await post(url, ping)).status).toBe(200);
  });

  test("the budget is released however the request ends", async () => {
    const url = await start(...SMALL);
    const bodies = [
      "{",
      "[]",
      JSON.stringify(ping),
      `"${"x".repeat(30_000)}"`,
      " ".repeat(MAX_BYTES + 1),
    ];
    for (const body of bodies) await (await post(url, body)).text();
    await expect.poll(() => inFlight(url)).toBe(0);
  });

  test("a fragmented message counts from its first byte; over the budget its connection is closed", async () => {
    const url = await start(...SMALL);
    const sockets = [];
    for (let count = 1; count <= 5; count++) {
      const socket = await dialSocket(url);
      sockets.push(once(socket, "close"));
      socket.send("x".repeat(MAX_BYTES - 1_000), { fin: false });
      if (count < 5)
        await expect.poll(() => inFlight(url)).toBeGreaterThan(count * (MAX_BYTES - 1_000));
    }
    const [code] = (await Promise.race(sockets)) as [number];
    expect([1006, 1013]).toContain(code);
    for (const each of open) if ("terminate" in each) each.terminate();
    await expect.poll(() => inFlight(url)).toBe(0);
  });

  test("whole messages and pings leave nothing counted", async () => {
    const url = await start(...SMALL);
    const socket = await dialSocket(url);
    for (let count = 0; count < 20; count++) await ask(socket, ping);
    socket.ping("are you there");
    await once(socket, "pong");
    await expect.poll(() => inFlight(url)).toBe(0);
  });
});

describe("subscriptions", () => {
  const subscribe = (uri: string) => ({ ...ping, method: "resources/subscribe", params: { uri } });
  const listen = (uris: readonly string[], id: string | number = 9) => ({
    jsonrpc: "2.0",
    id,
    method: "subscriptions/listen",
    params: {
      notifications: { resourceSubscriptions: uris },
      _meta: {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": { name: "x", version: "1" },
        "io.modelcontextprotocol/clientCapabilities": {},
      },
    },
  });
  const params = {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "x", version: "1" },
  };
  const MODERN = {
    Accept: "application/json, text/event-stream",
    "MCP-Protocol-Version": "2026-07-28",
    "Mcp-Method": "subscriptions/listen",
  };

  const startFor = async (token: string, ...rights: string[]) => {
    const url = await start("--token-file", await writeTokens({ [token]: rights }));
    return { url, as: { Authorization: `Bearer ${token}` } };
  };

  test("a token without the read right cannot subscribe in any way", async () => {
    const { url, as } = await startFor("writer", "write");
    const socket = await dialSocket(url, as);
    await ask(socket, { ...ping, method: "initialize", params });
    expect(await ask(socket, subscribe("test://fixed"))).toMatchObject({
      error: { data: { error_type: "access_denied" } },
    });
    const refused = { id: 9, error: { message: expect.stringMatching(/^This token lacks/) } };
    expect(await ask(await dialSocket(url, as), listen(["test://fixed"]))).toMatchObject(refused);
    const answer = await post(url, listen(["test://fixed"]), { ...MODERN, ...as });
    expect(answer.status).toBe(403);
    expect(await answer.json()).toMatchObject(refused);
  });

  test("a reader can subscribe to a limited number of URIs of limited length", async () => {
    const { url, as } = await startFor("reader", "read");
    const socket = await dialSocket(url, as);
    await ask(socket, { ...ping, method: "initialize", params });
    const answers: unknown[] = [];
    socket.on("message", (data) => answers.push(JSON.parse(String(data))));
    for (let count = 0; count < 1_000; count++) {
      socket.send(JSON.stringify(subscribe(`test://${count}`)));
    }
    await expect.poll(() => answers.length).toBe(1_000);
    expect(answers.filter((answer) => JSON.stringify(answer).includes("error"))).toEqual([]);
    const overloaded = { error: { data: { error_type: "overloaded" } } };
    expect(await ask(socket, subscribe("test://more"))).toMatchObject(overloaded);
    expect(await ask(socket, subscribe("test://1"))).toMatchObject({ result: {} });
    expect(await ask(socket, subscribe("x".repeat(5_000)))).toMatchObject({
      error: { code: -32602 },
    });
  });

  test("listening counts like subscribing, and ends with its stream", async () => {
    const url = await start();
    const long = Array.from({ length: 900 }, (_, at) => `test://${at}/${"x".repeat(2_000)}`);
    // Kept with their bodies: an answer that nobody holds is collected, which ends its stream.
    const streams: { controller: AbortController; answer: Response }[] = [];
    for (let count = 0; count < 2; count++) {
      const controller = new AbortController();
      const answer = await fetch(`${url}/mcp`, {
        method: "POST",
        headers: { "Content-Type": "application/json", ...MODERN },
        body: JSON.stringify(listen(long, count)),
        signal: controller.signal,
      });
      expect(answer.status).toBe(200);
      streams.push({ controller, answer });
    }
    const refused = await post(url, listen(long, 3), MODERN);
    expect(refused.status).toBe(503);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    streams[0]?.controller.abort();
    await expect.poll(async () => (await post(url, listen(long, 4), MODERN)).status).toBe(200);
    expect(streams[1]?.answer.bodyUsed).toBe(false);
  });

  test("a request that belongs to no session cannot subscribe", async () => {
    const url = await start();
    expect(await (await post(url, subscribe("test://fixed"))).json()).toMatchObject({
      error: { data: { error_type: "no_session" } },
    });
  });
});

describe("wrong tokens", () => {
  const attempt = (url: string, token: string) =>
    post(url, ping, { Authorization: `Bearer ${token}` });
  const WRONG = Array.from({ length: 40 }, (_, count) => `wrong-${count}`);

  /**
   * All at once, on one connection: every two seconds another try is allowed, and a client that waits for its turn
   * between two of them would be allowed more.
   */
  async function attemptAll(url: string, tokens: readonly string[]) {
    const socket = await dial(url);
    const body = JSON.stringify(ping);
    const requests = tokens.map((token, at) => {
      const last = at === tokens.length - 1 ? "Connection: close\r\n" : "";
      return `${postHead(body.length, `Authorization: Bearer ${token}\r\n${last}`)}${body}`;
    });
    socket.write(requests.join(""));
    const answers = (await readAll(socket)).split(/(?=HTTP\/1\.1 \d{3} )/);
    return answers.map((text) => ({
      status: Number(/^HTTP\/1\.1 (\d{3}) /.exec(text)?.[1]),
      retryAfter: Number(/^retry-after: (\d+)/im.exec(text)?.[1]),
    }));
  }

  test("are limited per address before they are checked; a token that was correct before still works", async () => {
    const url = await start("--token", TOKEN);
    expect((await attempt(url, TOKEN)).status).toBe(200);
    const answers = await attemptAll(url, [...WRONG, TOKEN]);
    expect(answers).toHaveLength(WRONG.length + 1);
    expect(answers[0]?.status).toBe(401);
    expect(answers.at(-2)?.status).toBe(429);
    expect(answers.at(-2)?.retryAfter).toBeGreaterThan(0);
    expect(answers.at(-1)?.status).toBe(200);
    expect((await post(url, ping)).status).toBe(401);
    const socket = await dialSocket(url, { Authorization: `Bearer ${TOKEN}` });
    expect(socket.readyState).toBe(socket.OPEN);
  });

  test("over the limit even a correct token waits if it was never used before, so tokens cannot be guessed", async () => {
    const unused = `${TOKEN}-of-another-server`;
    const url = await start("--token", unused);
    const refused = (await attemptAll(url, [...WRONG, unused])).at(-1);
    expect(refused?.status).toBe(429);
    expect(refused?.retryAfter).toBeGreaterThan(0);
    expect((await post(url, ping)).status).toBe(401);
  });
});
