// Peers that violate the protocol lose their own connection and affect nothing else.
import { once } from "node:events";
import { describe, expect, test } from "vitest";
import { WebSocket as NodeWebSocket } from "ws";
import { openSession, PING, post } from "../support/clients.ts";
import { eventually } from "../support/eventually.ts";
import { httpServers, writeTokens } from "../support/http-servers.ts";
import { dial, postHead, readAll } from "../support/raw-http.ts";
import { tempFolder } from "../support/temp-folder.ts";

const servers = httpServers();
const start = async (...flags: readonly string[]) => (await servers(...flags)).url;

const isServed = async (url: string) => (await post(url, PING)).status === 200;

describe("over HTTP", () => {
  test("a client that has closed its sending side still gets the response", async () => {
    const url = await start();
    const socket = await dial(url);
    const body = JSON.stringify(PING);
    socket.end(postHead(body.length, "Connection: close\r\n") + body);
    expect(await readAll(socket)).toContain('"result":{}');
  });

  test("a body cut short costs only its connection", async () => {
    const url = await start();
    const socket = await dial(url);
    socket.end(`${postHead(1_000)}{"jsonrpc"`);
    await readAll(socket);
    expect(await isServed(url)).toBe(true);
  });

  test.each(["GET /healthz", "GET /", "POST /mcp", "GET /nothing"])(
    "two Host headers are refused at %s",
    async (line) => {
      const socket = await dial(await start());
      const heads = "Host: localhost\r\nhOST: localhost\r\nConnection: close\r\n";
      socket.end(`${line} HTTP/1.1\r\n${heads}Content-Length: 0\r\n\r\n`);
      const response = await readAll(socket);
      expect(response).toMatch(/^HTTP\/1\.1 400 /);
      expect(response).toContain("more than one Host header");
    },
  );

  test("invalid UTF-8 gets an error response", async () => {
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
});

describe("over WebSocket", () => {
  const dialSocket = async (url: string) => {
    const socket = new NodeWebSocket(`${url.replace("http", "ws")}/mcp`, "mcp");
    socket.on("error", () => {});
    await once(socket, "open");
    return socket;
  };
  const closeCode = async (socket: NodeWebSocket) => ((await once(socket, "close")) as [number])[0];

  test("two Host headers are refused", async () => {
    const socket = await dial(await start());
    const upgrade = "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n";
    const key = `Sec-WebSocket-Key: ${Buffer.alloc(16).toString("base64")}\r\n`;
    const hosts = "Host: localhost\r\nHost: localhost\r\n";
    socket.write(`GET /mcp HTTP/1.1\r\n${hosts}${upgrade}${key}\r\n`);
    expect(await readAll(socket)).toMatch(/^HTTP\/1\.1 400 /);
  });

  test("invalid UTF-8 closes the connection", async () => {
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
    socket.send(Buffer.from(JSON.stringify(PING)));
    expect(await closeCode(socket)).toBe(1003);
  });

  test("invalid frames close the connection", async () => {
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

  test("messages count against the rate limit", async () => {
    const url = await start("--rate-limit", "3");
    const socket = await dialSocket(url);
    const answers: {
      id: number;
      error?: { data?: { details: { retry_after_seconds: number } } };
    }[] = [];
    socket.on("message", (data) => answers.push(JSON.parse(String(data))));
    for (let id = 0; id < 3; id++) socket.send(JSON.stringify({ ...PING, id }));
    await expect.poll(() => answers.length).toBe(3);
    const [refused, ...others] = answers.filter(({ error }) => error !== undefined);
    expect(others).toEqual([]);
    expect(refused?.id).toBe(2);
    expect(refused?.error?.data?.details.retry_after_seconds).toBeGreaterThan(0);
    socket.close();
  });
});

describe("rights", () => {
  const as = (token: string) => ({ Authorization: `Bearer ${token}` });

  test("a session ends when its token's rights change", async () => {
    const folder = tempFolder("changed");
    const url = await start("--token-file", await writeTokens({ key: ["read", "write"] }, folder));
    const session = { ...as("key"), ...(await openSession(url, as("key"))) };
    expect((await post(url, PING, session)).status).toBe(200);
    await writeTokens({ key: ["read"] }, folder);
    await eventually(async () => expect((await post(url, PING, session)).status).toBe(404));
    expect((await post(url, PING, as("key"))).status).toBe(200);
  });

  test("a token without the read right can read nothing by any method", async () => {
    const url = await start("--token-file", await writeTokens({ writer: ["write"] }));
    const argument = { name: "id", value: "a" };
    const asked = [
      ["resources/list", {}],
      ["resources/read", { uri: "knowledge://documents" }],
      ["prompts/get", { name: "answer", arguments: { question: "x" } }],
      ["completion/complete", { ref: { type: "ref/resource", uri: "x://{id}" }, argument }],
    ] as const;
    for (const [method, params] of asked) {
      const answer = await (await post(url, { ...PING, method, params }, as("writer"))).json();
      expect(answer, method).toMatchObject({ error: { data: { error_type: "access_denied" } } });
    }
    expect((await fetch(`${url}/metrics`, { headers: as("writer") })).status).toBe(403);
  });
});
