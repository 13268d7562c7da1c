// A folder is one task: its counts, what stays after a cancel, and what another process makes of it after a crash.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import type { Extract } from "../../src/extract/extract.ts";
import type { Ingest } from "../../src/ingest/ingest.ts";
import type { Store } from "../../src/store/store.ts";
import { bothStores } from "../support/both-stores.ts";
import { eventually } from "../support/eventually.ts";
import { openPlainIngest } from "../support/plain-ingest.ts";
import { type Gate, openGate, plainExtract } from "../support/plain-parts.ts";

const NEVER = new AbortController().signal;
const ADD = { metadata: { team: "blue" }, forceOcr: false, signal: NEVER };

const stores = bothStores("folder-task");

describe.each(["sqlite", "postgres"] as const)("on %s", (kind) => {
  const opened: { close(): Promise<void> }[] = [];
  const gate = openGate();
  const root = () => stores.folder(kind, "files");
  afterEach(async () => {
    gate.open();
    for (const each of opened.splice(0).reverse()) await each.close();
    stores.remove(kind);
  });

  const openStore = (): Store => {
    const store = stores.open(kind);
    opened.push(store);
    return store;
  };
  const ingestOn = (store: Store): Ingest => {
    mkdirSync(root(), { recursive: true });
    const dataDir = stores.folder(kind, "data");
    const extract = slowExtract(gate);
    const ingest = openPlainIngest({ store, dataDir, root: root(), extract });
    opened.push(ingest);
    return ingest;
  };
  const begin = async () => {
    const store = openStore();
    await store.documents.clear();
    return { store, ingest: ingestOn(store) };
  };
  const write = (name: string, text: string) => {
    const path = join(root(), name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  };
  const add = async (ingest: Ingest, path = join(root(), "docs")) => {
    const { task } = await ingest.enqueue({ kind: "file", path }, ADD);
    return ingest.finish(task.id, { signal: NEVER });
  };

  test("every file is counted once, and failures have a reason", async ({ skip }) => {
    stores.skipWithout(kind, skip);
    const { store, ingest } = await begin();
    write("docs/one.txt", "The first note.");
    write("docs/deep/er/two.md", "The second note.");
    write("docs/twin.txt", "The first note.");
    write("docs/broken.txt", "corrupt");
    write("docs/arrow.png", " ");
    write("docs/ignored.txt", "Nobody reads this.");
    write("docs/node_modules/package.txt", "Nor this.");
    write("docs/.gitignore", "ignored.txt\n");
    const { status, result } = await add(ingest);
    expect(status).toBe("completed");
    const counts = { found: 5, added: 2, unchanged: 1, failed: 1, skipped: 1 };
    const failures = [
      { file: "broken.txt", error: "corrupt_file", message: "The file is damaged." },
    ];
    const leftOut = { ignored: 1, hidden: 2 };
    expect(result?.folder).toEqual({ ...counts, failures, leftOut });
    expect(result?.chunksCreated).toBe(2);
    const { documents } = await store.documents.list(PAGE);
    expect(documents.map(({ metadata }) => metadata["team"])).toEqual(["blue", "blue"]);
    const again = await add(ingest);
    expect(again.result?.folder).toMatchObject({ added: 0, unchanged: 3, failed: 1, skipped: 1 });
    write("docs/one.txt", "The first note, changed.");
    write("docs/twin.txt", "The first note, changed.");
    expect((await add(ingest)).result?.folder).toMatchObject({ added: 1, unchanged: 2 });
  });

  test("a cancel keeps the files already added and leaves nothing of the rest", async ({
    skip,
  }) => {
    stores.skipWithout(kind, skip);
    const { store, ingest } = await begin();
    for (let n = 1; n <= 3; n += 1) {
      write(`docs/quick ${n}.txt`, `Note number ${n}.`);
      write(`docs/slow ${n}.txt`, `Slow note number ${n}.`);
    }
    gate.shut();
    ingest.start();
    const { task, found } = await ingest.enqueue({ kind: "file", path: join(root(), "docs") }, ADD);
    expect(found).toBe(6);
    ingest.watch(task.id, () => {});
    await eventually(() => expect(gate.waiting).toBe(2));
    expect((await ingest.task(task.id)).progress).toMatchObject({
      completedSteps: 3,
      totalSteps: 6,
      folder: { found: 6, added: 3 },
    });
    const cancelled = await ingest.cancel(task.id);
    gate.open();
    await eventually(() => expect(gate.waiting).toBe(0));
    const { documents, total } = await store.documents.list(PAGE);
    expect(cancelled).toMatchObject({
      status: "cancelled",
      progress: { folder: { added: total } },
    });
    expect(total).toBeLessThan(6);
    for (const { contentHash } of documents)
      expect(await store.originals.has(contentHash)).toBe(true);
  });

  test("another process finishes a folder whose worker died, and counts all of it", async ({
    skip,
  }) => {
    stores.skipWithout(kind, skip);
    const { store, ingest } = await begin();
    for (let n = 1; n <= 4; n += 1) write(`docs/${n}.txt`, `Note number ${n}.`);
    write("docs/broken.txt", "corrupt");
    const { task } = await ingest.enqueue({ kind: "file", path: join(root(), "docs") }, ADD);
    const claimed = await store.tasks.claimById(task.id, "dead:1", 60_000);
    expect(claimed?.request.many).toBe("folder");
    // What the dead worker had stored by then.
    await add(ingest, join(root(), "docs", "1.txt"));
    await store.tasks.expire(task.id, "dead:1");
    const other = ingestOn(openStore());
    const { status, result } = await other.finish(task.id, { signal: NEVER });
    expect(status).toBe("completed");
    expect(result?.folder).toMatchObject({ found: 5, added: 4, unchanged: 0, failed: 1 });
  });

  test("a folder outside the roots is refused like a file there; an empty one is reported as empty", async ({
    skip,
  }) => {
    stores.skipWithout(kind, skip);
    const { ingest } = await begin();
    mkdirSync(join(root(), "empty"));
    await expect(add(ingest, join(root(), "empty"))).rejects.toMatchObject({
      code: "EMPTY_DOCUMENT",
    });
    for (const path of [stores.folder(kind), "/etc", join(root(), ".hidden")]) {
      mkdirSync(join(root(), ".hidden"), { recursive: true });
      await expect(add(ingest, path)).rejects.toMatchObject({ code: "ACCESS_DENIED" });
    }
  });
});

/** Files named slow wait at the gate. */
function slowExtract(gate: Gate): Extract {
  const plain = plainExtract(openGate());
  return {
    ...plain,
    async extract(source, options = {}) {
      if (source.filename.startsWith("slow")) await gate.pass(options.signal);
      return plain.extract(source, options);
    },
  };
}

const PAGE = { limit: 50, offset: 0, sortBy: "filename", sortOrder: "asc" } as const;
