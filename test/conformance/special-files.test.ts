// Names that belong to pipes, devices, links and the like, and an audit file that several processes share.
import { execFile, execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { appendFile, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { beforeAll, describe, expect, test } from "vitest";
import { type Message, toEnglish } from "../../src/domain/phrases/messages.ts";
import { openRegular, readWhole } from "../../src/files/regular-file.ts";
import { openPathGate } from "../../src/ingest/intake/path-gate.ts";
import { scanFolder } from "../../src/ingest/sources/folder/scan.ts";
import { openKbFile } from "../../src/kbfile/kbfile.ts";
import type { AuditEntry } from "../../src/observe/audit.ts";
import { eventually } from "../support/eventually.ts";
import { openImportFolder } from "../support/import-folder.ts";
import { silentLog } from "../support/silent-log.ts";
import { connectTo, startHttp } from "../support/spawned.ts";
import { tempFolder } from "../support/temp-folder.ts";
import { makeSpecialFolders, SPECIAL_FILES } from "./special-files.ts";

const AUDITING = new URL("./children/auditing.ts", import.meta.url);

let folder: string;
let pipe: string;
beforeAll(() => {
  folder = tempFolder("special");
  pipe = join(folder, "pipe.txt");
  execFileSync("mkfifo", [pipe]);
});

test("a named pipe is refused without waiting for its writer", async () => {
  const gate = openPathGate({
    roots: [folder],
    closed: [],
    home: folder,
    workingDirectory: folder,
  });
  await expect(gate.open(pipe)).rejects.toMatchObject({ code: "ACCESS_DENIED" });
});

test("a named pipe as the knowledge base file fails with the reason, without its path", async () => {
  const kbFile = openKbFile({ path: pipe, log: silentLog() });
  await kbFile.loaded;
  const reason = expect.stringContaining("not a regular file");
  expect(kbFile.state()).toEqual({ kind: "failed", reason });
  expect(JSON.stringify(kbFile.state())).not.toContain(folder);
});

const MAX_BYTES = 1_000_000;
const KINDS = Object.entries(SPECIAL_FILES);

describe.each(KINDS)("%s", (name, make) => {
  test("is not opened", async () => {
    const path = join(tempFolder("kind"), "x.md");
    make(path);
    const opened = await openRegular(path, MAX_BYTES);
    const kind = name.includes("link") ? "link" : expect.stringMatching(/folder|special|too-large/);
    expect(opened).toEqual({ kind });
  });

  test.each([".gitignore", ".knowledgeignore"])(
    "as %s has no rules and is reported",
    async (file) => {
      const root = tempFolder("kind");
      makeNote(root);
      make(join(root, file));
      const unread: (string | undefined)[] = [];
      const onUnread = (_: string, reason?: Message) => unread.push(reason && toEnglish(reason));
      const { signal } = new AbortController();
      const found = await scanFolder({ root, signal, onUnread });
      expect([...found.keys()]).toEqual([join(root, "note.txt")]);
      expect(unread).toEqual([expect.stringContaining("This ignore file is not used: it is")]);
    },
  );

  test("in a folder of rules is left out", async () => {
    const { folder: root, scopes, write } = openImportFolder();
    await write({ "AGENTS.md": "# Tides\n\nHigh water is at noon.\n" });
    for (const file of ["CLAUDE.md", "rules.json", "guide.md"]) make(join(root, file));
    const report = await scopes.import([root], { scope: "tides", guides: true });
    const read = report.sources.map(({ source }) => source.slice(root.length + 1));
    expect(read).toContain("AGENTS.md");
    // Links inside the folder are followed to the file that they lead to.
    if (name !== "a link to a file") expect(read).toEqual(["AGENTS.md"]);
  });
});

function makeNote(root: string): void {
  mkdirSync(root, { recursive: true });
  writeFileSync(join(root, "note.txt"), "The note.");
}

test("a file that grows while it is read is read up to the limit", async () => {
  const path = join(tempFolder("grows"), "x.md");
  writeFileSync(path, "12345");
  const opened = await openRegular(path, 5);
  if (opened.kind !== "open") throw new Error(opened.kind);
  await using handle = opened.handle;
  await appendFile(path, "6");
  expect(await readWhole(handle, 5)).toBeUndefined();
});

test("a server with special files in its folders adds the others, reports them, and stops", async () => {
  const root = tempFolder("program");
  const [watched, named] = [join(root, "watched"), join(root, "named")];
  for (const place of [watched, named]) {
    makeSpecialFolders(join(place, "ignore"), ".gitignore");
    makeSpecialFolders(join(place, "file"), "special.txt");
  }
  const config = join(root, "config.yaml");
  writeFileSync(config, `folders: [${JSON.stringify(watched)}]\n`);
  const server = await startHttp({ dataDir: join(root, "data"), root, config });
  const { call, close } = await connectTo("http", server.url);
  const add = (place: string) =>
    call("knowledge-add", { file_path: join(named, place), async: false });
  const [ignored, files] = await Promise.all([add("ignore"), add("file")]);
  const kinds = KINDS.length;
  expect(ignored).toMatchObject({ success: true, folder: { found: 2 * kinds, failed: kinds } });
  expect(ignored).toMatchObject({
    folder: {
      failures: expect.arrayContaining([expect.objectContaining({ file: "kind-0/.gitignore" })]),
    },
  });
  // The huge one is the only regular file among them.
  expect(files).toMatchObject({ success: true, folder: { found: kinds + 1, failed: 1 } });
  await eventually(async () => {
    const status = await call("knowledge-status", {});
    expect(status).toMatchObject({
      health: { status: "healthy" },
      folders: [{ path: watched, files: 2 * kinds + 1, refused: 1, watched: true }],
    });
  });
  await close();
  await server.stop();
  expect(server.child.exitCode).toBe(0);
});

test("several processes append complete lines to one audit file", async () => {
  const path = join(folder, "audit");
  const names = ["one", "two", "three"];
  const append = (name: string) =>
    promisify(execFile)(process.execPath, [fileURLToPath(AUDITING), path, name, "200"]);
  await Promise.all(names.map(append));
  // A process that looks while another writes takes the line for torn and starts with an empty one.
  const lines = (await readFile(path, "utf8")).split("\n").filter((line) => line !== "");
  const found = lines.map((line) => (JSON.parse(line) as AuditEntry).who);
  for (const name of names) expect(found.filter((who) => who === name)).toHaveLength(200);
});
