// Every route that reads a body reads it within the same limits, and refuses it in the same way.
import { once } from "node:events";
import type { Socket } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { httpServers, writeTokens } from "../support/http-servers.ts";
import { dial, readAll } from "../support/raw-http.ts";

const MAX_BYTES = 1024 * 1024;
const SMALL = ["--max-request-mb", "1"];
const ROUTES = ["/mcp", "/api/scopes/import"];
const MAX_UPLOADS = 32;

const open = new Set<Socket>();
afterEach(() => {
  for (const socket of open) socket.destroy();
  open.clear();
});

const servers = httpServers();
const start = async (...flags: readonly string[]) => (await servers(...flags)).url;

const headOf = (route: string, headers: string) =>
  `POST ${route} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n${headers}\r\n`;
const CHUNKED = "Transfer-Encoding: chunked\r\n";

async function send(url: string, text: string): Promise<Socket> {
  const socket = await dial(url);
  open.add(socket);
  socket.write(text);
  return socket;
}

const post = (url: string, route: string, body: string) =>
  fetch(`${url}${route}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body,
  });
const inFlight = async (url: string) =>
  Number(/knowledge_bytes_in_flight (\d+)/.exec(await (await fetch(`${url}/metrics`)).text())?.[1]);

const JSON_OUT_OF_BOUNDS = {
  deep: "[".repeat(500_000),
  "deep in a member": `{"files":${"[".repeat(1_000)}${"]".repeat(1_000)},"write":true}`,
  wide: `{${Array.from({ length: 40_000 }, (_, at) => `"k${at}":1`).join(",")}}`,
  many: `{"files":[${"0,".repeat(300_000)}0]}`,
};
const outOfBounds = ROUTES.flatMap((route) =>
  Object.entries(JSON_OUT_OF_BOUNDS).map(([name, body]) => [route, name, body] as const),
);

test.each(outOfBounds)("%s refuses JSON that is too %s", async (route, _name, body) => {
  const response = await post(await start(...SMALL), route, body);
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({
    error: { code: -32600, message: expect.stringMatching(/^(The message|An object)/) },
  });
});

describe.each(ROUTES)("%s", (route) => {
  test("refuses a body over the limit, announced or not", async () => {
    const url = await start(...SMALL);
    const announced = await send(url, headOf(route, `Content-Length: ${MAX_BYTES + 1}\r\n`));
    expect(await readAll(announced)).toMatch(/^HTTP\/1\.1 413 /);
    const size = MAX_BYTES.toString(16);
    const chunk = `${size}\r\n${" ".repeat(MAX_BYTES)}\r\n`;
    const chunked = await send(url, `${headOf(route, CHUNKED)}${chunk}${chunk}`);
    expect(await readAll(chunked)).toMatch(/^HTTP\/1\.1 413 /);
  });

  test("counts a body in parts of one byte", async () => {
    const url = await start(...SMALL);
    const bytes = 40_000;
    const parts = "1\r\n \r\n".repeat(bytes);
    const socket = await send(url, `${headOf(route, CHUNKED)}${parts}`);
    await expect.poll(() => inFlight(url)).toBeGreaterThanOrEqual(bytes);
    expect(await inFlight(url)).toBeLessThanOrEqual(MAX_BYTES);
    socket.destroy();
    await expect.poll(() => inFlight(url)).toBe(0);
  });

  test("shares the budget of bytes with the other routes", async () => {
    const url = await start(...SMALL);
    for (let count = 1; count <= 4; count++) {
      const most = " ".repeat(MAX_BYTES - 1);
      await send(url, `${headOf(route, `Content-Length: ${MAX_BYTES}\r\n`)}${most}`);
      await expect.poll(() => inFlight(url)).toBe(count * MAX_BYTES);
    }
    for (const other of ROUTES) {
      const refused = await post(url, other, "{}");
      expect(refused.status).toBe(503);
      expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    }
    for (const socket of open) socket.destroy();
    await expect.poll(() => inFlight(url)).toBe(0);
  });

  test("refuses text that is not JSON, and another content type", async () => {
    const url = await start(...SMALL);
    expect((await post(url, route, "{")).status).toBe(400);
    const headers = { "content-type": "text/plain" };
    const other = await fetch(`${url}${route}`, { method: "POST", headers, body: "{}" });
    expect(other.status).toBe(415);
  });
});

test("a caller has a limited number of open uploads, and the others still have theirs", async () => {
  const url = await start("--token-file", await writeTokens({ ann: ["write"], ben: ["write"] }));
  const begin = (name: string) =>
    send(
      url,
      `POST /api/upload?filename=slow.txt HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${name}\r\n` +
        "Content-Type: application/octet-stream\r\nContent-Length: 9\r\n\r\nSlow",
    );
  const answerTo = async (socket: Socket) => String((await once(socket, "data"))[0]);
  const sockets: Socket[] = [];
  for (let count = 0; count < MAX_UPLOADS; count++) sockets.push(await begin("ann"));
  const refused = await answerTo(await begin("ann"));
  expect(refused).toMatch(/^HTTP\/1\.1 503 /);
  expect(refused).toMatch(/^retry-after: \d/im);
  const other = await begin("ben");
  other.write("note.");
  expect(await answerTo(other)).toMatch(/^HTTP\/1\.1 200 /);
  sockets[0]?.write("note.");
  expect(await answerTo(sockets[0] as Socket)).toMatch(/^HTTP\/1\.1 200 /);
  const next = await begin("ann");
  next.write("note.");
  expect(await answerTo(next)).toMatch(/^HTTP\/1\.1 200 /);
});
