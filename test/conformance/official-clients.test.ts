// Both official clients check every result against the schema that the tool announced. Here they call every tool
// into success and into every error of the catalogue, on every transport.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ERRORS, type ErrorCode, KnowledgeError } from "../../src/domain/errors.ts";
import { type Mcp, openMcp } from "../../src/mcp/mcp.ts";
import { openMetrics } from "../../src/observe/metrics.ts";
import type { Toolbox } from "../../src/tools/family.ts";
import { runTool } from "../../src/tools/run-tool.ts";
import { openTestApp, type TestApp } from "../support/app.ts";
import {
  CLIENTS,
  type ClientName,
  connectAs,
  dialAs,
  post,
  TRANSPORTS,
  type TransportName,
} from "../support/clients.ts";
import { openTestHttp } from "../support/http.ts";
import { silentLog } from "../support/silent-log.ts";
import {
  openStreams,
  readLines,
  type Streams,
  streamTransport,
} from "../support/stream-transport.ts";

const CODES = Object.keys(ERRORS) as ErrorCode[];
const NO_TASK = "00000000-0000-4000-8000-000000000000";

// The optional ones too, so that no tool is left out.
const FLAGS = { tools: ["file", "answers", "documents", "scopes", "chatgpt"], "allow-urls": true };

let at: TestApp;
let clients: Awaited<ReturnType<typeof openOfficialClients>>;

beforeAll(async () => {
  at = await openTestApp({ kbText: "Text of the file.", flags: FLAGS });
  await writeFile(join(at.folder, "note.md"), "# Fruit\n\nApples are kept in the cellar.\n");
  const parts = { version: "0", log: silentLog(), metrics: openMetrics() };
  clients = await openOfficialClients(openMcp(raising(at.app), parts));
});
afterAll(async () => {
  await clients?.close();
  await at?.close();
});

// The fields that real failures carry, all at once.
const DETAILS = {
  parameter: "file_path",
  document_id: "d",
  document_count: 0,
  current_document_count: 2,
  max_size_mb: 100,
  retry_after_seconds: 1,
};

/**
 * The program's own tools, whose calls fail as requested: the response is the tool's real error payload. `raise` is passed
 * next to the tool's own arguments; the tool never sees it.
 */
function raising(toolbox: Toolbox): Toolbox {
  return {
    ...toolbox,
    run: (tool, args, context) => {
      const isAsked = typeof args === "object" && args !== null && "raise" in args;
      if (!isAsked) return toolbox.run(tool, args, context);
      const { raise, ...own } = args;
      const run = async () => {
        throw new KnowledgeError(raise as ErrorCode, "It failed.", { details: DETAILS });
      };
      return runTool({ ...tool, run }, own, context);
    },
  };
}

/** Both official clients, on every transport of one server in this process. */
async function openOfficialClients(mcp: Mcp) {
  const http = await openTestHttp(mcp);
  const streams: Streams[] = [];
  const openLines = () => {
    const opened = openStreams(mcp);
    streams.push(opened);
    return opened;
  };
  return {
    url: http.url,
    /** Another connection over stdio, by raw lines. */
    openStreams: openLines,
    open: (transport: TransportName, client: ClientName) =>
      transport === "stdio"
        ? connectAs(client, streamTransport(openLines()))
        : dialAs(client, transport, `${http.url}/mcp`),
    async close() {
      await Promise.all(streams.map((each) => each.close()));
      await http.close();
    },
  };
}

interface Call {
  readonly name: string;
  readonly arguments: Record<string, unknown>;
}

/** Succeeds with a page of a public address only: test/e2e/web-pages.test.ts has one. */
const NEEDS_THE_WEB = "knowledge-add-url";

