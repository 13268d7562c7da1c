// Which requests are accepted over HTTP and WebSocket, and how others are refused.
import { request } from "node:http";
import { connect } from "node:net";
import { describe, expect, test } from "vitest";
import { WebSocket as NodeWebSocket } from "ws";
import { openSession, PING, post } from "../support/clients.ts";
import { httpServers, type Tokens, writeTokens } from "../support/http-servers.ts";

const start = httpServers();

/** A server with these tokens, each with its rights. */
const startWithTokens = async (tokens: Tokens) => start("--token-file", await writeTokens(tokens));

const TOKEN = "a-token-of-sixteen-or-more";

/** Unlike fetch, sends Host and Origin as given. */
function send(url: string, headers: Record<string, string>, method = "POST", path = "/mcp") {
  const { promise, resolve, reject } = Promise.withResolvers<{
    status: number;
    headers: Record<string, unknown>;
    body: string;
  }>();
  const { port } = new URL(url);
  const sent = request({ host: "127.0.0.1", port, path, method, headers }, (response) => {
    let body = "";
    response.on("data", (part) => {
      body += part;
    });
    response.on("end", () =>
      resolve({ status: response.statusCode ?? 0, headers: response.headers, body }),
    );
  });
  sent.on("error", reject);
  sent.end(method === "POST" ? JSON.stringify(PING) : undefined);
  return promise;
}

function knock(
  url: string,
  options: ConstructorParameters<typeof NodeWebSocket>[2],
): Promise<string> {
  const socket = new NodeWebSocket(`${url.replace("http", "ws")}/mcp`, "mcp", options);
  const { promise, resolve } = Promise.withResolvers<string>();
  socket.on("open", () => {
    resolve(`open ${socket.protocol}`);
    socket.close();
  });
  socket.on("unexpected-response", (_request, response) =>
    resolve(`refused ${response.statusCode}`),
  );
  socket.on("error", () => resolve("error"));
  return promise;
}

const json = { "Content-Type": "application/json" };

describe("host and origin", () => {
  test.each([
    ["its own address", {}, 200],
    ["localhost", { Host: "localhost:1" }, 200],
    ["IPv6 loopback", { Host: "[::1]:3000" }, 200],
    ["a foreign host", { Host: "evil.example" }, 403],
    ["a host that only begins like its own", { Host: "localhost.evil.example" }, 403],
    ["a foreign origin", { Origin: "https://evil.example" }, 403],
    ["the origin null", { Origin: "null" }, 403],
    ["another port of this machine as origin", { Origin: "http://localhost:9" }, 403],
  ])("%s", async (_case, headers, status) => {
    const { url } = await start();
    expect((await send(url, { ...json, ...headers })).status).toBe(status);
  });

  test("its own origin passes", async () => {
    const { url } = await start();
    const host = new URL(url).host;
    expect((await send(url, { ...json, Host: host, Origin: `http://${host}` })).status).toBe(200);
  });

  test("allowed hosts and origins pass, with CORS headers for browsers", async () => {
    const host = ["--allowed-host", "kb.example"];
    const { url } = await start(...host, "--allowed-origin", "https://app.example");
    const headers = { ...json, Host: "kb.example", Origin: "https://app.example" };
    const answer = await send(url, headers);
    expect(answer.status).toBe(200);
    expect(answer.headers["access-control-allow-origin"]).toBe("https://app.example");
    expect((await send(url, headers, "OPTIONS")).status).toBe(204);
    expect((await send(url, { Origin: "https://evil.example" }, "OPTIONS")).status).toBe(403);
  });

  test("a WebSocket of a foreign origin is refused", async () => {
    const { url } = await start();
    expect(await knock(url, {})).toBe("open mcp");
    expect(await knock(url, { origin: "https://evil.example" })).toBe("refused 403");
    expect(await knock(url, { headers: { Host: "evil.example" } })).toBe("refused 403");
  });
});

describe("token", () => {
  test("the response to a missing or wrong token shows how to authenticate", async () => {
    const { url } = await start("--token", TOKEN);
    const none = await post(url, PING);
    expect(none.status).toBe(401);
    expect(none.headers.get("www-authenticate")).toBe('Bearer realm="knowledge-server"');
    const wrong = await post(url, PING, { Authorization: "Bearer wrong" });
    expect(wrong.status).toBe(401);
    expect(wrong.headers.get("www-authenticate")).toContain("invalid_token");
    expect(await knock(url, {})).toBe("refused 401");
  });

  test("the right token passes, over HTTP and WebSocket", async () => {
    const { url } = await start("--token", TOKEN);
    const headers = { Authorization: `Bearer ${TOKEN}` };
    expect((await post(url, PING, headers)).status).toBe(200);
    expect(await knock(url, { headers })).toBe("open mcp");
  });

  test("metrics need it, health does not", async () => {
    const { url } = await start("--token", TOKEN);
    expect((await fetch(`${url}/metrics`)).status).toBe(401);
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
  });

  test("a principal without the right is denied with the tool's own error", async () => {
    const { url } = await startWithTokens({ reader: ["read"] });
    const call = (name: string) => ({ ...PING, method: "tools/call", params: { name } });
    const reader = { Authorization: "Bearer reader" };
    expect(await (await post(url, call("knowledge-show"), reader)).json()).toMatchObject({
      result: { structuredContent: { success: true } },
    });
    expect(await (await post(url, call("knowledge-clear"), reader)).json()).toMatchObject({
      result: { isError: true, structuredContent: { success: false, error: "access_denied" } },
    });
  });

  test("a session can be used only by its principal", async () => {
    const { url } = await startWithTokens({ one: ["read"], two: ["read"] });
    const one = { Authorization: "Bearer one" };
    const session = await openSession(url, one);
    expect((await post(url, PING, { ...one, ...session })).status).toBe(200);
    expect((await post(url, PING, { Authorization: "Bearer two", ...session })).status).toBe(404);
  });
});

