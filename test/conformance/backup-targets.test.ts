// Where a backup may be written, over what, and what a restore takes: every spelling of a place, with and without --force.
import {
  appendFileSync,
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join, relative } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { openDatabase } from "../../src/store/sqlite/database.ts";
import { backupTo } from "../../src/store/sqlite/upkeep/backup.ts";
import { restoreFrom } from "../../src/store/sqlite/upkeep/restore.ts";
import { fingerprint, makeFolder, readContents } from "../support/damaged-folder.ts";
import { tempFolder } from "../support/temp-folder.ts";

let base: string;
let dataDir: string;
let place: string;
let turn = 0;

beforeAll(async () => {
  base = tempFolder("backup");
  dataDir = join(base, "data");
  await makeFolder(dataDir);
});
beforeEach(() => {
  turn += 1;
  place = join(base, `place-${turn}`);
  mkdirSync(place);
});

const watch = { signal: new AbortController().signal, onProgress: () => {} };
const backup = (file: string, force = false) => backupTo({ dataDir, file, force }, watch);

/** Each spells a place in the data folder in another way. */
const INSIDE: Readonly<Record<string, () => string>> = {
  "a new file": () => join(dataDir, "kb.backup"),
  "the database": () => join(dataDir, "knowledge.db"),
  "its log": () => join(dataDir, "knowledge.db-wal"),
  "the lock": () => join(dataDir, "lock.db"),
  "among the originals": () => join(dataDir, "originals", "kb.backup"),
  "with dots": () => `${place}/../data/./kb.backup`,
  "with doubled slashes": () => `${base}//data//kb.backup`,
  "through a linked folder": () => {
    symlinkSync(dataDir, join(place, "linked"));
    return join(place, "linked", "kb.backup");
  },
  "through a folder that is linked twice": () => {
    symlinkSync(join(dataDir, "originals"), join(place, "one"));
    symlinkSync("one", join(place, "two"));
    return join(place, "two", "kb.backup");
  },
  "a link to the database": () => {
    symlinkSync(join(dataDir, "knowledge.db"), join(place, "link"));
    return join(place, "link");
  },
  "a relative link to the database": () => {
    symlinkSync(relative(place, join(dataDir, "knowledge.db")), join(place, "link"));
    return join(place, "link");
  },
  "a hard link to the database": () => {
    linkSync(join(dataDir, "knowledge.db"), join(place, "hard"));
    return join(place, "hard");
  },
};

describe.each([false, true])("with force: %s", (force) => {
  test.each(Object.keys(INSIDE))("the data folder is refused, spelled as %s", async (name) => {
    const target = INSIDE[name]?.() ?? "";
    const before = fingerprint(dataDir);
    await expect(backup(target, force)).rejects.toMatchObject({ code: "INVALID_PARAMETER" });
    expect(fingerprint(dataDir)).toEqual(before);
  });

  test("a folder, a device and a link to nothing are refused", async () => {
    symlinkSync(join(place, "nothing"), join(place, "dangling"));
    for (const target of [place, "/dev/null", join(place, "dangling")]) {
      await expect(backup(target, force)).rejects.toMatchObject({ code: "INVALID_PARAMETER" });
    }
    expect(statSync("/dev/null").isCharacterDevice()).toBe(true);
    expect(readdirSync(place)).toEqual(["dangling"]);
  });
});

const FOREIGN: Readonly<Record<string, (path: string) => void>> = {
  "a text": (path) => writeFileSync(path, "my thesis"),
  "an empty file": (path) => writeFileSync(path, ""),
  "another database": (path) => {
    const other = new DatabaseSync(path);
    other.exec("CREATE TABLE backup_info (key TEXT, value TEXT); CREATE TABLE t (a)");
    other.close();
  },
  "a database in use": (path) => {
    const other = new DatabaseSync(path);
    other.exec("PRAGMA journal_mode = WAL; CREATE TABLE t (a)");
    other.close();
  },
};

test.each(Object.keys(FOREIGN))("%s is replaced only with force", async (name) => {
  const file = join(place, "file");
  FOREIGN[name]?.(file);
  const before = fingerprint(place);
  await expect(backup(file)).rejects.toMatchObject({ code: "STORE_NOT_EMPTY" });
  await expect(restoreFrom(file, join(base, "never"), watch)).rejects.toMatchObject({
    code: "CORRUPT_FILE",
  });
  expect(fingerprint(place)).toEqual(before);
  expect(existsSync(join(base, "never"))).toBe(false);
  await backup(file, true);
  expect(readdirSync(place)).toEqual(["file"]);
});

test("a backup is private under any umask and replaces an older one, also through a link", async () => {
  const old = process.umask(0);
  try {
    const file = join(place, "kb.backup");
    const first = await backup(file);
    symlinkSync("kb.backup", join(place, "latest"));
    chmodSync(file, 0o644);
    expect(await backup(join(place, "latest"))).toEqual(first);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(place).sort()).toEqual(["kb.backup", "latest"]);
    const restored = join(place, "restored");
    mkdirSync(restored);
    await restoreFrom(file, restored, watch);
    const files = readdirSync(restored, { recursive: true, withFileTypes: true });
    for (const each of files.filter((entry) => entry.isFile()))
      expect(statSync(join(each.parentPath, each.name)).mode & 0o077).toBe(0);
    expect(await readContents(restored)).toEqual(await readContents(dataDir));
  } finally {
    process.umask(old);
  }
});

