// Exports of other tools, made to the formats that the tools publish, as sources.
import { execFile } from "node:child_process";
import { mkdir, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { deflateRawSync, gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { readInternalMetadata, visibleMetadata } from "../../../src/domain/internal-metadata.ts";
import { toEnglish } from "../../../src/domain/phrases/messages.ts";
import type { SourceSettings } from "../../../src/domain/source.ts";
import { slack } from "../../../src/ingest/sources/export/slack.ts";
import { makeZip, type ZipParts } from "../../support/files/zip.ts";
import { type TempIngest, tempIngest } from "../../support/temp-ingest.ts";

const NEVER = new AbortController().signal;
const run = promisify(execFile);
const FIRST = { limit: 100, offset: 0, sortBy: "filename", sortOrder: "asc" } as const;

let at: TempIngest;
beforeEach(async () => {
  at = await tempIngest();
});
afterEach(() => at.dispose());

async function put(name: string, content: string | Buffer): Promise<string> {
  const path = join(at.root, name);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, content);
  return path;
}

async function putFolder(name: string, files: ZipParts): Promise<string> {
  for (const [path, content] of Object.entries(files)) await put(join(name, path), content);
  return join(at.root, name);
}

async function sync(address: string, settings: SourceSettings = {}) {
  const id = await at.ingest.sources.put({ address, settings });
  const task = await at.ingest.sources.sync(id, NEVER);
  const { failure } = await at.ingest.finish(task.id, { signal: NEVER });
  const source = (await at.ingest.sources.list()).find((each) => each.id === id);
  return { kind: source?.kind, failure, run: source?.lastRun };
}

interface Shown {
  readonly id: string;
  readonly filename: string;
  readonly path: string | undefined;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly modified: string | undefined;
  readonly text: string;
}

async function documents(): Promise<readonly Shown[]> {
  const { documents: found } = await at.store.documents.list(FIRST);
  return Promise.all(
    found.map(async ({ id, filename, sourcePath: path, metadata, contentHash }) => {
      const original = await at.store.originals.open(contentHash);
      const text = await readFile(original.path, "utf8");
      await original.release();
      const { modified } = readInternalMetadata(metadata);
      return { id, filename, path, metadata: visibleMetadata(metadata), modified, text };
    }),
  );
}

/** Adds the first files, syncs again without a change, then with the changed files. */
async function threeTimes(
  first: ZipParts,
  changed: ZipParts,
  write = (files: ZipParts) => put("export.zip", makeZip(files)),
) {
  const added = await sync(await write(first));
  const before = await documents();
  const again = await sync(await write(first));
  expect(await documents()).toEqual(before);
  const { found } = added.run ?? {};
  expect(again.run).toMatchObject({ added: 0, removed: 0, failed: 0, unchanged: found });
  const then = await sync(await write(changed));
  return { added, before, then, after: await documents() };
}

const SLACK = {
  "users.json": JSON.stringify([
    { id: "U1", team_id: "T9", name: "ana", profile: { real_name: "Ana Silva" } },
    { id: "U2", team_id: "T9", name: "bo", real_name: "Bo" },
  ]),
  "channels.json": JSON.stringify([{ id: "C1", name: "general", members: ["U1", "U2"] }]),
  "dms.json": JSON.stringify([{ id: "D1", members: ["U1", "U2"] }]),
  "general/2026-03-14.json": JSON.stringify([
    { type: "message", subtype: "channel_join", user: "U2", text: "joined", ts: "1773478000.0001" },
    {
      ...{ type: "message", user: "U1", ts: "1773479520.000100", thread_ts: "1773479520.000100" },
      text: "Hi <@U2>, see <https://x.example/a|the plan> &amp; <#C1|general>",
    },
    { type: "message", user: "U2", text: "unrelated", ts: "1773479900.000200" },
  ]),
  "general/2026-03-15.json": JSON.stringify([
    {
      ...{ type: "message", user: "U2", ts: "1773566000.000100", thread_ts: "1773479520.000100" },
      text: "done\nboth lines",
      files: [{ name: "plan.pdf", title: "Plan" }],
    },
    { type: "message", user: "U2", text: "next day", ts: "1773567000.000100" },
  ]),
  "D1/2026-03-14.json": JSON.stringify([
    { type: "message", user: "U1", text: "psst", ts: "1773479530.000100" },
  ]),
};

describe("Slack", () => {
  test("a channel's day with its threads is a document; a late reply changes that day alone", async () => {
    const reply = { type: "message", user: "U1", text: "thanks", thread_ts: "1773479520.000100" };
    const changed = {
      ...SLACK,
      "general/2026-03-20.json": JSON.stringify([{ ...reply, ts: "1774000000.000100" }]),
    };
    const { added, before, then, after } = await threeTimes(SLACK, changed);
    expect(added.run).toMatchObject({ found: 3, added: 3, failed: 0 });
    expect(before.map(({ filename }) => filename).sort()).toEqual([
      "#general 2026-03-14.md",
      "#general 2026-03-15.md",
      "Ana Silva, Bo 2026-03-14.md",
    ]);
    const day = before.find(({ path }) => path === "slack:T9/C1/2026-03-14");
    expect(day?.text).toBe(`# #general, 2026-03-14

**Ana Silva**, 2026-03-14 09:12: Hi @Bo, see [the plan](https://x.example/a) & #general

- **Bo**, 2026-03-15 09:13: done
  both lines
  
  (file: Plan)

**Bo**, 2026-03-14 09:18: unrelated
`);
    expect(day?.metadata).toEqual({
      ...{ tool: "Slack", channel: "#general", date: "2026-03-14" },
      authors: ["Ana Silva", "Bo"],
    });
    expect(day?.modified).toBe("2026-03-15T09:13:20.000Z");
    expect(then.run).toMatchObject({ added: 1, unchanged: 2, removed: 0 });
    const changedDay = after.find(({ path }) => path === "slack:T9/C1/2026-03-14");
    expect([changedDay?.id, changedDay?.text.includes("thanks")]).toEqual([day?.id, true]);
  });

  test("an export of later days only removes nothing, also from another file", async () => {
    await sync(await put("all.zip", makeZip(SLACK)));
    const { "general/2026-03-14.json": _, "D1/2026-03-14.json": __, ...later } = SLACK;
    const { run } = await sync(await put("later.zip", makeZip(later)));
    expect(run).toMatchObject({ removed: 0, failed: 0 });
    expect(await documents()).toHaveLength(3);
    await sync(await put("all.zip", makeZip(later)));
    expect(await documents()).toHaveLength(3);
  });
});

function chatGpt(id: string, title: string, said: readonly string[]) {
  const nodes = said.map((each, at) => [
    `n${at}`,
    {
      id: `n${at}`,
      parent: at === 0 ? "root" : `n${at - 1}`,
      children: [],
      message: {
        author: { role: at % 2 === 0 ? "user" : "assistant" },
        create_time: 1773479520 + at * 60,
        content: { content_type: "text", parts: [each] },
        metadata: { model_slug: "gpt-x" },
      },
    },
  ]);
  const other = { role: "assistant" };
  return {
    ...{ id, conversation_id: id, title, create_time: 1773479520, update_time: 1773480000 },
    current_node: `n${said.length - 1}`,
    mapping: {
      root: { id: "root", parent: null, children: ["n0"], message: null },
      ...Object.fromEntries(nodes),
      rejected: {
        ...{ id: "rejected", parent: "n0", children: [] },
        message: { author: other, content: { parts: ["an answer that was replaced"] } },
      },
      secret: {
        ...{ id: "secret", parent: "n0", children: [] },
        message: { author: { role: "system" }, content: { parts: ["be nice"] } },
      },
    },
  };
}

describe("ChatGPT and Claude", () => {
  test("a conversation is a document, as it was shown; the next export changes what has changed", async () => {
    const one = chatGpt("c-1", "Harbour", ["Where is it?", "In the south."]);
    const two = chatGpt("c-2", 'Plans [{\\"', ['a [b] {c} \\" d', "ok"]);
    const write = (all: readonly unknown[]) => ({ "conversations.json": JSON.stringify(all) });
    const longer = chatGpt("c-1", "Harbour", ["Where is it?", "In the south.", "Thanks"]);
    const { before, then, after } = await threeTimes(write([one, two]), write([longer]));
    expect(before[0]?.text).toBe(
      "# Harbour\n\n## User, 2026-03-14 09:12\n\nWhere is it?\n\n## ChatGPT, 2026-03-14 09:13\n\nIn the south.\n",
    );
    expect(before[0]).toMatchObject({ path: "chatgpt:c-1", filename: "Harbour.md" });
    expect(before[0]?.metadata).toEqual({
      ...{ tool: "ChatGPT", models: ["gpt-x"], date: "2026-03-14", authors: ["User", "ChatGPT"] },
    });
    expect(before[0]?.modified).toBe("2026-03-14T09:20:00.000Z");
    expect(then.run).toMatchObject({ added: 1, removed: 1 });
    expect(after.map(({ id }) => id)).toEqual([before[0]?.id]);
    expect(after[0]?.text).toContain("Thanks");
  });

  test("Claude: attachments and projects too", async () => {
    const conversations = [
      {
        ...{ uuid: "u-1", name: "", created_at: "2026-03-14T09:12:00Z" },
        updated_at: "2026-03-14T10:00:00Z",
        chat_messages: [
          {
            ...{ uuid: "m1", sender: "human", text: "old", created_at: "2026-03-14T09:12:00Z" },
            content: [{ type: "text", text: "Read this" }],
            attachments: [{ file_name: "a.txt", extracted_content: "inside" }],
          },
          {
            ...{ uuid: "m2", sender: "assistant", text: "plain text" },
            content: [{ type: "tool_use", name: "x" }],
          },
        ],
      },
      { uuid: "u-2", name: "empty", chat_messages: [] },
    ];
    const projects = [
      { uuid: "p-1", name: "Launch", docs: [{ uuid: "d", filename: "goals.md", content: "win" }] },
    ];
    const files = {
      "conversations.json": JSON.stringify(conversations),
      "projects.json": JSON.stringify(projects),
    };
    expect((await sync(await putFolder("claude", files))).run).toMatchObject({ added: 2 });
    const [chat, project] = await documents();
    expect(chat?.filename).toBe("Conversation of 2026-03-14.md");
    expect(chat?.text).toContain("Read this\n\nAttachment a.txt:\n\ninside");
    expect(chat?.text).toContain("## Claude\n\nplain text");
    expect(project).toMatchObject({ filename: "Launch.md", path: "claude:p-1" });
    expect(project?.text).toContain("## goals.md\n\nwin");
  });

  test.each([
    ["is cut off", '[{"a": [1, 2', "cut off"],
    ["has brackets that do not match", "[1]]", "brackets"],
    ["is no JSON", '[{"a": nothing}]', "not JSON"],
  ])("a file that %s is refused, and removes nothing", async (_, text, said) => {
    const chat = JSON.stringify([chatGpt("c-1", "Harbour", ["a", "b"])]);
    const path = await put("conversations.json", chat);
    await sync(path);
    await put("conversations.json", text);
    expect((await sync(path)).failure?.message).toContain(said);
    expect(await documents()).toHaveLength(1);
  });

  test("names of what every object inherits are data", async () => {
    const chat = chatGpt("__proto__", "constructor", ["a", "b"]);
    const text = JSON.stringify([chat]).replace('"secret":', '"__proto__":');
    await sync(await put("conversations.json", text));
    expect((await documents())[0]).toMatchObject({ filename: "constructor.md" });
    expect(({} as Record<string, unknown>)["message"]).toBeUndefined();
  });
});

describe("Notion", () => {
  const ID = "0123456789abcdef0123456789abcdef";
  const TABLE = "fedcba9876543210fedcba9876543210";
  const PAGES = {
    [`Handbook ${ID}.md`]: "# Handbook\n\nWelcome.\n",
    [`Handbook ${ID}/Tasks ${TABLE}.csv`]: "Name\nOne\n",
    [`Handbook ${ID}/Tasks ${TABLE}_all.csv`]: "Name\nOne\nTwo\n",
    [`Handbook ${ID}/Tasks ${TABLE}/One 11111111111111111111111111111111.md`]:
      "# One\n\nTags: red, blue\nCreated by: Ana\nLast edited time: March 3, 2026 10:12 AM\n\nText: of it.\n",
    [`Handbook ${ID}/photo.bin`]: "x",
  };

  test("pages keep their ids, places and properties, also from archives inside the archive", async () => {
    const wrapped = (files: ZipParts) =>
      put("export.zip", makeZip({ "Export-1-Part-1.zip": makeZip(files) }));
    const changed = { ...PAGES, [`Renamed ${ID}.md`]: "# Renamed\n\nWelcome again.\n" };
    const { [`Handbook ${ID}.md`]: _, ...renamed } = changed;
    const { before, then, after } = await threeTimes(PAGES, renamed, wrapped);
    expect(before.map(({ filename, path }) => [filename, path])).toEqual([
      ["Handbook.md", `notion:${ID}`],
      ["One.md", "notion:11111111111111111111111111111111"],
      ["Tasks.csv", `notion:${TABLE}_all`],
    ]);
    expect(before[1]?.metadata).toEqual({
      ...{ tool: "Notion", path: "Handbook/Tasks", Tags: "red, blue", "Created by": "Ana" },
      "Last edited time": "March 3, 2026 10:12 AM",
    });
    expect(before[1]?.modified).toContain("2026-03-03T");
    expect(then.run).toMatchObject({ added: 1, unchanged: 2, removed: 0 });
    expect(after.find(({ path }) => path === `notion:${ID}`)?.id).toBe(before[0]?.id);
    const left = await readdir(join(at.temp.dataDir, "sources")).catch(() => []);
    expect(left).toEqual([]);
  });

  test("a page that is gone is removed; an archive that is broken removes nothing", async () => {
    await sync(await put("export.zip", makeZip(PAGES)));
    const { [`Handbook ${ID}.md`]: _, ...rest } = PAGES;
    const { run } = await sync(await put("export.zip", makeZip(rest)));
    expect(run).toMatchObject({ removed: 1 });
    const { failure } = await sync(await put("export.zip", makeZip(rest).subarray(0, 200)));
    expect(failure?.error).toBe("corrupt_file");
    expect(await documents()).toHaveLength(2);
  });
});

describe("Confluence", () => {
  const page = (title: string, body: string) => `<!DOCTYPE html><html><head>
    <title>DOCS : ${title}</title><link rel="stylesheet" href="styles/site.css" type="text/css" /></head>
    <body class="theme-default aui-theme-default"><div id="page"><div id="main" class="aui-page-panel">
    <div id="main-header"><div id="breadcrumb-section"><ol id="breadcrumbs">
    <li class="first"><span><a href="index.html">Our &amp; Docs</a></span></li>
    <li><span><a href="Home_98310.html">Home</a></span></li></ol></div></div>
    <div id="content" class="view"><div class="page-metadata">
    Created by <span class='author'> Ana Silva</span>, last modified by <span class='editor'> Bo</span> on Mar 03, 2026
    </div><div id="main-content" class="wiki-content group"><p>${body}</p></div></div></div></body></html>`;

  test("pages and attachments, with space, authors, place and date", async () => {
    const files = {
      "DOCS/index.html": "<html>index</html>",
      "DOCS/styles/site.css": "x",
      "DOCS/images/icons/x.png": "x",
      "DOCS/Release-Notes_123456.html": page("Release Notes", "one"),
      "DOCS/98310.html": page("日本語", "two"),
      "DOCS/attachments/123456/98765.txt": "attached",
    };
    const changed = {
      ...files,
      "DOCS/Release-Notes-2_123456.html": page("Release Notes 2", "one, changed"),
    };
    const { "DOCS/Release-Notes_123456.html": _, ...renamed } = changed;
    const { before, then, after } = await threeTimes(files, renamed);
    expect(before.map(({ filename, path }) => [filename, path]).sort()).toEqual([
      ["98765.txt", "confluence:attachment/123456/98765.txt"],
      ["Release Notes.html", "confluence:123456"],
      ["日本語.html", "confluence:98310"],
    ]);
    const notes = before.find(({ path }) => path === "confluence:123456");
    expect(notes?.metadata).toEqual({
      ...{ tool: "Confluence", space: "DOCS", path: "Our & Docs/Home" },
      ...{ author: "Ana Silva", editor: "Bo" },
    });
    expect(notes?.modified?.slice(0, 7)).toBe("2026-03");
    expect(then.run).toMatchObject({ added: 1, unchanged: 2, removed: 0 });
    expect(after.find(({ path }) => path === "confluence:123456")?.id).toBe(notes?.id);
  });
});

describe("Obsidian", () => {
  test("notes with tags and links; hidden files, code and secrets are left out", async () => {
    const vault = {
      ".obsidian/app.json": "{}",
      ".trash/old.md": "old",
      "Daily/2026-03-14.md":
        '---\ntags: [work, "two words"]\n---\n# Day\n\nMet [[People/Ana|Ana]] and [[Plan#Goals]] #harbour/south #1\n\n```\n#include [[not]]\n```\n',
      "People/Ana.md": "---\ntags:\n  - person\n---\nA colleague.",
      id_rsa: "secret",
    };
    const changed = { ...vault, "People/Ana.md": "A friend." };
    const write = async (files: ZipParts) => {
      await rm(join(at.root, "vault"), { recursive: true, force: true });
      return putFolder("vault", files);
    };
    const added = await sync(await write(vault));
    expect(added).toMatchObject({ kind: "export", run: { found: 2, added: 2, failed: 0 } });
    const [day, ana] = await documents();
    expect(day?.metadata).toEqual({
      tags: ["work", "two", "words", "harbour/south"],
      links: ["People/Ana", "Plan"],
    });
    expect(ana).toMatchObject({
      path: "obsidian:vault/People/Ana.md",
      metadata: { tags: ["person"] },
    });
    await write(changed);
    const { run } = await sync(join(at.root, "vault"));
    expect(run).toMatchObject({ removed: 0, failed: 0, added: 1 });
    await rm(join(at.root, "vault", "People", "Ana.md"));
    expect((await sync(join(at.root, "vault"))).run).toMatchObject({ removed: 1, unchanged: 1 });
  });
});

describe("mail", () => {
  const mail = (id: string, subject: string, more = "") =>
    `From 123@xxx Sat Mar 14 09:12:00 +0000 2026\nX-GM-THRID: 1\n${more}Message-ID: <${id}@x>\nFrom: =?utf-8?q?An=C3=A4?= <ana@x>\nDate: Sat, 14 Mar 2026 09:12:00 +0000\nSubject: ${subject}\n\nText of ${subject}.\n\n`;

  test("Takeout: each mail with its thread and labels, without spam", async () => {
    const box = [
      mail("1", "Hello", "X-Gmail-Labels: Inbox,=?utf-8?q?B=C3=BCro?=\n"),
      mail("2", "Re: Hello", "In-Reply-To: <1@x>\nReferences: <1@x>\n"),
      mail("3", "Win now", "X-Gmail-Labels: Spam\n"),
    ];
    const name = "Takeout/Mail/All mail Including Spam and Trash.mbox";
    const { before, then } = await threeTimes(
      { [name]: box.join("") },
      { [name]: [...box, mail("4", "New")].join("") },
    );
    expect(before.map(({ filename, path }) => [filename, path])).toEqual([
      ["2026-03-14 Hello.eml", "mail:1@x"],
      ["2026-03-14 Re Hello.eml", "mail:2@x"],
    ]);
    expect(before[0]?.metadata).toEqual({
      ...{ tool: "mail", authors: ["Anä <ana@x>"], thread: "1@x", labels: ["Inbox", "Büro"] },
    });
    expect(before[1]).toMatchObject({
      ...{ modified: "2026-03-14T09:12:00.000Z", metadata: { thread: "1@x" } },
    });
    expect(then.run).toMatchObject({ added: 1, removed: 0 });
    const { run } = await sync(await put("other.mbox", mail("1", "Hello")));
    expect(run).toMatchObject({ failed: 0, removed: 0 });
    expect(await documents()).toHaveLength(3);
  });

  test.each(["gnu", "pax", "ustar"])("Takeout as .tgz, of tar's format %s", async (format) => {
    const long = `Takeout/${"Mail, ".repeat(format === "ustar" ? 10 : 30)}`;
    await mkdir(join(at.root, long), { recursive: true });
    await put(`${long}/All.mbox`, [mail("1", "One"), mail("2", "Two")].join(""));
    await put(`${long}/film.mp4`, "x".repeat(3_000));
    const pack = () =>
      run("tar", ["-czf", "takeout-001.tgz", `--format=${format}`, "Takeout"], { cwd: at.root });
    await pack();
    const path = join(at.root, "takeout-001.tgz");
    expect((await sync(path)).run).toMatchObject({ added: 2, failed: 0 });
    await pack();
    expect((await sync(path)).run).toMatchObject({ added: 0, unchanged: 2, removed: 0 });
    expect((await documents()).map((each) => each.path)).toEqual(["mail:1@x", "mail:2@x"]);
    expect(await readdir(join(at.temp.dataDir, "sources"))).toEqual([]);
  });
});

describe("any export", () => {
  test("patterns and the limit apply to what a person sees", async () => {
    const path = await put("slack.zip", makeZip(SLACK));
    const { run } = await sync(path, { include: ["general/"], maxItems: 1 });
    expect(run).toMatchObject({ added: 1 });
    expect(run?.problem && toEnglish(run.problem)).toContain("more than 1 item");
  });

  test("a file that is none is refused with the tools that are known", async () => {
    const { failure } = await sync(await put("other.zip", makeZip({ "a.md": "x" })));
    expect(failure).toMatchObject({ error: "unsupported_format" });
    expect(failure?.message).toContain("Slack");
  });

  test("links and strange names lead nowhere", async () => {
    const outside = join(at.temp.dataDir, "outside.json");
    await writeFile(outside, JSON.stringify([chatGpt("c-1", "Outside", ["a", "b"])]));
    await mkdir(join(at.root, "linked"));
    await symlink(outside, join(at.root, "linked", "conversations.json"));
    expect((await sync(join(at.root, "linked"))).failure).toBeDefined();
    await symlink(outside, join(at.root, "conversations.json"));
    const linked = sync(join(at.root, "conversations.json"));
    await expect(linked).rejects.toMatchObject({ code: "ACCESS_DENIED" });
    const address = join(at.root, "conversations.json");
    const id = await at.ingest.sources.put({ address, settings: {} }, "anywhere");
    const task = await at.ingest.sources.sync(id, NEVER);
    expect((await at.ingest.finish(task.id, { signal: NEVER })).failure).toBeDefined();
    const names = { "../../x/conversations.json": "[]", "/etc/conversations.json": "[]" };
    expect((await sync(await put("names.zip", makeZip(names)))).failure).toBeDefined();
    expect(await documents()).toEqual([]);
  });

  test("a bomb is refused before it is unpacked", async () => {
    const bomb = bombOf("conversations.json", 64 * 1024 * 1024);
    const { failure } = await sync(await put("bomb.zip", bomb));
    expect(failure?.error).toBe("extraction_limit");
    expect(await documents()).toEqual([]);
  });

  test.each([
    ["a bomb", () => tgz("all.mbox", Buffer.alloc(64 * 1024 * 1024)), "extraction_limit"],
    ["an entry that is not all there", () => tgz("all.mbox", "x").subarray(0, -30), "corrupt_file"],
    ["no tar", () => gzipSync(Buffer.alloc(2_000, "x")), "corrupt_file"],
    ["no gzip", () => Buffer.alloc(2_000, "x"), "corrupt_file"],
    ["a size below zero", () => tgz("all.mbox", "x", "-1"), "corrupt_file"],
    ["a size beyond its end", () => tgz("all.mbox", "x", "77777777777"), "corrupt_file"],
    ["a name outside", () => tgz("../../all.mbox", mbox("1")), "unsupported_format"],
    ["an absolute name", () => tgz("/all.mbox", mbox("1")), "unsupported_format"],
    ["a link", () => tgz("all.mbox", "", "0", "2"), "unsupported_format"],
  ])("a .tgz with %s is refused", async (_what, make, error) => {
    expect((await sync(await put("takeout.tgz", make()))).failure).toMatchObject({ error });
    expect(await documents()).toEqual([]);
    expect(await readdir(join(at.temp.dataDir, "sources"))).toEqual([]);
  });

  test("a mail that is larger than memory should hold is left out; the others are read", async () => {
    const large = Buffer.alloc(65 * 1024 * 1024, "x\n");
    const all = Buffer.concat([Buffer.from(mbox("1")), Buffer.from(`\n${mbox("2")}`), large]);
    const { run } = await sync(
      await put("all.mbox", Buffer.concat([all, Buffer.from(`\n${mbox("3")}`)])),
    );
    expect(run).toMatchObject({ added: 2, failed: 1, failures: [{ error: "extraction_limit" }] });
  });

  test("a day has any number of messages", async () => {
    const message = (_: unknown, at: number) => ({
      type: "message",
      ts: `1773479520.${at}`,
      text: "x",
    });
    const content = {
      "users.json": [],
      "channels.json": [],
      "c/2026-03-14.json": Array.from({ length: 150_000 }, message),
    };
    const files = Object.entries(content).map(([name, json]) => ({
      ...{ name, sizeBytes: 1, version: "1" },
      async *read() {
        yield Buffer.from(JSON.stringify(json));
      },
    }));
    const paths: string[] = [];
    for await (const { path } of slack.list({ files } as never)) paths.push(path);
    expect(paths).toEqual(["c/2026-03-14"]);
  });

  test("one entry that is larger than memory should hold is refused", async () => {
    const text = `[{"mapping": {}, "title": "${"x".repeat(33 * 1024 * 1024)}"}]`;
    const { failure } = await sync(await put("conversations.json", text));
    expect(failure?.error).toBe("extraction_limit");
  });
});

const mbox = (id: string) => `From x Sat Mar 14 09:12:00 2026\nMessage-ID: <${id}@x>\n\nText.\n`;

/** A tar of one file, with a header that may say something else. */
function tgz(name: string, content: string | Buffer, size?: string, type = "0"): Buffer {
  const bytes = Buffer.from(content);
  const header = Buffer.alloc(512);
  const said = size ?? bytes.length.toString(8);
  const fields = [name, "0000644", "0", "0", said.padStart(11, "0"), "0", " ".repeat(8), type];
  for (const [at, field] of fields.entries())
    header.write(field, [0, 100, 108, 116, 124, 136, 148, 156][at] ?? 0);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  const padding = Buffer.alloc((512 - (bytes.length % 512)) % 512);
  return gzipSync(Buffer.concat([header, bytes, padding, Buffer.alloc(1024)]));
}

/** One entry of spaces, which shrinks to a thousandth. */
function bombOf(name: string, size: number): Buffer {
  const packed = deflateRawSync(Buffer.alloc(size, " "));
  const plain = makeZip({ [name]: packed });
  const at = plain.lastIndexOf("PK\u0001\u0002");
  for (const start of [4, at + 6]) {
    plain.writeUInt16LE(8, start + 4);
    plain.writeUInt32LE(size, start + 18);
  }
  return plain;
}
