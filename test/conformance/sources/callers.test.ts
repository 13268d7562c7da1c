// What callers may follow: public pages if the server fetches any, and folders that it may read; in their scopes only.
import { mkdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Grant, toHolder } from "../../../src/domain/call/grants.ts";
import { OWNER, type Principal } from "../../../src/domain/call/principal.ts";
import type { SourceSettings } from "../../../src/domain/source.ts";
import { openTestApp, type TestApp } from "../../support/app.ts";
import { callContext } from "../../support/call-context.ts";
import { eventually } from "../../support/eventually.ts";
import { tempFolder } from "../../support/temp-folder.ts";
import { tempIngest } from "../../support/temp-ingest.ts";

let at: TestApp;
let folder: string;

beforeEach(async () => {
  at = await openTestApp({ flags: { "allow-urls": true } });
  await at.app.startWork();
  folder = join(at.folder, "handbook");
  await mkdir(folder);
  await writeFile(join(folder, "note.md"), "# Herons\n\nHerons stand in the shallows.");
  for (const scope_id of ["ours", "theirs"])
    await run("knowledge-scope-put", { scope_id, tier: "PROJECT" });
});
afterEach(() => at.close());

const grant = (right: Grant["right"], scope: string) => ({ right, scope, isDeep: false });
const here: Principal = {
  name: "here",
  ...toHolder([grant("read", "ours"), grant("write", "ours")]),
};
const reader: Principal = { name: "reader", ...toHolder([grant("read", "ours")]) };

async function run(name: string, args: object, principal: Principal = OWNER) {
  const tool = at.app.tool(name);
  if (!tool) throw new Error(name);
  const { payload } = await at.app.run(tool, args, callContext({ principal }));
  return payload as Record<string, unknown>;
}

const call = (args: object, principal?: Principal) => run("knowledge-sources", args, principal);

const listed = async (principal?: Principal) =>
  (await call({ action: "list" }, principal))["sources"] as Record<string, unknown>[];

describe("a source", () => {
  test("is added, listed, synced, paused, resumed and removed by one tool; its documents stay", async () => {
    const [source] = (await call({ action: "add", address: folder, every: "6h" }))["sources"] as [
      Record<string, string>,
    ];
    expect(source).toMatchObject({ kind: "folder", address: folder, every: "6h" });
    const { source_id, task_id } = source;
    await eventually(async () => {
      const status = await run("knowledge-task-status", { task_id });
      expect(status).toMatchObject({ status: "completed" });
    });
    expect(await listed()).toMatchObject([
      { source_id, items: 1, failed: 0, state: "idle", last_sync: expect.any(String) },
    ]);
    await call({ action: "pause", source_id });
    expect(await listed()).toMatchObject([{ state: "paused" }]);
    await call({ action: "resume", source_id });
    expect((await call({ action: "sync", source_id }))["success"]).toBe(true);
    expect(await call({ action: "remove", source_id })).toEqual({ success: true, sources: [] });
    expect(await listed()).toEqual([]);
    expect((await run("knowledge-show", {}))["total_count"]).toBe(1);
  });

  test("with a file that cannot be read says which and why, also after nothing changed", async () => {
    await writeFile(join(folder, "broken.pdf"), "no PDF");
    const { id } = await at.app.operations.addSource({ address: folder, settings: {} });
    const watch = { signal: new AbortController().signal, onProgress: () => {} };
    for (let sync = 0; sync < 2; sync += 1) await at.app.operations.syncSource({ id }, watch);
    const reason = { code: "otherContent", values: ["pdf", "PDF"] };
    const message = expect.stringContaining("PDF");
    const failures = [{ item: "broken.pdf", error: "corrupt_file", message, reason }];
    expect(await listed()).toMatchObject([{ items: 2, failed: 1, failures }]);
    expect(await at.app.operations.sourceFailures(id)).toEqual(failures);
  });

  test("is seen by those who read its scope, and changed by those who write there", async () => {
    const added = await call({ action: "add", address: folder, scope: "ours" }, here);
    const [{ source_id } = {}] = added["sources"] as Record<string, unknown>[];
    await call({ action: "add", address: folder, scope: "theirs" });
    expect(await listed(here)).toMatchObject([{ source_id, scope: "ours" }]);
    expect(await listed()).toHaveLength(2);
    const other = (await listed()).find(({ scope }) => scope === "theirs")?.["source_id"];
    const operations = at.app.operationsFor(reader);
    expect(await operations.sources()).toMatchObject([{ mayChange: false, mayRemove: false }]);
    expect(await at.app.operationsFor(here).sources()).toMatchObject([
      { mayChange: true, mayRemove: false },
    ]);
    const refusals = [
      [{ action: "list" }, reader, "access_denied"],
      [{ action: "sync", source_id }, reader, "access_denied"],
      [{ action: "sync", source_id: other }, here, "resource_not_found"],
      [{ action: "remove", source_id }, here, "access_denied"],
      [{ action: "add", address: folder, scope: "theirs" }, here, "scope_not_found"],
      [{ action: "add", address: folder }, here, "access_denied"],
    ] as const;
    for (const [args, who, error] of refusals)
      expect([args, (await call(args, who))["error"]]).toEqual([args, error]);
  });
});

