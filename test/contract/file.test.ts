// get_kb_info and get_kb_content: every status and edge of the contract.
import { execFileSync } from "node:child_process";
import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { OWNER } from "../../src/domain/call/principal.ts";
import { type KbFile, openKbFile } from "../../src/kbfile/kbfile.ts";
import { openLog } from "../../src/observe/log.ts";
import { fileOffer } from "../../src/tools/file/family.ts";
import { getKbContent } from "../../src/tools/file/get-kb-content.ts";
import { getKbInfo } from "../../src/tools/file/get-kb-info.ts";
import { runTool } from "../../src/tools/run-tool.ts";
import type { CallContext } from "../../src/tools/tool.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "knowledge-file-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const lines: string[] = [];
const log = openLog({ level: "warn", write: (line) => void lines.push(line) });
const context: CallContext = {
  principal: OWNER,
  signal: new AbortController().signal,
  log,
  progress: () => {},
  taskProgress: () => {},
};

async function load(name: string, content?: string | Uint8Array): Promise<KbFile> {
  const path = join(folder, name);
  if (content !== undefined) await writeFile(path, content);
  const kbFile = openKbFile({ path, description: "What it is about", log });
  await kbFile.loaded;
  return kbFile;
}

const info = async (kbFile: KbFile) => runTool(getKbInfo(kbFile), {}, context);
const content = async (kbFile: KbFile, args: unknown = {}) =>
  runTool(getKbContent(kbFile), args, context);

const UNAVAILABLE = {
  status: "unavailable",
  info: {
    status: "unavailable",
    fileSizeBytes: 0,
    contentLength: 0,
    isAvailable: false,
    description: "What it is about",
  },
};

describe("a readable file", () => {
  test("get_kb_info says size, length, time and that it is available", async () => {
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

  test("near 10 MB it is whole, and not sent a second time as structured content", async () => {
    const text = "0123456789".repeat(1_000_000);
    const { payload, structured } = await content(await load("large.txt", text));
    expect(payload).toEqual({ status: "ok", contentLength: text.length, content: text });
    expect(structured).toBeUndefined();
  });

  test("a link to a file is read", async () => {
    await writeFile(join(folder, "target.txt"), "linked");
    await symlink(join(folder, "target.txt"), join(folder, "link.txt"));
    expect((await content(await load("link.txt"))).payload).toMatchObject({ content: "linked" });
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
  const CASES: readonly [string, () => Promise<KbFile>, string][] = [
    ["missing", () => load("missing.txt"), "does not exist"],
    ["under a file instead of a folder", () => load("good.txt/inner.txt"), "does not exist"],
    [
      "not UTF-8",
      () => load("latin.txt", Uint8Array.from([0x63, 0x61, 0x66, 0xe9])),
      "not valid UTF-8",
    ],
    ["cut in a character", () => load("cut.txt", Uint8Array.from([0xe3, 0x81])), "not valid UTF-8"],
    ["UTF-16", () => load("utf16.txt", Buffer.from("\ufeffhello", "utf16le")), "not valid UTF-8"],
    ["a link in a circle", () => loadCircle(), "links lead in a circle"],
    ["a folder", () => loadFolder(), "is a folder"],
    ["a pipe that nobody writes", () => loadPipe(), "not a regular file"],
  ];

  test.each(CASES)("%s: unavailable, and an error with the reason", async (_case, open, reason) => {
    const kbFile = await open();
    const about = await info(kbFile);
    expect(about.payload).toEqual(UNAVAILABLE);
    expect(about.isError).toBeUndefined();
    const { payload, isError } = await content(kbFile);
    expect(payload).toEqual({ status: "error", error: expect.stringContaining(reason) });
    expect(JSON.stringify(payload)).not.toContain(folder);
    expect(isError).toBe(true);
  });

  test.skipIf(process.getuid?.() === 0)("unreadable: the reason is told", async () => {
    await writeFile(join(folder, "secret.txt"), "x");
    await chmod(join(folder, "secret.txt"), 0);
    const { payload } = await content(await load("secret.txt"));
    expect(payload).toEqual({ status: "error", error: expect.stringContaining("may not read") });
  });

  async function loadCircle() {
    await symlink(join(folder, "circle.txt"), join(folder, "circle.txt"));
    return load("circle.txt");
  }
  async function loadFolder() {
    await mkdir(join(folder, "folder.txt"));
    return load("folder.txt");
  }
  async function loadPipe() {
    execFileSync("mkfifo", [join(folder, "pipe.txt")]);
    return load("pipe.txt");
  }
});

describe("nothing loaded", () => {
  const absent = () => openKbFile({ description: "What it is about", log });

  test("without a path: unavailable, and empty content", async () => {
    expect((await info(absent())).payload).toEqual(UNAVAILABLE);
    expect((await content(absent())).payload).toEqual({
      status: "empty",
      contentLength: 0,
      content: "",
    });
  });

  test("before the load has ended: empty, with a warning in the log", async () => {
    await writeFile(join(folder, "late.txt"), "late");
    const kbFile = openKbFile({ path: join(folder, "late.txt"), log });
    lines.length = 0;
    const asked = content(kbFile);
    expect((await asked).payload).toEqual({ status: "empty", contentLength: 0, content: "" });
    expect(lines.join("")).toContain("kbfile.asked-before-load");
    await kbFile.loaded;
    expect((await content(kbFile)).payload).toMatchObject({ status: "ok", content: "late" });
  });
});

describe("pages", () => {
  test("a part is returned with where it stands and where the next begins", async () => {
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

  test.each([{ offset: -1 }, { length: 0 }, { offset: 1.5 }, { offset: "1" }])(
    "%j is an error of the tool",
    async (args) => {
      const { payload, isError } = await content(await load("pages.txt", "abc"), args);
      expect(payload).toEqual({ status: "error", error: expect.any(String) });
      expect(isError).toBe(true);
    },
  );
});

test("the text is a resource; without one, reading it is refused", async () => {
  const [resource] = fileOffer(await load("resource.txt", "as a resource")).resources ?? [];
  expect(await resource?.read(context)).toEqual([
    { uri: "knowledge://file", mimeType: "text/plain", text: "as a resource" },
  ]);
  expect(resource?.sizeBytes?.()).toBe(13);
  const [missing] = fileOffer(await load("no-resource.txt")).resources ?? [];
  await expect(missing?.read(context)).rejects.toMatchObject({ code: "RESOURCE_NOT_FOUND" });
});
