// A zip archive is added like a folder: each file becomes a document, and hostile files fail alone.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { deflateRawSync } from "node:zlib";
import { afterEach, describe, expect, test } from "vitest";
import type { Ingest } from "../../src/ingest/ingest.ts";
import type { Store } from "../../src/store/store.ts";
import { bothStores } from "../support/both-stores.ts";
import { makeZip, type ZipParts } from "../support/files/zip.ts";
import { openPlainIngest } from "../support/plain-ingest.ts";

const NEVER = new AbortController().signal;
const ADD = { metadata: { team: "blue" }, forceOcr: false, signal: NEVER };
const PAGE = { limit: 50, offset: 0, sortBy: "filename", sortOrder: "asc" } as const;
const MB = 1024 * 1024;

const stores = bothStores("archive-task");

describe.each(["sqlite", "postgres"] as const)("on %s", (kind) => {
  const opened: { close(): Promise<void> }[] = [];
  const root = () => stores.folder(kind, "files");
  const archive = () => join(root(), "notes.zip");
  afterEach(async () => {
    for (const each of opened.splice(0).reverse()) await each.close();
    stores.remove(kind);
  });

  const begin = async (skip: (note: string) => void): Promise<{ store: Store; ingest: Ingest }> => {
    stores.skipWithout(kind, skip);
    mkdirSync(root(), { recursive: true });
    const store = stores.open(kind);
    opened.push(store);
    await store.documents.clear();
    const ingest = openPlainIngest({ store, dataDir: stores.folder(kind, "data"), root: root() });
    opened.push(ingest);
    return { store, ingest };
  };
  const add = async (ingest: Ingest, parts: ZipParts | Buffer) => {
    writeFileSync(archive(), Buffer.isBuffer(parts) ? parts : makeZip(parts));
    const { task } = await ingest.enqueue({ kind: "file", path: archive() }, ADD);
    return { ...(await ingest.finish(task.id, { signal: NEVER })), request: task.request };
  };

  test("each file becomes a document, and the archive is not kept", async ({ skip }) => {
    const { store, ingest } = await begin(skip);
    const parts = {
      "one.txt": "The first note.",
      "deep/er/": "",
      "./deep/er/zwei ü.md": "The second note.",
      "broken.txt": "corrupt",
      "empty.txt": "",
      "program.exe": "MZ",
      ".hidden.txt": "Nobody reads this.",
      "node_modules/package.txt": "Nor this.",
      "__MACOSX/._one.txt": "Nor this.",
      "keys/id_rsa": "Nor this.",
    };
    const { status, result, request } = await add(ingest, parts);
    expect(status).toBe("completed");
    expect(result?.folder).toEqual({
      ...{ found: 3, added: 2, unchanged: 0, failed: 1, skipped: 0 },
      failures: [{ file: "broken.txt", error: "corrupt_file", message: "The file is damaged." }],
    });
    const { documents } = await store.documents.list(PAGE);
    expect(documents.map(({ filename, sourcePath }) => [filename, sourcePath])).toEqual([
      ["one.txt", `${archive()}!/one.txt`],
      ["zwei ü.md", `${archive()}!/deep/er/zwei ü.md`],
    ]);
    expect(documents.map(({ metadata }) => metadata["team"])).toEqual(["blue", "blue"]);
    expect(await store.originals.has(request.contentHash)).toBe(false);
    const again = await add(ingest, parts);
    expect(again.result?.folder).toMatchObject({ added: 0, unchanged: 2, failed: 1 });
    const changed = await add(ingest, { ...parts, "one.txt": "The first note, changed." });
    expect(changed.result?.folder).toMatchObject({ added: 1, unchanged: 1, failed: 1 });
    expect((await store.documents.list(PAGE)).total).toBe(2);
  });

  test("each mail of a mailbox becomes a document, duplicates once", async ({ skip }) => {
    const { store, ingest } = await begin(skip);
    const mail = (subject: string) =>
      `From a@example.com Mon Mar  2 10:00:00 2026\nMessage-ID: <${subject}>\nDate: Mon, 2 Mar 2026 10:00:00 +0000\nSubject: ${subject}\n\nAbout ${subject}.\n\n`;
    const path = join(root(), "in.mbox");
    writeFileSync(path, mail("Masts") + mail("Rain") + mail("Masts"));
    const { task } = await ingest.enqueue({ kind: "file", path }, ADD);
    const { result } = await ingest.finish(task.id, { signal: NEVER });
    expect(result?.folder).toMatchObject({ found: 2, added: 2, failed: 0 });
    const { documents } = await store.documents.list(PAGE);
    expect(documents.map(({ sourcePath }) => sourcePath)).toEqual([
      `${path}!/2026-03-02 Masts.eml`,
      `${path}!/2026-03-02 Rain.eml`,
    ]);
  });

  test("an uploaded archive is added too, if the sender may add many documents", async ({
    skip,
  }) => {
    const { store, ingest } = await begin(skip);
    const upload = () => ({
      kind: "upload" as const,
      filename: "sent.zip",
      bytes: Readable.from([makeZip({ "in/one.txt": "The first note.", "x.zip": "zip" })]),
    });
    await expect(ingest.enqueue(upload(), ADD)).rejects.toMatchObject({
      code: "UNSUPPORTED_FORMAT",
    });
    const { task } = await ingest.enqueue({ ...upload(), mayBeMany: true }, ADD);
    const { result } = await ingest.finish(task.id, { signal: NEVER });
    expect(result?.folder).toMatchObject({ found: 2, added: 1, failed: 1 });
    const { documents } = await store.documents.list(PAGE);
    expect(documents.map(({ sourcePath }) => sourcePath)).toEqual(["sent.zip!/in/one.txt"]);
  });

  test("path traversal, links, nested archives and duplicate names are refused one by one", async ({
    skip,
  }) => {
    const { store, ingest } = await begin(skip);
    const hostile = [
      "../out.txt",
      "a/../../out.txt",
      "/etc/out.txt",
      "C:/out.txt",
      "a\\b.txt",
      "..\\out.txt",
      "line\nbreak.txt",
      "nul\u0000.txt",
      "gnp\u202etxt.md",
      `${"long/".repeat(250)}x.txt`,
      "inner.zip",
    ];
    const parts = { ...Object.fromEntries(hostile.map((name) => [name, name])), "ok.txt": "Fine." };
    const { result } = await add(
      ingest,
      withLink(makeZip({ ...parts, "link.txt": "/etc/passwd" })),
    );
    expect(result?.folder).toMatchObject({ found: hostile.length + 2, added: 1 });
    expect(result?.folder?.failures.map(({ error }) => error)).toEqual(
      [...hostile, "link.txt"].map(() => "extraction_limit"),
    );
    expect(JSON.stringify(result?.folder?.failures)).not.toMatch(/\\n|\\u0000|\u202e/);
    const { documents } = await store.documents.list(PAGE);
    expect(documents.map(({ filename }) => filename)).toEqual(["ok.txt"]);
    const twins = makeZip({ "same.txt": "The one.", "sane.txt": "The other." });
    const renamed = Buffer.from(twins.toString("latin1").replaceAll("sane", "same"), "latin1");
    const twice = await add(ingest, renamed);
    expect(twice.result?.folder).toMatchObject({ found: 2, added: 1, failed: 1 });
  });

  test("zip bombs, encrypted and damaged files fail alone; a file that is not an archive is refused", async ({
    skip,
  }) => {
    const { store, ingest } = await begin(skip);
    const bomb = deflated("bomb.txt", Buffer.alloc(4 * MB, "a"));
    const bombed = (await add(ingest, bomb)).result?.folder;
    expect(bombed?.failures[0]).toMatchObject({ file: "bomb.txt", error: "extraction_limit" });
    const good = makeZip({ "good.txt": "A plain note." });
    const text = good.toString("latin1");
    const torn = Buffer.from(text.replace("A plain note.", "A plaim note."), "latin1");
    expect((await add(ingest, torn)).result?.folder?.failures[0]?.error).toBe("corrupt_file");
    const locked = deflated("locked.txt", Buffer.from("A plain note."));
    locked[locked.indexOf("PK\u0001\u0002") + 8] = 1;
    expect((await add(ingest, locked)).result?.folder?.failures[0]?.error).toBe("encrypted_file");
    for (const [bytes, error] of [
      [Buffer.from("no archive at all"), "corrupt_file"],
      [good.subarray(0, 50), "corrupt_file"],
      [makeZip({ "program.exe": "MZ" }), "empty_document"],
      [makeZip(Object.fromEntries(range(10_001).map((at) => [`${at}`, ""]))), "extraction_limit"],
    ] as const) {
      expect((await add(ingest, bytes)).failure?.error).toBe(error);
    }
    expect((await store.documents.list(PAGE)).total).toBe(0);
  });
});

const range = (count: number) => Array.from({ length: count }, (_, at) => at);

/** The last entry as a symbolic link of a Unix system. */
function withLink(zip: Buffer): Buffer {
  const bytes = Buffer.from(zip);
  bytes.writeUInt32LE((0o120777 << 16) >>> 0, bytes.lastIndexOf("PK\u0001\u0002") + 38);
  return bytes;
}

/** One entry, compressed as far as it goes. */
function deflated(name: string, data: Buffer): Buffer {
  const small = deflateRawSync(data);
  const zip = makeZip({ [name]: small });
  for (const [mark, at] of [
    ["PK\u0003\u0004", 8],
    ["PK\u0001\u0002", 10],
  ] as const) {
    const from = zip.indexOf(mark) + at;
    zip.writeUInt16LE(8, from);
    zip.writeUInt32LE(data.length, from + 14);
  }
  return zip;
}
