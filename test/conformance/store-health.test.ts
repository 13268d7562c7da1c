// "Healthy" means that an add would work: the check performs the steps of an add.
import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  chownSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { StoreHealth } from "../../src/store/store.ts";
import { addWithOriginal, keepText } from "../support/aged-folder.ts";
import { tempFolder } from "../support/temp-folder.ts";
import { type TempIngest, tempIngest } from "../support/temp-ingest.ts";
import { openStoreHere } from "../support/temp-store.ts";

const PROGRAM = fileURLToPath(new URL("../support/children/sqlite-process.ts", import.meta.url));
const DENIED = { code: "storageDenied", values: [] };
const NOBODY = 65534;

describe("an embedded store", () => {
  let folder: string;
  let dataDir: string;
  beforeEach(async () => {
    folder = tempFolder("health");
    dataDir = join(folder, "data");
    mkdirSync(dataDir);
    const store = openStoreHere(dataDir);
    await addWithOriginal(store, dataDir, "some words");
    await store.close();
  });

  const originals = () => join(dataDir, "originals");

  /** What a fresh process says, and whether it keeps a file. */
  async function look() {
    const store = openStoreHere(dataDir);
    try {
      const health = await store.health();
      const kept = await keepText(store, dataDir, "more words").then(
        () => "kept",
        (error: { code?: string }) => error.code,
      );
      return { health, kept };
    } finally {
      await store.close();
    }
  }

  test("is healthy, and the check leaves nothing behind", async () => {
    const before = readdirSync(originals());
    const { health, kept } = await look();
    expect(health).toMatchObject({ connected: true, originalsAccessible: true, issues: [] });
    expect(kept).toBe("kept");
    expect(readdirSync(originals())).toEqual(expect.arrayContaining(before));
    expect(readdirSync(originals()).filter((name) => name.startsWith("."))).toEqual([]);
  });

  test("reports a missing folder of originals until it is back", async () => {
    renameSync(originals(), join(folder, "elsewhere"));
    const { health, kept } = await look();
    expect(health).toMatchObject({ connected: true, originalsAccessible: false });
    expect(health.issues).toEqual([{ code: "originalsMissing", values: [] }]);
    expect(kept).toBe("STORE_UNAVAILABLE");
    renameSync(join(folder, "elsewhere"), originals());
    expect((await look()).health.issues).toEqual([]);
  });

  test("accepts an empty folder that replaces a lost one", async () => {
    rmSync(originals(), { recursive: true });
    mkdirSync(originals());
    const { health, kept } = await look();
    expect(health.issues).toEqual([]);
    expect(kept).toBe("kept");
  });

  test("recognises another knowledge base's originals", async () => {
    const other = join(folder, "other");
    mkdirSync(other);
    const store = openStoreHere(other);
    await addWithOriginal(store, other, "other words");
    await store.close();
    rmSync(originals(), { recursive: true });
    renameSync(join(other, "originals"), originals());
    const { health } = await look();
    expect(health).toMatchObject({ connected: true, originalsAccessible: false });
    expect(health.issues).toEqual([{ code: "originalsOfOther", values: [] }]);
  });

  test("reports a file in place of the folder", async () => {
    rmSync(originals(), { recursive: true });
    writeFileSync(originals(), "");
    const { health, kept } = await look();
    expect(health.issues).toEqual([{ code: "storageNoFolder", values: [] }]);
    expect(kept).not.toBe("kept");
  });

  /** As a user who may not write everywhere, which root may. */
  async function lookAsNobody(): Promise<StoreHealth> {
    const child = spawn(process.execPath, [PROGRAM, dataDir, "health"], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const [said] = await Promise.all([text(child.stdout), once(child, "close")]);
    return JSON.parse(said) as StoreHealth;
  }

  function giveToNobody(): void {
    if (process.getuid?.() !== 0) return;
    chmodSync(folder, 0o755);
    chownSync(dataDir, NOBODY, NOBODY);
    for (const name of readdirSync(dataDir, { recursive: true, encoding: "utf8" })) {
      chownSync(join(dataDir, name), NOBODY, NOBODY);
    }
  }

  test.each([0o555, 0o000])(
    "reports originals of mode %o with the contract's message",
    async (mode) => {
      giveToNobody();
      chmodSync(originals(), mode);
      const health = await lookAsNobody();
      chmodSync(originals(), 0o700);
      expect(health).toMatchObject({
        connected: true,
        originalsAccessible: false,
        issues: [DENIED],
      });
    },
  );
});

test("a disk that is nearly full is reported before an add fails", async ({ skip }) => {
  const folder = tempFolder("small");
  const run = async (command: string, ...args: string[]) => {
    const [code] = await once(spawn(command, args, { stdio: "ignore" }), "close").catch(() => [1]);
    return code === 0;
  };
  try {
    if (!(await run("mount", "-t", "tmpfs", "-o", "size=16m", "tmpfs", folder))) {
      return skip("this user may not mount a small file system");
    }
    const store = openStoreHere(folder);
    const { connected, issues } = await store.health();
    expect(connected).toBe(true);
    expect(issues).toEqual([{ code: "littleSpace", values: [expect.stringMatching(/^1\d$/)] }]);
    await store.close();
  } finally {
    await run("umount", folder);
    rmSync(folder, { recursive: true, force: true });
  }
});

describe("ingest", () => {
  let at: TempIngest;
  beforeEach(async () => {
    at = await tempIngest();
    await at.store.documents.totals();
  });
  afterEach(() => at.dispose());

  test("is healthy, and reports a read-only folder", async () => {
    expect(await at.ingest.problem()).toBeUndefined();
    const { ingest } = await at.another();
    rmSync(join(at.temp.dataDir, "incoming"), { recursive: true });
    writeFileSync(join(at.temp.dataDir, "incoming"), "");
    expect(await ingest.problem()).toEqual({ code: "storageNoFolder", values: [] });
  });
});
