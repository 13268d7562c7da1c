// Every way in which a caller can change something, refused in every way: by the token's rights and by --tools. Each
// refusal leaves exactly one audit line, and changes nothing. The list of tools is read from the server.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { post } from "../support/clients.ts";
import { httpServers, writeTokens } from "../support/http-servers.ts";
import { tempFolder } from "../support/temp-folder.ts";

const folder = tempFolder("refusals");
const servers = httpServers();
const RIGHTS = {
  reader: ["read"],
  administrator: ["admin"],
  everything: ["read", "write", "admin"],
};

interface Place {
  readonly url: string;
  readonly audit: string;
}

async function start(name: string, ...flags: readonly string[]): Promise<Place> {
  const audit = join(folder, `${name}.log`);
  const tokens = await writeTokens(RIGHTS);
  const { url } = await servers("--token-file", tokens, "--audit-file", audit, ...flags);
  return { url, audit };
}

/** Fits every tool: a refusal comes before the check of arguments. */
const ARGUMENTS = { filename: "note.md", text: "Herons.", document_id: "d", scope_id: "s" };

type Send = (url: string, token: string) => Promise<Response>;

const as = (token: string) => ({ Authorization: `Bearer ${token}` });
const ask =
  (method: string, params: object): Send =>
  (url, token) =>
    post(url, { jsonrpc: "2.0", id: 1, method, params }, as(token));
const send =
  (path: string, type: string, body: string): Send =>
  (url, token) =>
    fetch(`${url}${path}`, {
      method: "POST",
      headers: { ...as(token), "content-type": type },
      body,
    });

interface Way {
  readonly did: string;
  readonly send: Send;
  readonly isDestructive?: boolean;
  /** A server without tools that start tasks has no such method. */
  readonly needsTasks?: boolean;
}

const FILES = [{ path: "AGENTS.md", text: "## Style\n\nHerons.\n" }];
const OTHER_WAYS: readonly Way[] = [
  { did: "tools/cancel", send: ask("tools/cancel", { taskId: "t" }) },
  { did: "tools/cancel", send: ask("tasks/cancel", { taskId: "t" }), needsTasks: true },
  { did: "upload", send: send("/api/upload?filename=n.txt", "application/octet-stream", "Herons") },
  {
    did: "importDrop",
    send: send(
      "/api/scopes/import",
      "application/json",
      JSON.stringify({ files: FILES, scope: "dropped", write: true }),
    ),
  },
];

let ways: readonly Way[];
let whole: Place;
let reading: Place;

beforeAll(async () => {
  whole = await start("whole");
  reading = await start("reading", "--tools", "documents:read,scopes:read");
  const listed = await ask("tools/list", {})(whole.url, "everything");
  const { result } = (await listed.json()) as {
    result: {
      tools: readonly {
        name: string;
        annotations: { readOnlyHint: boolean; destructiveHint?: boolean };
      }[];
    };
  };
  const writing = result.tools.filter(({ annotations }) => !annotations.readOnlyHint);
  ways = [
    ...writing.map(({ name, annotations }) => ({
      did: name,
      send: ask("tools/call", { name, arguments: ARGUMENTS }),
      isDestructive: annotations.destructiveHint === true,
    })),
    ...OTHER_WAYS,
  ];
  expect(ways.length).toBeGreaterThan(10);
});

/** Without those of the server's own work. */
const linesOf = async ({ audit }: Place) =>
  (await readFile(audit, "utf8").catch(() => ""))
    .split("\n")
    .filter((line) => line !== "" && JSON.parse(line).who !== "server");

/** The lines that a call leaves. */
async function leave(place: Place, way: Way, token: string) {
  const before = (await linesOf(place)).length;
  const response = await way.send(place.url, token);
  const body = await response.text();
  const lines = (await linesOf(place)).slice(before);
  return { body, lines, entries: lines.map((line) => JSON.parse(line)) };
}

async function expectRefusal(place: Place, way: Way, token: string) {
  const { body, lines, entries } = await leave(place, way, token);
  const line = { who: token, did: way.did, outcome: "refused" };
  expect(entries, `${way.did}: ${body}`).toEqual([expect.objectContaining(line)]);
  expect(Object.keys(entries[0].to), way.did).not.toEqual([]);
  expect(lines.join()).not.toContain("Herons");
  expect(body).toMatch(/access_denied|This token lacks|unknown_tool/);
}

describe("a refused change leaves one line", () => {
  test("if the token may only read", async () => {
    for (const way of ways) await expectRefusal(whole, way, "reader");
  });

  test("if the token may neither read nor write", async () => {
    const writes = ways.filter(({ isDestructive }) => !isDestructive);
    expect(writes.length).toBeGreaterThan(5);
    for (const way of writes) await expectRefusal(whole, way, "administrator");
  });

  test("if the server offers only what reads, whatever the token's rights", async () => {
    const existing = ways.filter(({ needsTasks }) => !needsTasks);
    for (const way of existing) await expectRefusal(reading, way, "everything");
    for (const way of existing) await expectRefusal(reading, way, "reader");
  });
});

test("what reads leaves no line, and a preview of rules is refused like their import", async () => {
  const drop = JSON.stringify({ files: FILES, scope: "dropped", write: false });
  const preview = send("/api/scopes/import", "application/json", drop);
  for (const [place, token] of [
    [whole, "reader"],
    [reading, "everything"],
  ] as const) {
    const { body, lines } = await leave(place, { did: "", send: preview }, token);
    expect(body).toContain("access_denied");
    expect(lines).toEqual([]);
  }
  const unknown = ask("tools/call", { name: "no-such-tool", arguments: {} });
  expect((await leave(reading, { did: "", send: unknown }, "everything")).lines).toEqual([]);
});

test("a caller without a token reaches nothing that could be recorded", async () => {
  const { url } = whole;
  const before = await linesOf(whole);
  for (const { send: request } of ways) expect((await request(url, "")).status).toBe(401);
  expect(await linesOf(whole)).toEqual(before);
});

test("an allowed change has its name in both lines", async () => {
  const way = {
    did: "knowledge-add-text",
    send: ask("tools/call", { name: "knowledge-add-text", arguments: ARGUMENTS_OF_TEXT }),
  };
  const { entries } = await leave(whole, way, "everything");
  expect(entries.map(({ outcome, to }) => [outcome, to.file])).toEqual([
    ["started", "note.md"],
    ["done", "note.md"],
  ]);
});

const ARGUMENTS_OF_TEXT = { filename: "note.md", text: "Herons wade." };

test("a list of sources changes nothing, so it leaves no line", async () => {
  const before = await linesOf(whole);
  const list = ask("tools/call", { name: "knowledge-sources", arguments: { action: "list" } });
  expect(await (await list(whole.url, "everything")).json()).toMatchObject({
    result: { structuredContent: { success: true, sources: [] } },
  });
  expect(await linesOf(whole)).toEqual(before);
});
