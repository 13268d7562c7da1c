// get_kb_info and get_kb_content: every status and edge of the contract.
import { chmod, mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { type ShippedTools, shippedTools } from "../support/shipped-tools.ts";
import { tempFolder } from "../support/temp-folder.ts";

let folder: string;
const open: ShippedTools[] = [];
beforeAll(async () => {
  folder = tempFolder("file");
});
afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.dispose()));
});

/** A server that was started with the file. */
async function load(name: string, content?: string | Uint8Array): Promise<ShippedTools> {
  const path = join(folder, name);
  if (content !== undefined) await writeFile(path, content);
  return start({ kbFile: path });
}

async function start(settings: object): Promise<ShippedTools> {
  const server = await shippedTools({ ...settings, kbDescription: "What it is about" });
  open.push(server);
  return server;
}

const info = (server: ShippedTools) => server.run("get_kb_info", {});
const content = (server: ShippedTools, args: object = {}) => server.run("get_kb_content", args);

const unavailable = (reason: unknown) => ({
  status: "unavailable",
  info: {
    status: "unavailable",
    fileSizeBytes: 0,
    contentLength: 0,
    isAvailable: false,
    description: "What it is about",
    reason,
  },
});

describe("a readable file", () => {
  test("get_kb_info returns size, length, time and availability", async () => {
    const { payload, structured, isError } = await info(await load("good.txt", "héllo 😀"));
    expect(payload).toEqual({
      status: "ok",
      info: {
        status: "available",
        fileSizeBytes: 11,
        contentLength: 8,
        isAvailable: true,
        description: "What it is about",
        lastModified: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      },
    });
    expect(structured).toEqual(payload);
    expect(isError).toBeUndefined();
  });

  test("get_kb_content returns all of it", async () => {
    const { payload } = await content(await load("good.txt", "héllo 😀\r\n"));
    expect(payload).toEqual({ status: "ok", contentLength: 10, content: "héllo 😀\r\n" });
  });

  test("a byte order mark stays: the text is returned unmodified", async () => {
    const { payload } = await content(await load("bom.txt", "\ufeffText"));
    expect(payload).toMatchObject({ content: "\ufeffText", contentLength: 5 });
  });

  test("a change on disk is not seen until the next start", async () => {
    const kbFile = await load("static.txt", "before");
    await writeFile(join(folder, "static.txt"), "after");
    expect((await content(kbFile)).payload).toMatchObject({ content: "before" });
    await rm(join(folder, "static.txt"));
    expect((await info(kbFile)).payload).toMatchObject({ status: "ok" });
  });

  test("10 MB are returned complete, and not repeated as structured content", async () => {
    const text = "0123456789".repeat(1_000_000);
    const { payload, structured } = await content(await load("large.txt", text));
    expect(payload).toEqual({ status: "ok", contentLength: text.length, content: text });
    expect(structured).toBeUndefined();
  });
});

describe("an empty file", () => {
  test("is available with no content", async () => {
    const kbFile = await load("empty.txt", "");
    expect((await info(kbFile)).payload).toMatchObject({
      status: "ok",
      info: { isAvailable: true, contentLength: 0, fileSizeBytes: 0 },
    });
    const { payload, isError } = await content(kbFile);
    expect(payload).toEqual({ status: "empty", contentLength: 0, content: "" });
    expect(isError).toBeUndefined();
  });
});

describe("a file that cannot be used", () => {
  const CASES: readonly [string, () => Promise<ShippedTools>, string][] = [
    ["missing", () => load("missing.txt"), "does not exist"],
    [
      "not UTF-8",
      () => load("latin.txt", Uint8Array.from([0x63, 0x61, 0x66, 0xe9])),
      "not valid UTF-8",
    ],
    ["a folder", () => loadFolder(), "is a folder"],
  ];

  test.each(CASES)("%s: unavailable, and an error with the reason", async (_case, open, reason) => {
    const kbFile = await open();
    const about = await info(kbFile);
    expect(about.payload).toEqual(unavailable(expect.stringContaining(reason)));
    expect(about.isError).toBeUndefined();
    const { payload, isError } = await content(kbFile);
    expect(payload).toEqual({ status: "error", error: expect.stringContaining(reason) });
    expect(JSON.stringify(payload)).not.toContain(folder);
    expect(isError).toBe(true);
  });

  test.skipIf(process.getuid?.() === 0)("unreadable: the reason is reported", async () => {
    await writeFile(join(folder, "secret.txt"), "x");
    await chmod(join(folder, "secret.txt"), 0);
    const { payload } = await content(await load("secret.txt"));
    expect(payload).toEqual({
      status: "error",
      error: expect.stringContaining("no permission to read"),
    });
  });

  async function loadFolder() {
    await mkdir(join(folder, "folder.txt"));
    return load("folder.txt");
  }
});

describe("nothing loaded", () => {
  test("without a path: unavailable, and empty content", async () => {
    const server = await start({});
    const why = expect.stringContaining("No knowledge base file is configured");
    expect((await info(server)).payload).toEqual(unavailable(why));
    expect((await content(server)).payload).toEqual({
      status: "empty",
      contentLength: 0,
      content: "",
    });
  });
});

describe("pages", () => {
  test("a part is returned with its offset and that of the next", async () => {
    const kbFile = await load("pages.txt", "abcdefghij");
    expect((await content(kbFile, { offset: 2, length: 3 })).payload).toEqual({
      status: "ok",
      contentLength: 3,
      content: "cde",
      offset: 2,
      totalLength: 10,
      nextOffset: 5,
    });
    const last = (await content(kbFile, { offset: 8, length: 5 })).payload;
    expect(last).toEqual({
      status: "ok",
      contentLength: 2,
      content: "ij",
      offset: 8,
      totalLength: 10,
    });
  });

  test("an impossible page is a tool error", async () => {
    const server = await load("pages.txt", "abc");
    for (const args of [{ offset: -1 }, { length: 0 }, { offset: 1.5 }, { offset: "1" }]) {
      const { payload, isError } = await content(server, args);
      expect(payload).toEqual({ status: "error", error: expect.any(String) });
      expect(isError).toBe(true);
    }
  });
});

test("the text is a resource; without one, reading it is refused", async () => {
  const { client } = await load("resource.txt", "as a resource");
  expect((await client.readResource({ uri: "knowledge://file" })).contents).toEqual([
    { uri: "knowledge://file", mimeType: "text/plain", text: "as a resource" },
  ]);
  const { resources } = await client.listResources();
  expect(resources.find(({ uri }) => uri === "knowledge://file")?.size).toBe(13);
  const missing = await load("no-resource.txt");
  await expect(missing.readResource("knowledge://file")).rejects.toThrow(/does not exist/);
});
