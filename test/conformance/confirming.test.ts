// What cannot be undone is asked of the person at the client, where the client can ask: the official client in both
// of its ways to be asked.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openMcp } from "../../src/mcp/mcp.ts";
import { openMetrics } from "../../src/observe/metrics.ts";
import type { Http } from "../../src/transports/http/http.ts";
import { openTestApp, type TestApp } from "../support/app.ts";
import { connect, type Mode } from "../support/clients.ts";
import { openTestHttp } from "../support/http.ts";
import { silentLog } from "../support/silent-log.ts";

let at: TestApp;
let http: Http;
beforeAll(async () => {
  at = await openTestApp({});
  http = await openTestHttp(
    openMcp(at.app, { version: "0", log: silentLog(), metrics: openMetrics() }),
  );
});
afterAll(async () => {
  await http?.close();
  await at?.close();
});

type Reply = { action: "accept" | "decline" | "cancel"; content?: { confirm: boolean } };

async function open(mode: Mode, reply: Reply | undefined) {
  const asked: string[] = [];
  const client = await connect(
    new StreamableHTTPClientTransport(new URL(`${http.url}/mcp`)),
    mode,
    {
      capabilities: reply === undefined ? {} : { elicitation: { form: {} } },
      prepare: (made) => {
        if (reply === undefined) return;
        made.setRequestHandler("elicitation/create", async ({ params }) => {
          asked.push(params.message);
          return reply;
        });
      },
    },
  );
  const call = async (name: string, args: Record<string, unknown>) =>
    (await client.callTool({ name, arguments: args })).structuredContent as Record<string, unknown>;
  return { call, asked, close: () => client.close() };
}

const addNote = async (): Promise<string> => {
  await writeFile(join(at.folder, "note.md"), "# Note\n\nTo be removed.\n");
  const file_path = join(at.folder, "note.md");
  const { structured } = await at.app.call(
    "knowledge-add",
    { file_path, async: false },
    { signal: new AbortController().signal },
  );
  return (structured as { document_id: string }).document_id;
};
const countDocuments = async () => {
  const shown = await at.app.call("knowledge-show", {}, { signal: new AbortController().signal });
  return (shown.structured as { total_count: number }).total_count;
};
const CLEAR = { confirm: true, confirmation_phrase: "DELETE ALL" };

describe.each(["legacy", "modern"] as const)("%s", (mode) => {
  test.each<[string, Reply]>([
    ["declined", { action: "decline" }],
    ["cancelled", { action: "cancel" }],
    ["accepted with a no", { action: "accept", content: { confirm: false } }],
  ])("%s: nothing changes, and the result says so", async (_name, reply) => {
    const document_id = await addNote();
    const before = await countDocuments();
    const { call, asked, close } = await open(mode, reply);
    await at.app.call(
      "knowledge-scope-put",
      { scope_id: "kept", tier: "PROJECT" },
      { signal: new AbortController().signal },
    );
    for (const [name, args] of [
      ["knowledge-clear", CLEAR],
      ["knowledge-remove", { document_id }],
      ["knowledge-scope-remove", { scope_id: "kept", confirm: true }],
    ] as const) {
      expect(await call(name, args), name).toMatchObject({
        success: false,
        error: "confirmation_declined",
      });
    }
    expect(asked).toHaveLength(3);
    expect(asked[1]).toContain("note.md");
    expect(await countDocuments()).toBe(before);
    await close();
  });

  test("agreed to: a document is removed without a second call", async () => {
    const document_id = await addNote();
    const { call, asked, close } = await open(mode, {
      action: "accept",
      content: { confirm: true },
    });
    expect(await call("knowledge-remove", { document_id })).toMatchObject({ success: true });
    await addNote();
    expect(await call("knowledge-clear", CLEAR)).toMatchObject({ success: true });
    expect(asked).toHaveLength(2);
    expect(await countDocuments()).toBe(0);
    await close();
  });

  test("a client that cannot ask is served as the contract says", async () => {
    const document_id = await addNote();
    const { call, close } = await open(mode, undefined);
    expect(await call("knowledge-remove", { document_id })).toMatchObject({
      error: "confirmation_required",
    });
    expect(await call("knowledge-clear", CLEAR)).toMatchObject({ success: true });
    await close();
  });
});