describe("callers cannot follow", () => {
  test.each([
    ["a folder outside the allowed ones", tmpdir()],
    ["the server's own folder", "data"],
    ["a repository over the server's SSH keys", "git@github.com:you/private"],
    ["an address that is none", "nonsense"],
    ["a page inside the network", "http://127.0.0.1/guide/"],
  ])("%s", async (_what, given) => {
    const address = given === "data" ? join(at.folder, "data") : given;
    const outcome = await call({ action: "add", address });
    if (outcome["success"]) {
      const problem = expect.stringContaining("private network");
      await eventually(async () => expect(await listed()).toMatchObject([{ problem, items: 0 }]));
    } else expect(outcome["error"]).toMatch(/access_denied|invalid_parameter/);
    expect((await run("knowledge-show", {}))["total_count"]).toBe(0);
  });

  test("a path outside the allowed folders, and learn nothing of what is there", async () => {
    const outside = tempFolder("outside");
    await mkdir(join(outside, "repository", ".git"), { recursive: true });
    await mkdir(join(outside, "vault", ".obsidian"), { recursive: true });
    await mkdir(join(outside, "folder"));
    for (const name of ["export.zip", "note.md", "mail.mbox"])
      await writeFile(join(outside, name), "x");
    const names = ["repository", "vault", "folder", "export.zip", "note.md", "mail.mbox"];
    const missing = ["none", "none.zip", "none.mbox", "none.git", "folder/none"];
    const said = new Set<unknown>();
    for (const name of [...names, ...missing]) {
      const { error, message } = await call({ action: "add", address: join(outside, name) });
      said.add(`${error} ${message}`);
    }
    expect([...said]).toEqual([expect.stringMatching(/^access_denied .*outside/)]);
    await rm(outside, { recursive: true });
  });

  test("a private host, whatever they pass; a person at the machine allows it, and they cannot add others", async () => {
    const address = "http://intranet.test:9000/guide/";
    const asCaller = (allowHosts: readonly string[]) =>
      at.app.operationsFor(OWNER).addSource({ address, settings: { allowHosts } });
    const others = ["intranet.test:9000", "169.254.169.254"];
    expect((await asCaller(others)).settings.allowHosts).toBeUndefined();
    const allowHosts = ["intranet.test:9000"];
    await at.app.operations.addSource({ address, settings: { allowHosts } }, "anywhere");
    expect((await asCaller(others)).settings.allowHosts).toEqual(allowHosts);
  });

  test.each([
    ["what a person left out", { exclude: ["plans/"] }, { include: ["plans/"] }],
    ["more than a person chose", { include: ["news/"] }, { include: ["*"] }],
    ["what a person left out, below another folder", { exclude: ["plans/"] }, { exclude: [] }],
    ["deeper than a person chose", { depth: 1 }, { depth: 9 }],
    ["more pages than a person chose", { maxItems: 2 }, { maxItems: 9 }],
    ["a part of the site that a person did not choose", { prefix: "/news/" }, { prefix: "/" }],
    ["under other metadata", { metadata: { team: "a" } }, { metadata: { team: "b" } }],
  ])("%s of a source", async (_what, chosen, wanted) => {
    const folders = ["news", "plans"].map((name) => join(folder, name));
    for (const each of folders) {
      await mkdir(each);
      await writeFile(join(each, "a.md"), `# ${each}`);
    }
    const given = { address: folder, settings: { ...chosen, everySeconds: 3_600 } };
    const { id, settings } = await at.app.operations.addSource(given, "anywhere");
    const caller = at.app.operationsFor(OWNER);
    await expect(
      caller.addSource({ address: folder, settings: wanted as SourceSettings }),
    ).rejects.toMatchObject({ code: "ACCESS_DENIED" });
    // Following it again changes nothing, and another interval that alone.
    expect((await call({ action: "add", address: folder }))["success"]).toBe(true);
    expect(await caller.sources()).toMatchObject([{ id, settings }]);
    await call({ action: "add", address: folder, every: "2h" });
    expect(await caller.sources()).toMatchObject([
      { id, settings: { ...settings, everySeconds: 7_200 } },
    ]);
  });

  test.each([
    ["another path", { address: "/elsewhere" }],
    ["another kind", { kind: "git" }],
    ["another branch", { settings: { anywhere: true, ref: "main" } }],
    ["another scope", { settings: { anywhere: true, scope: "theirs" } }],
  ] as const)(
    "with the rights of a person's source that has the same id and %s",
    async (_, other) => {
      const temp = await tempIngest();
      try {
        const given = { kind: "folder", address: temp.root, settings: { scope: "ours" } } as const;
        const { sources } = temp.ingest;
        const wanted = await sources.put(given);
        await sources.remove(wanted);
        const theirs = { ...given, settings: { anywhere: true, scope: "ours" }, ...other } as const;
        await temp.store.sources.put(wanted, theirs);
        const id = await sources.put(given);
        expect(id).not.toBe(wanted);
        expect(await sources.put(given)).toBe(id);
        expect(await sources.list()).toMatchObject([
          { id: wanted, ...theirs },
          { id, ...given },
        ]);
        // Also once its own id is free.
        await sources.remove(wanted);
        expect(await sources.put(given)).toBe(id);
        expect((await sources.list())[0]?.settings.anywhere).toBeUndefined();
      } finally {
        await temp.dispose();
      }
    },
  );

  test("pages, if the server fetches none", async () => {
    await at.close();
    at = await openTestApp();
    const outcome = await call({ action: "add", address: "https://example.com/guide/" });
    expect(outcome).toMatchObject({ success: false, error: "access_denied" });
  });
});
