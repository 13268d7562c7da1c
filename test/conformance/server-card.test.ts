// The Server Card, read before connecting: public, cacheable, correct, and without data of the knowledge base.
import { get } from "node:http";
import { afterAll, beforeAll, expect, test } from "vitest";
import packageJson from "../../package.json" with { type: "json" };
import serverJson from "../../server.json" with { type: "json" };
import { modernClient } from "../support/modern.ts";
import { type Program, startHttpProgram } from "../support/process.ts";

const TOKEN = "a-token-of-some-length";
let server: Program & { url: string };
beforeAll(async () => {
  server = await startHttpProgram({ args: ["--token", TOKEN] });
});
afterAll(() => server?.stop());

const fetchCard = (path = "/mcp/server-card", headers: Record<string, string> = {}) =>
  fetch(`${server.url}${path}`, { headers: { Origin: "https://elsewhere.example", ...headers } });

test("it is public, for any origin", async () => {
  const response = await fetchCard();
  expect(response.status).toBe(200);
  expect(Object.fromEntries(response.headers)).toMatchObject({
    "content-type": "application/mcp-server-card+json",
    "access-control-allow-origin": "*",
    "access-control-allow-methods": "GET",
    "access-control-expose-headers": "ETag",
    "cache-control": "public, max-age=3600",
  });
  const preflight = await fetch(`${server.url}/mcp/server-card`, { method: "OPTIONS" });
  expect(preflight.status).toBe(204);
  expect(preflight.headers.get("access-control-allow-headers")).toContain("If-None-Match");
  expect((await fetch(`${server.url}/mcp/server-card`, { method: "POST" })).status).toBe(405);
});

test("it has the fields that its specification requires, and no secret", async () => {
  const text = await (await fetchCard()).text();
  const card = JSON.parse(text);
  expect(card.$schema).toBe(
    "https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json",
  );
  expect(card.name).toMatch(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/);
  expect(card.name).toBe(packageJson.mcpName);
  expect(card.version).toBe(packageJson.version);
  expect(card.description).toBe(serverJson.description);
  expect(card.description.length).toBeLessThanOrEqual(100);
  expect(card.remotes).toEqual([
    {
      type: "streamable-http",
      url: `${server.url}/mcp`,
      supportedProtocolVersions: expect.arrayContaining(["2025-11-25", "2026-07-28"]),
      headers: [expect.objectContaining({ name: "Authorization", isRequired: true })],
    },
  ]);
  expect(text).not.toContain(TOKEN);
  expect(text).not.toContain(server.folder);
});

test("it matches what a connected client gets from the server", async () => {
  const card = JSON.parse(await (await fetchCard()).text());
  const { result } = await modernClient(`${server.url}/mcp`, { token: TOKEN }).ask(
    "server/discover",
  );
  const meta = result?.["_meta"] as Record<string, Record<string, unknown>>;
  const { title, version, icons } = meta["io.modelcontextprotocol/serverInfo"] ?? {};
  expect({ title, version, icons }).toEqual({
    title: card.title,
    version: card.version,
    icons: card.icons,
  });
  const supported = card.remotes[0].supportedProtocolVersions;
  expect(supported).toEqual(expect.arrayContaining(result?.["supportedVersions"] as string[]));
});

test("a client with a current copy gets 304", async () => {
  const tag = (await fetchCard()).headers.get("etag") ?? "";
  expect((await fetchCard(undefined, { "If-None-Match": tag })).status).toBe(304);
  expect((await fetchCard(undefined, { "If-None-Match": '"another"' })).status).toBe(200);
});

test("the catalogue leads to it", async () => {
  const response = await fetchCard("/.well-known/ai-catalog.json");
  expect(response.headers.get("content-type")).toBe("application/ai-catalog+json");
  const { specVersion, entries } = JSON.parse(await response.text());
  expect(specVersion).toBe("1.0");
  expect(entries).toEqual([
    {
      identifier: "urn:air:127.0.0.1:mcp:knowledge-server",
      type: "application/mcp-server-card+json",
      url: `${server.url}/mcp/server-card`,
    },
  ]);
  expect((await fetchCard("/.well-known/mcp/server-card.json")).status).toBe(200);
});

test("a request with a foreign Host header is refused", async () => {
  const { promise, resolve } = Promise.withResolvers<number | undefined>();
  get(`${server.url}/mcp/server-card`, { headers: { Host: "attacker.example" } }, (response) => {
    response.resume();
    resolve(response.statusCode);
  });
  expect(await promise).toBe(403);
});

test("the icon is sent in the handshake and not with every result", async () => {
  const client = modernClient(`${server.url}/mcp`, { token: TOKEN });
  for (const method of ["tools/list", "resources/list"]) {
    expect(JSON.stringify((await client.ask(method)).result?.["_meta"])).not.toContain("icons");
  }
  const listed = JSON.stringify((await client.ask("tools/list")).result?.["tools"]);
  expect(listed).not.toContain("icons");
  const templates = JSON.stringify((await client.ask("resources/templates/list")).result);
  expect(templates).toContain('"icons":[{"src":"data:image/svg+xml;base64,');
});
