// The tools that ChatGPT expects: present if enabled, in OpenAI's shapes, and absent otherwise.
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, expect, test } from "vitest";
import { connect } from "../support/clients.ts";
import { modernClient, payloadOf } from "../support/modern.ts";
import { type Program, startHttpProgram } from "../support/process.ts";

let server: Program & { url: string };
beforeAll(async () => {
  server = await startHttpProgram({ args: ["--tools", "documents,chatgpt"] });
  const add = (filename: string, text: string, metadata = {}) =>
    modernClient(`${server.url}/mcp`).ask("tools/call", {
      name: "knowledge-add-text",
      arguments: { text, filename, metadata, async: false },
    });
  await add("herons.md", "# Herons\n\nHerons wade in the shallows.\n\n## Food\n\nThey eat fish.\n");
  await add("web.md", "# Herons of the web\n\nHerons nest in colonies.\n", {
    source_url: "https://example.org/herons",
  });
});
afterAll(() => server?.stop());

test("search and fetch return the same JSON as text and as structured content", async () => {
  const client = await connect(
    new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`)),
    "legacy",
  );
  await client.listTools();
  const found = await client.callTool({ name: "search", arguments: { query: "herons" } });
  expect(found.content).toEqual([{ type: "text", text: JSON.stringify(found.structuredContent) }]);
  const { results } = found.structuredContent as {
    results: { id: string; title: string; url: string }[];
  };
  expect(results.map((result) => Object.keys(result))).toEqual([
    ["id", "title", "url"],
    ["id", "title", "url"],
  ]);
  const own = results.find(({ url }) => url.startsWith("knowledge://documents/"));
  expect(results.some(({ url }) => url === "https://example.org/herons")).toBe(true);
  const read = await client.callTool({ name: "fetch", arguments: { id: own?.id ?? "" } });
  expect(read.content).toEqual([{ type: "text", text: JSON.stringify(read.structuredContent) }]);
  expect(read.structuredContent).toMatchObject({
    ...own,
    text: expect.stringContaining("They eat fish."),
    metadata: { filename: "herons.md" },
  });
  await client.close();
});

test("no results give an empty list, and an unknown id gives an error", async () => {
  const client = modernClient(`${server.url}/mcp`);
  const call = (name: string, args: object) => client.ask("tools/call", { name, arguments: args });
  expect(payloadOf(await call("search", { query: "qqqqzzzz" }))).toEqual({ results: [] });
  const unknown = await call("fetch", { id: "unknown" });
  expect(unknown.result).toMatchObject({ isError: true });
  expect(payloadOf(unknown)).toMatchObject({ error: "document_not_found" });
});