test("other files next to the target are kept, and so is the older backup if a new one fails", async () => {
  const file = join(place, "kb.backup");
  await backup(file);
  writeFileSync(`${file}.part`, "mine");
  const before = fingerprint(place);
  const stopped = AbortSignal.abort();
  await expect(
    backupTo({ dataDir, file, force: false }, { ...watch, signal: stopped }),
  ).rejects.toThrow();
  expect(fingerprint(place)).toEqual(before);
});

test("a file that appears or changes meanwhile is not replaced", async () => {
  const fresh = join(place, "fresh");
  const known = join(place, "known");
  await backup(known);
  const whenReading = (path: string) => ({
    ...watch,
    onProgress: ({ done }: { readonly done: number }) => {
      if (done === 1) appendFileSync(path, "written meanwhile");
    },
  });
  for (const file of [fresh, known]) {
    await expect(backupTo({ dataDir, file, force: true }, whenReading(file))).rejects.toMatchObject(
      { message: expect.stringContaining("in the meantime") },
    );
    expect(readFileSync(file, "latin1")).toMatch(/written meanwhile$/);
  }
  expect(readdirSync(place).sort()).toEqual(["fresh", "known"]);
});

describe("a restore", () => {
  test("leaves no write-ahead log of another database next to the restored one", async () => {
    const file = join(place, "kb.backup");
    await backup(file);
    const target = join(place, "data");
    mkdirSync(target);
    for (const ending of ["-wal", "-shm"])
      writeFileSync(join(target, `knowledge.db${ending}`), "of another");
    await restoreFrom(file, target, watch);
    expect(readdirSync(target).filter((name) => name.startsWith("knowledge.db"))).toEqual([
      "knowledge.db",
    ]);
    const [aside = ""] = readdirSync(target).filter((name) => name.startsWith("left-over-"));
    expect(readdirSync(join(target, aside)).sort()).toEqual([
      "knowledge.db-shm",
      "knowledge.db-wal",
    ]);
  });

  test("does not replace a database that appears meanwhile", async () => {
    const file = join(place, "kb.backup");
    await backup(file);
    const target = join(place, "data");
    mkdirSync(target);
    const onProgress = ({ done, total }: { readonly done: number; readonly total: number }) => {
      if (done === total) openDatabase(target).close();
    };
    await expect(restoreFrom(file, target, { ...watch, onProgress })).rejects.toMatchObject({
      code: "STORE_NOT_EMPTY",
    });
    expect((await readContents(target)).documents.size).toBe(0);
    expect(readdirSync(target).filter((name) => name.includes("restoring"))).toEqual([]);
  });

  describe("of a damaged backup", () => {
    let sound: Buffer;
    let target: string;
    let before: unknown;

    beforeEach(async () => {
      await backup(join(place, "kb.backup"));
      sound = readFileSync(join(place, "kb.backup"));
      target = join(place, "data");
      mkdirSync(join(target, "originals"), { recursive: true });
      writeFileSync(join(target, "mine.txt"), "mine");
      before = fingerprint(target);
    });

    const refuses = async (what: string, bytes: Uint8Array) => {
      const file = join(place, "damaged.backup");
      writeFileSync(file, bytes);
      const code = await restoreFrom(file, target, watch).then(
        () => `restored, with ${what}`,
        (error: { readonly code?: string }) => error.code,
      );
      expect(code, what).toBe("CORRUPT_FILE");
      expect(fingerprint(target), what).toEqual(before);
    };

    test("a flipped bit anywhere is noticed before anything is written", async () => {
      const step = Math.ceil(sound.length / 150);
      const across = Array.from({ length: 150 }, (_, at) => at * step + ((at * 37) % step));
      const header = Array.from({ length: 20 }, (_, at) => at * 5);
      const end = Array.from({ length: 25 }, (_, at) => sound.length - 1 - at * 4);
      for (const at of new Set([...header, ...across, ...end])) {
        if (at >= sound.length) continue;
        const bytes = Buffer.from(sound);
        bytes[at] = (bytes[at] ?? 0) ^ (1 << (at % 8));
        await refuses(`bit ${at % 8} of byte ${at} flipped`, bytes);
      }
    });

    test("missing and additional bytes are noticed before anything is written", async () => {
      const pages = Array.from({ length: 20 }, (_, at) => Math.floor((sound.length / 20) * at));
      const pageEnds = pages.map((at) => at - (at % 4096));
      const atEnd = [1, 2, 50, 97, 98, 4096].map((count) => sound.length - count);
      for (const length of new Set([...pages, ...pageEnds, ...atEnd]))
        await refuses(`${length} of ${sound.length} bytes`, sound.subarray(0, length));
      const line = sound.subarray(sound.lastIndexOf("\nknowledge-server backup sha256"));
      for (const more of [Buffer.from("x"), Buffer.alloc(4096), line, sound]) {
        await refuses(`${more.length} bytes more`, Buffer.concat([sound, more]));
        await refuses(`${more.length} bytes before`, Buffer.concat([more, sound]));
      }
    });

    test("a backup without its checksum is refused", async () => {
      await refuses(
        "no checksum",
        sound.subarray(0, sound.lastIndexOf("\nknowledge-server backup sha256")),
      );
    });
  });
});