describe("size, rate and form", () => {
  test("a body over the limit is refused, declared or not, and its sender gets the response", async () => {
    const { url } = await start("--max-request-mb", "1");
    const sendBody = (body: RequestInit["body"]) =>
      fetch(`${url}/mcp`, { method: "POST", headers: json, body, duplex: "half" } as RequestInit);
    const bodies = [1_100_000, 2_000_000, 12_000_000].map((size) =>
      JSON.stringify({ ...PING, params: { text: "x".repeat(size) } }),
    );
    for (let round = 0; round < 5; round += 1) {
      for (const body of bodies) {
        expect((await sendBody(body)).status).toBe(413);
        expect((await sendBody(new Blob([body]).stream())).status).toBe(413);
      }
    }
  });

  test("a body over the limit that never ends is cut off", async () => {
    const { url } = await start("--max-request-mb", "1");
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    socket.on("error", () => {});
    const ended = new Promise((resolve) => socket.once("close", resolve));
    socket.write("POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n");
    socket.write("Transfer-Encoding: chunked\r\n\r\n");
    const part = `10000\r\n${"x".repeat(65_536)}\r\n`;
    const sending = setInterval(() => socket.write(part), 1);
    await ended.finally(() => clearInterval(sending));
  });

  test("a WebSocket message over the limit closes the connection", async () => {
    const { url } = await start("--max-request-mb", "1");
    const socket = new NodeWebSocket(`${url.replace("http", "ws")}/mcp`, "mcp");
    await new Promise((resolve) => socket.on("open", resolve));
    socket.send("x".repeat(2_000_000));
    const code = await new Promise((resolve) => socket.on("close", resolve));
    expect(code).toBe(1009);
  });

  test("too many requests are refused with the time to retry", async () => {
    const perMinute = 5;
    const { url } = await start("--rate-limit", String(perMinute));
    const began = performance.now();
    let passed = 0;
    let answer = await post(url, PING);
    for (; answer.status === 200; answer = await post(url, PING)) passed += 1;
    expect(answer.status).toBe(429);
    expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
    // One more for each that the time has given back, which is none unless the machine is busy.
    const earned = Math.floor(((performance.now() - began) / 60_000) * perMinute);
    expect(passed).toBeGreaterThanOrEqual(perMinute);
    expect(passed).toBeLessThanOrEqual(perMinute + earned);
  });

  test.each([
    ["not JSON", "{", 400, -32700],
    ["an empty batch", "[]", 400, -32600],
    ["a bare string", '"x"', 400, -32600],
    ["another protocol", '{"jsonrpc":"1.0","id":1,"method":"ping"}', 400, -32600],
    ["an id that is an object", '{"jsonrpc":"2.0","id":{},"method":"ping"}', 400, -32600],
    [
      "parameters that are a list",
      '{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}',
      400,
      -32602,
    ],
    ["an unknown method", '{"jsonrpc":"2.0","id":1,"method":"nope"}', 200, -32601],
    [
      "a tool call without a name",
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{}}',
      200,
      -32602,
    ],
    [
      "a read without an address",
      '{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{}}',
      200,
      -32602,
    ],
  ])("%s", async (_case, body, status, code) => {
    const { url } = await start();
    const response = await post(url, body);
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ jsonrpc: "2.0", error: { code } });
  });

  test("another content type is refused", async () => {
    const { url } = await start();
    expect((await post(url, PING, { "Content-Type": "text/plain" })).status).toBe(415);
  });

  test("unknown sessions, versions, methods and paths have different errors", async () => {
    const { url } = await start();
    expect((await post(url, PING, { "Mcp-Session-Id": "gone" })).status).toBe(404);
    expect((await post(url, PING, { "MCP-Protocol-Version": "1999-01-01" })).status).toBe(400);
    expect((await fetch(`${url}/mcp`)).status).toBe(405);
    expect((await fetch(`${url}/mcp`, { method: "PUT" })).status).toBe(405);
    expect((await fetch(`${url}/nothing`)).status).toBe(404);
  });
});
