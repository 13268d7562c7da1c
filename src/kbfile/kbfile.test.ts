import { symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { silentLog } from "../../test/support/silent-log.ts";
import { tempFolder } from "../../test/support/temp-folder.ts";
import { openLog } from "../observe/log.ts";
import { type KbFileState, openKbFile } from "./kbfile.ts";

let folder: string;
beforeAll(async () => {
  folder = tempFolder("file");
});

async function load(name: string, content?: string | Uint8Array): Promise<KbFileState> {
  const path = join(folder, name);
  if (content !== undefined) await writeFile(path, content);
  const kbFile = openKbFile({ path, log: silentLog() });
  expect(kbFile.state()).toEqual({ kind: "loading" });
  await kbFile.loaded;
  return kbFile.state();
}

test("the state of the file is logged", async () => {
  const lines: string[] = [];
  const log = openLog({ level: "info", write: (line) => void lines.push(line) });
  await writeFile(join(folder, "logged.txt"), "héllo");
  for (const name of ["logged.txt", "not-there.txt"]) {
    await openKbFile({ path: join(folder, name), log }).loaded;
  }
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { level: "info", event: "kbfile.loaded", sizeBytes: 6, characters: 5 },
    { level: "error", event: "kbfile.failed", reason: expect.stringContaining("does not exist") },
  ]);
});

test("a link to a file is read", async () => {
  await writeFile(join(folder, "target.txt"), "linked");
  await symlink(join(folder, "target.txt"), join(folder, "link.txt"));
  expect(await load("link.txt")).toMatchObject({ kind: "loaded", content: "linked" });
});

const CASES: readonly [string, () => Promise<KbFileState>, string][] = [
  ["under a file instead of a folder", () => underFile(), "does not exist"],
  ["cut in a character", () => load("cut.txt", Uint8Array.from([0xe3, 0x81])), "not valid UTF-8"],
  ["UTF-16", () => load("utf16.txt", Buffer.from("\ufeffhello", "utf16le")), "not valid UTF-8"],
  ["a link in a circle", () => circle(), "links form a loop"],
];

test.each(CASES)("%s: it fails with the reason, without the path", async (_case, open, reason) => {
  const state = await open();
  expect(state).toEqual({ kind: "failed", reason: expect.stringContaining(reason) });
  expect(JSON.stringify(state)).not.toContain(folder);
});

async function underFile() {
  await writeFile(join(folder, "good.txt"), "good");
  return load("good.txt/inner.txt");
}

async function circle() {
  await symlink(join(folder, "circle.txt"), join(folder, "circle.txt"));
  return load("circle.txt");
}
