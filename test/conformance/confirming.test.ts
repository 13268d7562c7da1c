// Before an irreversible change the user is asked, if the client can ask: the official client in both
// of its ways to be asked.
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { connect, type Mode } from "../support/clients.ts";
import { modernClient, payloadOf } from "../support/modern.ts";
import { type Program, startHttpProgram } from "../support/process.ts";

let server: Program & { url: string };
beforeAll(async () => {
  server = await startHttpProgram({ args: [] });
});
afterAll(() => server?.stop());

const direct = async (name: string, args: object) =>
  payloadOf(await modernClient(`${server.url}/mcp`).ask("tools/call", { name, arguments: args }));

type Reply = { action: "accept" | "decline" | "cancel"; content?: { confirm: boolean } };

async function open(mode: Mode, reply: Reply | undefined) {
  const asked: string[] = [];
  const client = await connect(
    new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`)),
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

const addNote = async (): Promise<unknown> => {
  const note = { text: "# Note\n\nTo be removed.\n", filename: "note.md", async: false };
  return (await direct("knowledge-add-text", note))["document_id"];
};
const countDocuments = async () => (await direct("knowledge-show", {}))["total_count"];
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
    await direct("knowledge-scope-put", { scope_id: "kept", tier: "PROJECT" });
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

  test("after the user agrees, a document is removed without a second call", async () => {
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

  test("a client that cannot ask gets the contract's default", async () => {
    const document_id = await addNote();
    const { call, close } = await open(mode, undefined);
    expect(await call("knowledge-remove", { document_id })).toMatchObject({
      error: "confirmation_required",
    });
    expect(await call("knowledge-clear", CLEAR)).toMatchObject({ success: true });
    await close();
  });
});
