// What `doctor` reports about a data folder: each problem with its remedy, without changing anything.

import { rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { databaseCheck, toOutcome } from "../../src/cli/upkeep/doctor.ts";
import { KnowledgeError } from "../../src/domain/errors.ts";
import { toEnglish, toMessage } from "../../src/domain/phrases/messages.ts";
import { lockExclusive, lockShared } from "../../src/store/sqlite/folder/lock.ts";
import { examineFolder } from "../../src/store/sqlite/upkeep/examine.ts";
import { fingerprint, overwrite, soundFolder } from "../support/damaged-folder.ts";

const { sound, copy } = await soundFolder("examine");

type Operations = Parameters<typeof databaseCheck>[0]["operations"];
const check = (dataDir: string) =>
  databaseCheck({
    operations: { examine: () => examineFolder(dataDir) } as Operations,
  }).run(new AbortController().signal);

const TROUBLES: Readonly<Record<string, { spoil(folder: string): void; remedy: RegExp }>> = {
  "overwritten pages": {
    spoil: (folder) => overwrite(join(folder, "knowledge.db"), 20 * 4096, Buffer.alloc(20_480, 9)),
    remedy: /^Stop every server.*`knowledge-server repair`/,
  },
  "no header": {
    spoil: (folder) => overwrite(join(folder, "knowledge.db"), 0, Buffer.alloc(100)),
    remedy: /`knowledge-server repair`/,
  },
  "a cut file": {
    spoil: (folder) => truncateSync(join(folder, "knowledge.db"), 9 * 4096),
    remedy: /`knowledge-server repair`/,
  },
  "a log of garbage": {
    spoil: (folder) => writeFileSync(join(folder, "knowledge.db-wal"), "garbage ".repeat(99)),
    remedy: /`knowledge-server repair`/,
  },
  "no database": {
    spoil: (folder) => rmSync(join(folder, "knowledge.db")),
    remedy: /restore a backup.*repair --force/,
  },
  "a newer schema": {
    spoil: (folder) => {
      const database = new DatabaseSync(join(folder, "knowledge.db"));
      database.exec("PRAGMA user_version = 77");
      database.close();
    },
    remedy: /^Update knowledge-server/,
  },
};

test.each(Object.keys(TROUBLES))(
  "%s: the remedy fits, and the check changes no byte",
  async (name) => {
    const folder = copy();
    TROUBLES[name]?.spoil(folder);
    const before = fingerprint(folder);
    const { state, remedy } = await check(folder);
    expect(state).toBe("fail");
    const said = [remedy ?? []].flat().map(toEnglish).join(" ");
    expect(said).toMatch(TROUBLES[name]?.remedy ?? /never/);
    if (name !== "overwritten pages" && name !== "a cut file")
      expect(fingerprint(folder)).toEqual(before);
  },
);

test("an intact folder is healthy, and an empty one has no knowledge base yet", async () => {
  expect(await check(copy())).toEqual({ state: "ok", detail: toMessage("folderSound") });
  expect(await check(join(sound, "..", "nothing"))).toEqual({
    state: "ok",
    detail: toMessage("folderNew"),
  });
});

test("processes that have the folder open are named; maintenance is named as the reason for refusals", async () => {
  const folder = copy();
  const held = lockShared(folder, "http");
  expect((await examineFolder(folder)).detail).toEqual(toMessage("folderSound"));
  held.release();
  const alone = lockExclusive(folder, "restore");
  const { detail, remedy } = await check(folder);
  expect(toEnglish(detail)).toContain(`by 'knowledge-server restore' (process ${process.pid},`);
  expect(remedy).toBeUndefined();
  alone.release();
});

test("the program's own refusal becomes a finding", () => {
  const error = new KnowledgeError("STORE_TOO_NEW", "Newer.");
  expect(toOutcome(error)).toMatchObject({
    state: "fail",
    detail: toMessage("stated", "Newer."),
    remedy: toMessage("updateProgram"),
  });
});
