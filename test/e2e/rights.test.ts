// Tokens with rights, on a real server: what a reader can reach on any route.
import { createHash } from "node:crypto";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { post } from "../support/clients.ts";
import { type Program, startHttpProgram } from "../support/process.ts";
import { tempFolder } from "../support/temp-folder.ts";

const READER = "a-reader-of-some-length";
const WRITER = "a-writer-of-some-length";
const ADMIN = "an-admin-of-some-length";
const NARROW = "a-narrow-of-some-length";
const SAMPLE = fileURLToPath(new URL("../../samples/azure-managed-grafana.txt", import.meta.url));
const as = (token: string) => ({ Authorization: `Bearer ${token}` });

let folder: string;
let server: Program & { url: string };

beforeAll(async () => {
  folder = tempFolder("rights");
  const known = (name: string, token: string, rights: string[]) => ({
    name,
    sha256: createHash("sha256").update(token).digest("hex"),
    rights,
  });
  const tokens = [
    known("reader", READER, ["read"]),
    known("writer", WRITER, ["read", "write"]),
    known("admin", ADMIN, ["read", "write", "admin"]),
    known("narrow", NARROW, ["read:inbox", "write:inbox", "admin:inbox"]),
  ];
  await writeFile(join(folder, "tokens.json"), JSON.stringify({ tokens }));
  const files = [
    "--token-file",
    join(folder, "tokens.json"),
    "--kb-file",
    SAMPLE,
    "--audit-file",
    join(folder, "audit"),
  ];
  server = await startHttpProgram({ args: files });
});
afterAll(async () => {
  await server?.stop();
  await rm(folder, { recursive: true, force: true });
});

const ask = async (token: string, method: string, params: object) =>
  (await (await post(server.url, { jsonrpc: "2.0", id: 1, method, params }, as(token))).json()) as {
    readonly result: Record<string, unknown>;
  };

const upload = (token: string, scope = "") =>
  fetch(`${server.url}/api/upload?filename=note.txt${scope}`, {
    method: "POST",
    headers: { ...as(token), "content-type": "application/octet-stream" },
    body: "A note about herons.",
  });

test("a reader is listed the tools that read, and denied every other", async () => {
  const listed = async (token: string) =>
    (await ask(token, "tools/list", {})).result as {
      tools: { name: string; annotations: { readOnlyHint: boolean } }[];
    };
  const { tools } = await listed(ADMIN);
  expect(tools.length).toBeGreaterThan(15);
  const reading = tools.filter(({ annotations }) => annotations.readOnlyHint);
  expect((await listed(READER)).tools).toEqual(reading);
  for (const { name, annotations } of tools) {
    const { result } = await ask(READER, "tools/call", { name, arguments: { confirm: true } });
    const denied = JSON.stringify(result["structuredContent"] ?? {}).includes("access_denied");
    expect(denied, name).toBe(!annotations.readOnlyHint);
  }
});

test("a writer is denied what destroys", async () => {
  const { result } = await ask(WRITER, "tools/call", {
    name: "knowledge-clear",
    arguments: { confirm: true },
  });
  expect(result).toMatchObject({ structuredContent: { error: "access_denied" } });
});

test("a writer can upload and a reader cannot; both attempts are audited without contents", async () => {
  expect((await upload(READER)).status).toBe(403);
  expect((await upload(WRITER)).status).toBe(200);
  const lines = (await readFile(join(folder, "audit"), "utf8")).trim().split("\n");
  const entries = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(entries).toContainEqual(
    expect.objectContaining({ who: "writer", did: "upload", outcome: "done" }),
  );
  expect(entries).toContainEqual(
    expect.objectContaining({ who: "reader", did: "knowledge-clear", outcome: "refused" }),
  );
  expect(lines.join("\n")).not.toContain("herons");
  const metrics = await fetch(`${server.url}/metrics`, { headers: as(READER) });
  expect(await metrics.text()).toContain("knowledge_audit_lines_lost 0\n");
});