/** Every tool once, in an order in which each succeeds; returns their names. */
async function successes(call: (call: Call) => Promise<Result>): Promise<ReadonlySet<string>> {
  const called = new Set<string>([NEEDS_THE_WEB]);
  const named = async (name: string, args: Record<string, unknown> = {}) => {
    called.add(name);
    const result = await call({ name, arguments: args });
    expect(result.isError ?? false, `${name}: ${JSON.stringify(result.content)}`).toBe(false);
    return result.structuredContent ?? {};
  };
  const scope = { scope_id: "shop" };
  const rule = { ...scope, category: "git", keyword: "commit" };
  await named("knowledge-scope-put", { ...scope, tier: "PROJECT" });
  await named("knowledge-entry-put", { ...rule, content: "Sign it." });
  await named("knowledge-scopes", { under: "shop" });
  await named("get_categories", { project_name: "shop" });
  await named("get_keywords", { project_name: "shop", categories: ["git", "none"] });
  await named("get_knowledge", { ...scope, keywords: ["commit", "none"] });
  await named("knowledge-entry-remove", rule);
  await named("knowledge-scope-remove", { ...scope, confirm: true });
  await named("get_kb_info");
  await named("get_kb_content");
  const file_path = join(at.folder, "note.md");
  const added = await named("knowledge-add", { file_path, async: false });
  const queued = await named("knowledge-add", { file_path });
  await named("knowledge-task-status", { task_id: queued["task_id"] });
  await named("knowledge-task-cancel", { task_id: queued["task_id"] });
  await named("knowledge-search", { query: "apples", explain: true });
  await named("knowledge-read", { document_id: added["document_id"] });
  await named("search", { query: "apples" });
  await named("fetch", { id: added["document_id"] });
  await named("knowledge-add-text", {
    filename: "said.md",
    text: "Plums are dried.",
    async: false,
  });
  await named("kb_answer", { query: "Where are apples kept?" });
  await named("knowledge-sources", { action: "list" });
  await named("knowledge-show");
  await named("knowledge-show", { document_id: added["document_id"] });
  await named("knowledge-status");
  await named("knowledge-remove", { document_id: added["document_id"], confirm: true });
  await named("knowledge-clear", { confirm: true, confirmation_phrase: "DELETE ALL" });
  return called;
}

interface Result {
  readonly isError?: boolean | undefined;
  readonly content?: unknown;
  readonly structuredContent?: Record<string, unknown> | undefined;
}

// Arguments that fit, so that the call comes as far as to fail.
const FITTING: Readonly<Record<string, Record<string, unknown>>> = {
  "knowledge-add": { file_path: "/x.pdf" },
  "knowledge-add-url": { url: "https://example.com/x" },
  search: { query: "x" },
  fetch: { id: "x" },
  "knowledge-add-text": { filename: "x.md", text: "x" },
  "knowledge-search": { query: "x" },
  "knowledge-read": { document_id: "x" },
  "knowledge-remove": { document_id: "x" },
  "knowledge-clear": { confirm: true, confirmation_phrase: "DELETE ALL" },
  "knowledge-task-status": { task_id: NO_TASK },
  "knowledge-task-cancel": { task_id: NO_TASK },
  "knowledge-sources": { action: "sync", source_id: "x" },
  kb_answer: { query: "x" },
  "knowledge-scopes": { under: "x" },
  get_categories: { project_name: "x" },
  get_keywords: { project_name: "x", categories: ["x"] },
  get_knowledge: { scope_id: "x", keywords: ["x"] },
  "knowledge-scope-put": { scope_id: "x" },
  "knowledge-scope-remove": { scope_id: "x" },
  "knowledge-entry-put": { scope_id: "x", category: "x", keyword: "x", content: "x" },
  "knowledge-entry-remove": { scope_id: "x", category: "x", keyword: "x" },
};

