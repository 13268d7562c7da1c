// Requests that offer to change the protocol: only a WebSocket is taken, and every other offer is ignored (RFC 9110,
// section 7.8). On this Node and on the oldest that is supported, because the two decide differently what an upgrade is.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ensureOldestNode } from "../../scripts/oldest-node.ts";
import { type Program, startHttpProgram } from "../support/process.ts";
import { dial, readAll } from "../support/raw-http.ts";

const PING = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" });
const KEY = "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\n";

/** As `curl --http2` sends them, and others. */
const OFFERS = {
  h2c: "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAoAAAAAIAAAAA\r\n",
  TLS: "Connection: Upgrade\r\nUpgrade: TLS/1.2, HTTP/1.1\r\n",
  "an unknown protocol": "Connection: upgrade\r\nUpgrade: websockets\r\n",
  nothing: "Connection: Upgrade\r\nUpgrade: ,\r\n",
  "a WebSocket without its connection header": `Connection: x\r\nUpgrade: websocket\r\n${KEY}`,
};

const BODY = `Content-Type: application/json\r\nContent-Length: ${PING.length}\r\n`;
const CHUNKED = "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n";
/** A request line, its own headers, its body, and what a response contains. */
const REQUESTS = [
  ["POST /mcp", BODY, PING, '"result"'],
  ["POST /mcp", CHUNKED, `${PING.length.toString(16)}\r\n${PING}\r\n0\r\n\r\n`, '"result"'],
  ["GET /healthz", "", "", '"ok"'],
  ["HEAD /healthz", "", "", "Content-Length"],
  ["GET /metrics", "", "", "knowledge_http_sessions"],
  ["GET /", "", "", "<html"],
] as const;

const cases = Object.entries(OFFERS).flatMap(([offer, headers]) =>
  REQUESTS.map(([line, own, body, expected]) => ({ offer, line, headers, own, body, expected })),
);

describe.each([
  ["this Node", async () => process.execPath],
  ["the oldest Node", ensureOldestNode],
])("on %s", (_which, findNode) => {
  let server: Program & { readonly url: string };
  beforeAll(async () => {
    server = await startHttpProgram({ args: [], node: await findNode() });
  });
  afterAll(() => server?.stop());

  async function send(request: string): Promise<string> {
    const socket = await dial(server.url);
    socket.write(request);
    return readAll(socket);
  }

  test.each(cases)("$line that offers $offer is served", async (each) => {
    const { line, headers, own, body, expected } = each;
    const text = await send(`${line} HTTP/1.1\r\nHost: localhost\r\n${headers}${own}\r\n${body}`);
    expect(text).toMatch(/^HTTP\/1\.1 200 /);
    // What the client sent after it would be lost, so it is not to wait for a response.
    expect(text).toMatch(/^connection: close/im);
    expect(text).toContain(expected);
  });

  test.each([
    ["POST /mcp HTTP/1.1", BODY, PING],
    ["GET /healthz HTTP/1.0", "", ""],
  ])("an offer of a WebSocket in %s is ignored", async (line, own, body) => {
    const offer = `Connection: Upgrade\r\nUpgrade: websocket\r\n${KEY}`;
    const text = await send(`${line}\r\nHost: localhost\r\n${offer}${own}\r\n${body}`);
    expect(text).toMatch(/^HTTP\/1\.1 200 /);
  });

  test.each(["websocket", "WebSocket", "h2c, websocket", "websocket , TLS/1.2"])(
    "an offer of %s becomes a WebSocket",
    async (offer) => {
      const socket = await dial(server.url);
      const head = `GET /mcp HTTP/1.1\r\nHost: localhost\r\nConnection: keep-alive, Upgrade\r\nUpgrade: ${offer}\r\n`;
      socket.write(`${head}${KEY}\r\n`);
      const { value } = await socket[Symbol.asyncIterator]().next();
      expect(String(value)).toMatch(/^HTTP\/1\.1 101 /);
      socket.destroy();
    },
  );
});
