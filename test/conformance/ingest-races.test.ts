// Content that is added again while its last document is removed: the add keeps the bytes that the removal releases.
import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Ingest } from "../../src/ingest/ingest.ts";
import type { Store } from "../../src/store/store.ts";
import { openPlainIngest } from "../support/plain-ingest.ts";
import { tempFolder } from "../support/temp-folder.ts";
import { type TempDatabase, tempDatabase } from "../support/temp-postgres.ts";
import { openStoreHere } from "../support/temp-store.ts";

const NEVER = new AbortController().signal;
const ADD = { metadata: {}, forceOcr: false, signal: NEVER };
const ROUNDS = 12;

let folder: string;
let database: TempDatabase | undefined;
beforeAll(async () => {
  folder = tempFolder("races");
  mkdirSync(join(folder, "files"));
  database = await tempDatabase();
});
afterAll(async () => {
  await database?.drop();
  rmSync(folder, { recursive: true, force: true });
});

describe.each(["sqlite", "postgres"] as const)("on %s", (kind) => {
  const stores: Store[] = [];
  const open = () => {
    const dataDir = join(folder, "data");
    const store = kind === "sqlite" ? openStoreHere(dataDir) : database?.open();
    if (store) stores.push(store);
    return store;
  };
  afterAll(async () => void (await Promise.all(stores.map((store) => store.close()))));

  const ingestOn = (store: Store) =>
    openPlainIngest({ store, dataDir: join(folder, "data"), root: join(folder, "files") });
  const path = () => join(folder, "files", "note.txt");
  const add = async (ingest: Ingest) => {
    const { task } = await ingest.enqueue({ kind: "file", path: path() }, ADD);
    return ingest.finish(task.id, { signal: NEVER });
  };
  const expectWhole = async (store: Store, id: string) => {
    const found = await store.documents.get(id);
    // The removal came last and removed the document.
    if (found) expect(await store.originals.has(found.contentHash)).toBe(true);
    return found;
  };

  test("a removal between storing the bytes and queueing the task loses nothing", async ({
    skip,
  }) => {
    const [store, other] = [open(), open()];
    if (!store || !other) return skip("no PostgreSQL, as was said on stderr");
    writeFileSync(path(), "The same note, added twice.");
    const first = await add(ingestOn(store));
    const enqueue: Store["tasks"]["enqueue"] = async (id, request) => {
      await other.documents.remove(first.result?.documentId ?? "");
      return store.tasks.enqueue(id, request);
    };
    const again = await add(ingestOn({ ...store, tasks: { ...store.tasks, enqueue } }));
    expect(again).toMatchObject({ status: "completed", result: { alreadyPresent: false } });
    expect(await expectWhole(store, again.result?.documentId ?? "")).toBeDefined();
  });

  test("a removal that takes the bytes aside before they are read loses nothing", async ({
    skip,
  }) => {
    const store = kind === "sqlite" ? open() : undefined;
    if (!store) return skip("originals are rows, which cannot be taken aside");
    writeFileSync(path(), "A note whose file is taken aside.");
    const taken: string[] = [];
    const openAside: Store["originals"]["open"] = async (hash) => {
      const opened = await store.originals.open(hash);
      if (taken.length === 2) return opened;
      taken.push(`${opened.path}.${taken.length}.part`);
      renameSync(opened.path, taken.at(-1) as string);
      return opened;
    };
    const originals = { ...store.originals, open: openAside };
    const added = await add(ingestOn({ ...store, originals }));
    expect(added).toMatchObject({ status: "completed" });
    expect(taken).toHaveLength(2);
    expect(await expectWhole(store, added.result?.documentId ?? "")).toBeDefined();
  });

  test("a removal at any other moment loses nothing either", { timeout: 300_000 }, async ({
    skip,
  }) => {
    const [store, other] = [open(), open()];
    if (!store || !other) return skip("no PostgreSQL, as was said on stderr");
    const ingest = ingestOn(store);
    for (let round = 0; round < ROUNDS; round++) {
      writeFileSync(path(), `Note of round ${round}.`);
      const first = await add(ingest);
      const [again] = await Promise.all([
        add(ingest),
        other.documents.remove(first.result?.documentId ?? ""),
      ]);
      expect(again.status).toBe("completed");
      await expectWhole(store, again.result?.documentId ?? "");
    }
  });
});