describe.each(TRANSPORTS)("over %s", (transport) => {
  describe.each(CLIENTS)("the client %s", (name) => {
    test("accepts every tool's successes and errors", async () => {
      const client = await clients.open(transport, name);
      const { tools } = await client.listTools();
      expect(tools).toHaveLength(25);
      const call = async (asked: Call) => (await client.callTool(asked)) as Result;
      const called = await successes(call);
      expect([...called].sort()).toEqual(tools.map((tool) => tool.name).sort());
      for (const tool of tools) {
        const raised = CODES.map(async (code) => {
          const args = { ...FITTING[tool.name], raise: code };
          const result = await call({ name: tool.name, arguments: args });
          expect(result.isError, `${tool.name} ${code}`).toBe(true);
        });
        await Promise.all(raised);
        const wrong = await call({ name: tool.name, arguments: { ...unfit(tool.name) } });
        expect(wrong.isError ?? false, tool.name).toBe(hasArguments(tool.inputSchema));
      }
      await client.close();
    });
  });
});

function unfit(tool: string): Record<string, unknown> {
  const names = Object.keys(FITTING[tool] ?? {});
  const given = names.length > 0 ? names : ["offset", "limit"];
  return Object.fromEntries(given.map((each) => [each, { not: "this" }]));
}

function hasArguments({ properties = {} }: { properties?: Record<string, unknown> | undefined }) {
  return Object.keys(properties).length > 0;
}

const rpc = (method: string, params: unknown) => ({ jsonrpc: "2.0", id: 1, method, params });
const call = (args: unknown) => rpc("tools/call", { name: "knowledge-search", arguments: args });

const FAULTS: readonly [string, unknown, number, string][] = [
  ["what is not JSON", "{", -32_700, "parse_error"],
  ["what is no request", { jsonrpc: "1.0", id: 1 }, -32_600, "invalid_request"],
  ["an unknown method", rpc("tools/none", {}), -32_601, "method_not_found"],
  ["an initialize without its parameters", rpc("initialize", {}), -32_602, "invalid_params"],
  ["an unknown tool", rpc("tools/call", { name: "none" }), -32_602, "unknown_tool"],
  ["a tool without a name", rpc("tools/call", {}), -32_602, "invalid_params"],
  ["an unknown prompt", rpc("prompts/get", { name: "none" }), -32_602, "unknown_prompt"],
];

describe.each(TRANSPORTS)("the wire of %s", (transport) => {
  test.each(FAULTS)("reports %s with its type and details", async (_what, sent, code, type) => {
    const { error } = await exchange(transport, sent);
    expect(error).toMatchObject({ code, data: { error_type: type, details: {} } });
    // One sentence for people, no validator's dump.
    expect(error?.message).toMatch(/^[A-Z][^{}[\]]{5,160}$/);
  });

  test("accepts missing arguments, and reports other types as the tool's own error", async () => {
    const missing = { isError: true, structuredContent: { error: "missing_required_parameter" } };
    for (const none of [null, undefined]) {
      expect((await exchange(transport, call(none))).result).toMatchObject(missing);
    }
    const invalid = { isError: true, structuredContent: { error: "invalid_parameter" } };
    for (const wrong of ["x", 5, true, ["query"]]) {
      expect((await exchange(transport, call(wrong))).result).toMatchObject(invalid);
    }
  });
});

interface Reply {
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

async function exchange(transport: TransportName, sent: unknown): Promise<Reply> {
  const text = typeof sent === "string" ? sent : JSON.stringify(sent);
  if (transport === "http") return (await post(clients.url, text)).json() as Promise<Reply>;
  const { promise, resolve } = Promise.withResolvers<Reply>();
  if (transport === "stdio") {
    const opened = clients.openStreams();
    readLines(opened.stdout, (line) => resolve(JSON.parse(line)));
    opened.stdin.write(`${text}\n`);
    return promise;
  }
  const socket = new WebSocket(`${clients.url.replace("http", "ws")}/mcp`, "mcp");
  socket.onopen = () => socket.send(text);
  socket.onmessage = ({ data }) => resolve(JSON.parse(String(data)));
  const reply = await promise;
  socket.close();
  return reply;
}