test("only a writer looks at dropped rules and imports them", async () => {
  const drop = (token: string, write: boolean) =>
    fetch(`${server.url}/api/scopes/import`, {
      method: "POST",
      headers: { ...as(token), "content-type": "application/json" },
      body: JSON.stringify({
        files: [{ path: "AGENTS.md", text: "## Style\n\nTabs.\n" }],
        scope: "dropped",
        write,
      }),
    });
  expect((await drop(READER, false)).status).toBe(403);
  expect((await drop(READER, true)).status).toBe(403);
  expect(await (await drop(WRITER, false)).json()).toMatchObject({ applied: false });
  expect(await (await drop(WRITER, true)).json()).toMatchObject({
    applied: true,
    scopes: [{ id: "dropped", outcome: "added" }],
  });
});

test("the host's paths are shown to administrators alone", async () => {
  const response = await fetch(`${server.url}/api/host`, { headers: as(READER) });
  expect(await response.json()).toEqual({ command: "knowledge-server", args: [], env: {} });
});

test("the client configuration uses the same data, without the sample file", async () => {
  const response = await fetch(`${server.url}/api/host`, { headers: as(ADMIN) });
  const { args } = (await response.json()) as { readonly args: readonly string[] };
  expect(args).toContain("--data-dir");
  expect(args).not.toContain("--kb-file");
});

test("a reader sees usage counts", async () => {
  const response = await fetch(`${server.url}/api/usage`, { headers: as(READER) });
  expect(await response.json()).toMatchObject({ counting: true });
});

test("who has rights in one scope uploads to it, and learns nothing of the whole server", async () => {
  const scope = { scope_id: "inbox", tier: "PROJECT" };
  await ask(ADMIN, "tools/call", { name: "knowledge-scope-put", arguments: scope });
  const own = await upload(NARROW, "&scope=inbox");
  const { task_id } = (await own.json()) as { readonly task_id: string };
  const status = { name: "knowledge-task-status", arguments: { task_id } };
  const { result } = await ask(NARROW, "tools/call", status);
  expect(result["structuredContent"]).toMatchObject({ success: true, task_id });
  const [elsewhere, nowhere] = [await upload(NARROW), await upload(NARROW, "&scope=hidden")];
  expect([own.status, elsewhere.status, nowhere.status]).toEqual([200, 403, 404]);
  const get = (path: string) => fetch(`${server.url}${path}`, { headers: as(NARROW) });
  expect(await (await get("/api/usage")).json()).toEqual({ counting: false, days: [] });
  expect(await (await get("/api/host")).json()).toMatchObject({ args: [] });
  expect((await get("/metrics")).status).toBe(403);
});

test("the audit lines of a document name its scope", async () => {
  const call = (name: string, args: object) => ask(ADMIN, "tools/call", { name, arguments: args });
  await call("knowledge-scope-put", { scope_id: "shelf", tier: "PROJECT" });
  const text = { filename: "kestrel.txt", text: "A note about kestrels.", scope: "shelf" };
  const { result } = await call("knowledge-add-text", { ...text, async: false });
  const { document_id } = result["structuredContent"] as { readonly document_id: string };
  await call("knowledge-remove", { document_id, confirm: true });
  const lines = (await readFile(join(folder, "audit"), "utf8")).trim().split("\n");
  const done = lines
    .map((line) => JSON.parse(line) as { did: string; outcome: string; to: { scope?: string } })
    .filter(({ outcome, to }) => outcome === "done" && to.scope === "shelf");
  const adding = ["document-store", "knowledge-add-text"];
  expect(done.map(({ did }) => did)).toEqual([...adding, "knowledge-remove"]);
});

test("without a token only health and pages are served", async () => {
  for (const path of ["/mcp", "/metrics", "/api/host", "/api/usage", "/api/documents/x/original"]) {
    expect((await fetch(`${server.url}${path}`)).status, path).toBe(401);
  }
  expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
});
