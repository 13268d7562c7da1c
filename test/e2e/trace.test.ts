// A caller's trace, from `_meta` to the log, the audit file and every endpoint that is called for it.
import { readFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { modernClient, payloadOf } from "../support/modern.ts";
import { type Program, startHttpProgram } from "../support/process.ts";
import { tempFolder } from "../support/temp-folder.ts";

const ID = "0af7651916cd43dd8448eb211c80319c";
const TRACE = { traceparent: `00-${ID}-00f067aa0ba902b7-01`, tracestate: "vendor=some-value" };

interface Seen {
  readonly path: string;
  readonly traceparent: unknown;
  readonly tracestate: unknown;
}
const seen: Seen[] = [];
let endpoint: Server;
let server: Program & { url: string };
const auditFile = join(tempFolder("trace"), "audit");

beforeAll(async () => {
  endpoint = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const { input = [], documents = [] } = JSON.parse(Buffer.concat(parts).toString("utf8"));
    const { traceparent, tracestate } = request.headers;
    seen.push({ path: request.url ?? "", traceparent, tracestate });
    const reply = {
      data: input.map((_: string, index: number) => ({ index, embedding: [1, 0, 0] })),
      results: documents.map((_: string, index: number) => ({ index, relevance_score: 1 })),
      choices: [{ message: { content: '{"claims": []}' } }],
    };
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(reply));
  });
  await new Promise<void>((resolve) => endpoint.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(endpoint.address() as AddressInfo).port}/v1`;
  server = await startHttpProgram({
    args: ["--audit-file", auditFile],
    env: {
      KNOWLEDGE_EMBED_URL: url,
      KNOWLEDGE_EMBED_MODEL: "stub",
      KNOWLEDGE_RERANK_URL: url,
      KNOWLEDGE_LLM_URL: url,
    },
  });
});
afterAll(async () => {
  await server?.stop();
  endpoint?.close();
});

const call = async (name: string, args: object, meta: Record<string, unknown>) =>
  payloadOf(
    await modernClient(`${server.url}/mcp`, { meta }).ask("tools/call", { name, arguments: args }),
  );

test("endpoints called for a query get the trace, background work of an add does not", async () => {
  const note = { text: "# Pump\n\nThe pump runs at 40 bar.\n", filename: "pump.md", async: false };
  const other = { ...note, text: "# Valve\n\nThe valve opens at 20 bar.\n", filename: "valve.md" };
  expect(await call("knowledge-add-text", note, TRACE)).toMatchObject({ success: true });
  expect(await call("knowledge-add-text", other, TRACE)).toMatchObject({ success: true });
  const adding = seen.splice(0);
  expect(adding.some(({ path }) => path.endsWith("/embeddings"))).toBe(true);
  await call("kb_answer", { query: "At what pressure does the pump run?" }, TRACE);
  const asked = seen.splice(0);
  for (const path of ["/v1/embeddings", "/v1/rerank", "/v1/chat/completions"]) {
    expect(asked, path).toContainEqual({ path, ...TRACE });
  }
  await call("kb_answer", { query: "How fast is the pump?" }, {});
  expect(seen.splice(0).filter(({ traceparent }) => traceparent !== undefined)).toEqual([]);
});

test("the log and the audit file have the trace id, and ignore ids that violate the standard", async () => {
  const added = () => {
    const lines = server.stderr().split("\n").slice(0, -1);
    const line = lines.find((each) => each.includes("mcp.call") && each.includes("add-text"));
    return JSON.parse(line ?? "{}") as object;
  };
  await expect.poll(added).toMatchObject({ trace: ID, outcome: "ok" });
  const audit = (await readFile(auditFile, "utf8")).trim().split("\n");
  // The server's own work may have its lines before or between them.
  const adds = audit
    .map((line) => JSON.parse(line))
    .filter(({ did }) => did === "knowledge-add-text");
  expect(adds[0]).toMatchObject({ trace: ID });
  await call("kb_answer", { query: "Why?" }, { traceparent: "planted\nline", tracestate: "x" });
  expect(server.stderr()).not.toContain("planted");
  expect(seen.splice(0).filter(({ traceparent }) => traceparent !== undefined)).toEqual([]);
});
