// The console's routes on a real HTTP server, with a folder of pages and a small knowledge base of one file.
import { rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { testAccess } from "../../test/support/access-control.ts";
import { someOperations } from "../../test/support/operations.ts";
import { openTestBodies } from "../../test/support/request-body.ts";
import { silentLog } from "../../test/support/silent-log.ts";
import { tempFolder } from "../../test/support/temp-folder.ts";
import { OWNER } from "../domain/call/principal.ts";
import { parseTarget } from "../domain/call/request-target.ts";
import { KnowledgeError } from "../domain/errors.ts";
import { openConsole } from "./console.ts";

const PAGE = "<script>alert(1)</script>";
const NOBODY = { name: "nobody", rights: new Set<never>() };
let folder: string;
let server: Server;
let home: string;

beforeAll(async () => {
  folder = tempFolder("console");
  await writeFile(join(folder, "index.html"), '<html lang="en"><title>console</title>');
  const pages = openConsole({
    assetsUrl: pathToFileURL(`${folder}/`),
    toolbox: {
      refusal: testAccess().refusal,
      operationsFor: () => operations,
    },
    launch: { command: "node", args: [], env: {} },
    clients: { list: () => [] },
    usage: { days: () => [{ day: "2026-01-31", searches: 2, answers: 1, nothing: 1 }] },
    view: () => undefined,
    log: silentLog(),
  });
  const nothing = { scopes: [], rules: [], sources: [], refused: [], fatal: [], notes: [] };
  const report = { ...nothing, notInSources: 0, removed: 0 };
  const operations = someOperations({
    previewDrop: async () => ({ ...report, applied: false }),
    importDrop: async () => ({ ...report, applied: true }),
    upload: async ({ filename }) => ({
      success: true,
      task_id: filename,
      message: "Document queued for processing",
      estimated_time_seconds: 1,
    }),
    original: async (id) => {
      if (id !== "known") throw new KnowledgeError("DOCUMENT_NOT_FOUND", "No such document.");
      const body = Readable.from([PAGE]);
      return { filename: "页 1.html", sizeBytes: PAGE.length, body, release: async () => {} };
    },
  });
  const bodyOf = openTestBodies();
  server = createServer((request, response) => {
    const target = parseTarget(request.url ?? "");
    if (!target) response.writeHead(400).end();
    else if (!target.path.startsWith("/api/")) {
      void pages.sendPage({ request, response, path: target.path });
    } else {
      const principal = request.headers["x-caller"] === "nobody" ? NOBODY : OWNER;
      const call = { request, response, principal };
      void pages.handle({ ...call, target, body: bodyOf(call) });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  home = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server.close();
  await rm(folder, { recursive: true });
});

test("pages load nothing from other hosts and cannot be framed", async () => {
  const { headers } = await fetch(`${home}/`);
  const policy = headers.get("content-security-policy") ?? "";
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("script-src 'self'");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).not.toContain("unsafe");
  expect(headers.get("x-content-type-options")).toBe("nosniff");
});

test("an uploaded page is served as a download, never as a page", async () => {
  const response = await fetch(`${home}/api/documents/known/original`);
  expect(await response.text()).toBe(PAGE);
  expect(response.headers.get("content-type")).toBe("application/octet-stream");
  expect(response.headers.get("content-disposition")).toMatch(/^attachment; filename\*=UTF-8''/);
});

test("an upload that a form on another site could have sent is refused", async () => {
  const send = (type: string) =>
    fetch(`${home}/api/upload?filename=a.txt`, {
      method: "POST",
      headers: { "content-type": type },
      body: "text",
    });
  expect((await send("text/plain")).status).toBe(415);
  expect((await send("application/octet-stream")).status).toBe(200);
});

test("what does not exist is reported with its status", async () => {
  expect((await fetch(`${home}/api/documents/other/original`)).status).toBe(404);
  expect((await fetch(`${home}/api/nothing`)).status).toBe(404);
  expect((await fetch(`${home}/assets/../../package.json`)).status).toBe(404);
});

test("dropped rules are previewed or written, and only as valid JSON", async () => {
  const drop = (body: string, type = "application/json") =>
    fetch(`${home}/api/scopes/import`, {
      method: "POST",
      headers: { "content-type": type },
      body,
    });
  const files = [{ path: "AGENTS.md", text: "x" }];
  const seen = await drop(JSON.stringify({ files, write: false }));
  expect(await seen.json()).toMatchObject({ applied: false });
  const written = await drop(JSON.stringify({ files, write: true }));
  expect(await written.json()).toMatchObject({ applied: true });
  expect((await drop("{}", "text/plain")).status).toBe(415);
  expect((await drop("{")).status).toBe(400);
  expect((await drop(JSON.stringify({ files: [], write: true }))).status).toBe(400);
});

test("usage counts need the right to read", async () => {
  const response = await fetch(`${home}/api/usage`);
  expect(await response.json()).toEqual({
    counting: true,
    days: [{ day: "2026-01-31", searches: 2, answers: 1, nothing: 1 }],
  });
  const nobody = await fetch(`${home}/api/usage`, { headers: { "x-caller": "nobody" } });
  expect(nobody.status).toBe(403);
});
