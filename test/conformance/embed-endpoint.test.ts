import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { openEmbed } from "../../src/embed/embed.ts";
import { openLog } from "../../src/observe/log.ts";
import { embedSuite } from "./embed.suite.ts";

type Handler = (request: IncomingMessage, response: ServerResponse) => unknown;

const DIMENSIONS = 64;
const KEY = "sk-very-secret";
let server: Server;
let handle: Handler = answer;
let requests: { input: string[]; authorization: string | undefined }[] = [];

beforeAll(async () => {
  server = createServer((request, response) => handle(request, response)).listen(0, "127.0.0.1");
  await once(server, "listening");
});
afterAll(() => void server.close());
afterEach(() => {
  handle = answer;
  requests = [];
});

/** An endpoint whose model knows words, not meanings; replies out of order and unscaled, as is allowed. */
async function answer(request: IncomingMessage, response: ServerResponse) {
  const { input } = (await json(request)) as { input: string[] };
  requests.push({ input, authorization: request.headers.authorization });
  const data = input.map((text, index) => ({ index, embedding: countWords(text) })).reverse();
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify({ data }));
}

function countWords(text: string): number[] {
  const counts = new Array<number>(DIMENSIONS).fill(0.01);
  for (const word of text.toLowerCase().match(/\w{4,}/g) ?? []) {
    let hash = 0;
    for (const character of word) hash = (hash * 31 + character.charCodeAt(0)) % DIMENSIONS;
    counts[hash] = (counts[hash] ?? 0) + 1;
  }
  return counts;
}

function openStub(lines: string[] = [], timeoutMs = 60_000) {
  const { port } = server.address() as AddressInfo;
  return openEmbed({
    kind: "endpoint",
    url: `http://127.0.0.1:${port}/v1/`,
    model: "words",
    key: KEY,
    timeoutMs,
    log: openLog({ level: "debug", write: (line) => lines.push(line) }),
  });
}

embedSuite("endpoint", async () => openStub());

describe("an endpoint", () => {
  test("gets batches, with the key", async () => {
    const embed = openStub();
    await embed.passages(Array.from({ length: 150 }, (_, at) => `text ${at}`));
    expect(requests.map(({ input }) => input.length)).toEqual([64, 64, 22]);
    expect(requests[0]?.authorization).toBe(`Bearer ${KEY}`);
  });

  test("that fails temporarily is retried", async () => {
    let failures = 2;
    handle = (request, response) => {
      if (failures-- === 0) handle = answer;
      response.writeHead(503, { "retry-after": "0" }).end();
      request.resume();
    };
    expect(await openStub().query("hello world")).toHaveLength(DIMENSIONS);
  });

  test("that rejects the key is not retried", async () => {
    let asked = 0;
    handle = (_request, response) => {
      asked++;
      response.writeHead(401).end(`bad key ${KEY}`);
    };
    const lines: string[] = [];
    const embed = openStub(lines);
    const failure = await embed.query("hello").catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: "MODEL_UNAVAILABLE" });
    expect(asked).toBe(1);
    expect(embed.state()).toMatchObject({ kind: "failed" });
    expect(`${String(failure)}${lines.join("")}`).not.toContain(KEY);
    expect(lines.join("")).toContain("embed.endpoint-failed");
  });

  test.each([
    ["not JSON", "<html>"],
    ["of another length", JSON.stringify({ data: [] })],
    ["without numbers", JSON.stringify({ data: [{ index: 0, embedding: ["x"] }] })],
    ["of another shape", "null"],
  ])("whose reply is %s is unavailable", async (_case, body) => {
    handle = (_request, response) => response.writeHead(200).end(body);
    await expect(openStub().query("hello")).rejects.toMatchObject({ code: "MODEL_UNAVAILABLE" });
  });

  test("that never responds times out", async () => {
    handle = () => undefined;
    await expect(openStub([], 30).query("hello")).rejects.toThrow(/no reply in time/);
  });

  test("waiting for a retry ends at once when the call is cancelled", async () => {
    handle = (_request, response) => response.writeHead(429, { "retry-after": "8" }).end();
    await expect(openStub().query("hello", AbortSignal.timeout(60))).rejects.toMatchObject({
      code: "CANCELLED",
    });
  });
});
