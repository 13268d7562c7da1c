// Every way to write a private address, sent as raw bytes to a real server that asks for a token.
import { writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openRandom } from "../../stress/fuzz/random.ts";
import { post } from "../support/clients.ts";
import { type Program, startHttpProgram } from "../support/process.ts";
import { SEED } from "../support/seed.ts";
import { type Spelling, tableOf, wildSpelling } from "./spellings.ts";

const TOKEN = "a-token-of-some-length";
const SECRET = "The heron nests behind the third weir.";
const WILD = 2_000;
const AT_ONCE = 16;
const UPGRADE =
  "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n" +
  "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";

let server: Program & { url: string };
let port: number;
let original: string;
let paths: readonly string[];

beforeAll(async () => {
  server = await startHttpProgram({ args: ["--token", TOKEN, "--log-level", "error"] });
  port = Number(new URL(server.url).port);
  original = `/api/documents/${await addDocument()}/original`;
  paths = [original, "/api/host", "/api/upload?filename=x.txt", "/metrics", "/mcp"];
});
afterAll(() => server?.stop());

async function addDocument(): Promise<string> {
  const path = join(server.folder, "herons.txt");
  await writeFile(path, SECRET);
  const params = { name: "knowledge-add", arguments: { file_path: path, async: false } };
  const call = { jsonrpc: "2.0", id: 1, method: "tools/call", params };
  const answer = await post(server.url, call, { Authorization: `Bearer ${TOKEN}` });
  const { result } = (await answer.json()) as {
    result: { structuredContent: { document_id: string } };
  };
  return result.structuredContent.document_id;
}

/** The whole answer to one request on a connection of its own, as text. */
function send({ method, address }: Spelling, headers = "Connection: close\r\n"): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  const socket = connect(port, "127.0.0.1");
  const parts: Buffer[] = [];
  socket.on("data", (part: Buffer) => parts.push(part));
  socket.on("error", () => {});
  socket.on("close", () => resolve(Buffer.concat(parts).toString("latin1")));
  socket.write(`${method} ${address} HTTP/1.1\r\nHost: localhost\r\n${headers}\r\n`);
  return promise;
}

/** Those that were answered with anything but a refusal. */
async function servedOf(spellings: readonly Spelling[], headers?: string): Promise<string[]> {
  const served: string[] = [];
  const waiting = [...spellings];
  const work = async () => {
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      const answer = await send(next, headers);
      const isRefused = /^HTTP\/1\.1 (?:400|401|404) /.test(answer);
      if (!isRefused || answer.includes(SECRET)) served.push(`${next.method} ${next.address}`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return served;
}

const get = (address: string): Spelling => ({ method: "GET", address });

test("the document is served at its own address, only with the token", async () => {
  const headers = `Connection: close\r\nAuthorization: Bearer ${TOKEN}\r\n`;
  expect(await send(get(original), headers)).toContain(SECRET);
  expect(await send(get(original))).toMatch(/^HTTP\/1\.1 401 /);
});

test.each([
  "/assets/../api/documents/ID/original",
  "/assets/%2e%2e/api/documents/ID/original",
  "/assets/.%2E/api/documents/ID/original",
  "/assets/..\\api/documents/ID/original",
  "//api/documents/ID/original",
  "http://localhost/api/documents/ID/original",
])("%s is an address that cannot be read", async (address) => {
  const id = original.split("/")[3] ?? "";
  expect(await send(get(address.replace("ID", id)))).toMatch(/^HTTP\/1\.1 400 /);
});

test("no spelling of a private address from the tables is served without a token", async () => {
  const spellings = paths.flatMap((path) => [...tableOf(path)].map(get));
  expect(spellings.length).toBeGreaterThan(3_000);
  expect(await servedOf(spellings)).toEqual([]);
});

test(`no random spelling is either (${WILD}, seed ${SEED}), by any method`, async () => {
  const random = openRandom(SEED);
  const spellings = Array.from({ length: WILD }, (_, at) =>
    wildSpelling(random, paths[at % paths.length] ?? "/"),
  );
  expect(await servedOf(spellings)).toEqual([]);
});

test("no spelling of the protocol's address is upgraded to a WebSocket", async () => {
  expect(await servedOf([...tableOf("/mcp")].map(get), UPGRADE)).toEqual([]);
});
