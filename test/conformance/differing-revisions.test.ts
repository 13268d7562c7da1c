// A header of an older revision over a body of 2026-07-28: what some connectors send.
import { expect, test } from "vitest";
import { startHttpProgram } from "../support/process.ts";

const params = {
  _meta: {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": { name: "connector", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": {},
  },
};
const STATUS = {
  method: "tools/call",
  params: { ...params, name: "knowledge-status", arguments: {} },
};
const READ = { method: "resources/read", params: { ...params, uri: "knowledge://documents/鷺" } };

async function send(url: string, body: object, headers: Record<string, string>) {
  const accept = "application/json, text/event-stream";
  const response = await fetch(`${url}/mcp`, {
    method: "POST",
    headers: { "content-type": "application/json", accept, ...headers },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, ...body }),
  });
  return { status: response.status, text: await response.text() };
}

test("the body decides, and the log says so", async () => {
  const server = await startHttpProgram({ args: [] });
  const older = (version: string) => ({ "mcp-protocol-version": version });
  const named = { "mcp-method": "tools/call", "mcp-name": "knowledge-status" };
  for (const version of ["2024-11-05", "2025-06-18", "2025-11-25"]) {
    for (const more of [{}, named]) {
      const answered = await send(server.url, STATUS, { ...older(version), ...more });
      expect(answered, answered.text).toMatchObject({ status: 200 });
      expect(answered.text).toContain("document_count");
    }
  }
  expect((await send(server.url, READ, older("2025-11-25"))).text).not.toContain("disagree");
  // What differs otherwise is still refused.
  const refused = [
    await send(server.url, STATUS, older("1999-01-01")),
    await send(server.url, STATUS, { ...older("2025-11-25"), ...named, "mcp-name": "other" }),
    await send(server.url, STATUS, {}),
  ];
  expect(refused.map(({ status }) => status)).toEqual([400, 400, 400]);
  await server.stop();
  expect(server.stderr()).toMatch(/http\.revisions-differ.*2025-06-18.*2026-07-28/);
});
