// Background work is audited too: without an audit line nothing changes. The list comes from the code.
import { mkdir, readFile, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { BACKGROUND, type BackgroundAction } from "../../src/domain/call/audit-event.ts";
import type { Task } from "../../src/domain/task.ts";
import { openReindexer } from "../../src/ingest/add/reindex.ts";
import { openTidying } from "../../src/ingest/queue/tidy.ts";
import { openRefiner } from "../../src/ingest/refine/refiner.ts";
import { openSources } from "../../src/ingest/sources/schedule.ts";
import { openAudit } from "../../src/observe/audit.ts";
import { openLog } from "../../src/observe/log.ts";
import { openTrash } from "../../src/store/core/trash.ts";
import { type AccessControl, openAccessControl } from "../../src/tools/access-control.ts";
import { eventually } from "../support/eventually.ts";
import { gitIn } from "../support/git-server.ts";
import { lightLetterEmbed } from "../support/plain-parts.ts";
import { sampleDocument } from "../support/sample-documents.ts";
import { silentLog } from "../support/silent-log.ts";
import { type TempIngest, tempIngest } from "../support/temp-ingest.ts";

const log = silentLog();
const { signal } = new AbortController();

/** Of the moment: a case is arranged while changes are allowed. */
let access: AccessControl;
let looks = 0;
let at: TempIngest;
let root: string;

const openOn = (path: string | undefined) =>
  openAccessControl({ audit: openAudit(path), onAuditFailure: "refuse", log });

beforeEach(async () => {
  access = openOn(undefined);
  at = await tempIngest({
    perform: (...given) => access.perform(...given),
    allowsChanges: () => {
      looks += 1;
      return access.allowsChanges();
    },
  });
  root = join(at.root, "watched");
  await mkdir(root);
  await writeFile(join(root, "note.txt"), "A note about herons.");
  repository = join(at.root, "repository");
  await mkdir(repository);
});
afterEach(() => at.dispose());

async function queue(): Promise<Task> {
  const source = { kind: "file", path: await at.write("queued.txt", "A queued note.") } as const;
  return (await at.ingest.enqueue(source, { metadata: {}, forceOcr: false, signal })).task;
}

const FIRST = { limit: 10, offset: 0, sortBy: "filename", sortOrder: "asc" } as const;
let repository: string;

const addedSource = (settings = {}) =>
  at.ingest.sources.put({ kind: "git", address: repository, settings });

async function syncNow(id: string) {
  const task = await at.ingest.sources.sync(id, signal);
  const { failure } = await at.ingest.finish(task.id, { signal });
  if (failure) throw new Error(failure.error);
}

async function syncedSource(files: Readonly<Record<string, string>>) {
  await gitIn(repository, "init", "-q");
  for (const [name, text] of Object.entries(files)) await writeFile(join(repository, name), text);
  await gitIn(repository, "add", "-A");
  await gitIn(repository, "commit", "-q", "-m", "x");
  const id = await addedSource();
  await syncNow(id);
  return id;
}

/** The first thing that a schedule does. */
function scheduled(more: Partial<Parameters<typeof openSources>[0]> = {}) {
  const ended = Promise.withResolvers<unknown>();
  const schedule = openSources({
    ...{ store: at.store, log, sourcesDir: at.root, allowsChanges: async () => true },
    ...{ enqueue: at.ingest.enqueue, task: at.ingest.task, ...more },
    ...{ roots: [at.root], closed: [], home: at.root, workingDirectory: at.root },
    perform: (...given) => {
      const performed = access.perform(...given);
      performed.then(ended.resolve, ended.reject);
      return performed;
    },
  });
  return async () => {
    schedule.start();
    await ended.promise.finally(() => schedule.close());
  };
}

/** Arranges while changes are allowed, then does the act; resolves when it is over, made or not. */
const CASES: Readonly<Record<BackgroundAction, () => Promise<() => Promise<unknown>>>> = {
  "source-add": async () =>
    scheduled({
      configured: [{ kind: "folder", address: root, settings: { everySeconds: 3_600 } }],
    }),
  "source-sync": async () => {
    const id = await addedSource({ everySeconds: 3_600 });
    await at.store.sources.change(id, { nextRun: new Date(0).toISOString() });
    return scheduled();
  },
  "source-move": async () => {
    const id = await syncedSource({ "a.md": "Same.", "b.md": "Same." });
    const [document] = (await at.store.documents.list(FIRST)).documents;
    const held = document?.sourcePath?.endsWith("a.md") ? "a.md" : "b.md";
    await gitIn(repository, "rm", "-q", held);
    await gitIn(repository, "commit", "-q", "-m", "x");
    return () => syncNow(id);
  },
  "source-remove": async () => {
    const id = await syncedSource({ "a.md": "One.", "b.md": "Two." });
    await gitIn(repository, "rm", "-q", "a.md");
    await gitIn(repository, "commit", "-q", "-m", "x");
    return () => syncNow(id);
  },
  "document-store": async () => {
    const { id } = await queue();
    return async () => {
      const { failure } = await at.ingest.finish(id, { signal });
      if (failure) throw new Error(failure.error);
    };
  },
  refine: async () => {
    const { document, chunks } = sampleDocument(["waits"]);
    await at.store.documents.put(
      document,
      chunks.map((chunk) => ({ ...chunk, encoding: "waiting" as const })),
    );
    const refiner = openRefiner({
      refinements: at.store.refinements,
      embed: lightLetterEmbed(),
      under: { fingerprint: document.fingerprint },
      isBusy: () => false,
      allowsChanges: async () => true,
      perform: (...given) => access.perform(...given),
      log,
    });
    return () => refiner.run(signal).finally(() => refiner.close());
  },
  reindex: async () => {
    const folder = { kind: "folder", address: root, settings: {} } as const;
    await syncNow(await at.ingest.sources.put(folder));
    const ended = Promise.withResolvers<unknown>();
    const mender = openReindexer({
      store: at.store,
      indexer: { under: { fingerprint: "newer" }, index: async () => [] },
      log,
      isBusy: () => false,
      everyMs: 3_600_000,
      perform: (...given) => {
        const performed = access.perform(...given);
        performed.then(ended.resolve, ended.reject);
        return performed;
      },
    });
    return async () => {
      mender.start();
      await ended.promise.finally(() => mender.close());
    };
  },
  tidy: async () => {
    const left = join(at.temp.dataDir, "incoming", "left");
    await mkdir(join(at.temp.dataDir, "incoming"), { recursive: true });
    await writeFile(left, "A copy of a process that died.");
    const longAgo = new Date(Date.now() - 7_200_000);
    await utimes(left, longAgo, longAgo);
    const ended = Promise.withResolvers<unknown>();
    // A store that was created just now is not swept.
    const { ingest } = await at.another();
    return async () => {
      const { perform } = access;
      access = {
        ...access,
        perform: (...given) => {
          const performed = perform(...given);
          if (given[0].action === "tidy") performed.then(ended.resolve, ended.reject);
          return performed;
        },
      };
      ingest.start();
      await ended.promise;
    };
  },
};

async function look() {
  const { documents } = await at.store.documents.totals();
  const all = await at.store.documents.stale("none", 100);
  const stored = await Promise.all(all.ids.map((id) => at.store.documents.get(id)));
  const left = await stat(join(at.temp.dataDir, "incoming", "left")).then(
    () => true,
    () => false,
  );
  return { documents, paths: stored.map((document) => document?.sourcePath).sort(), left };
}

describe.each(Object.keys(BACKGROUND) as BackgroundAction[])("%s", (did) => {
  test("writes its audit lines", async () => {
    const audit = join(at.temp.dataDir, "audit");
    const run = await CASES[did]();
    const before = await look();
    access = openOn(audit);
    await run();
    const lines = (await readFile(audit, "utf8")).trim().split("\n");
    const entries = lines.map((line) => JSON.parse(line)).filter((entry) => entry.did === did);
    expect(entries).toMatchObject([
      { who: "server", outcome: "started" },
      { who: "server", outcome: "done", id: entries[0]?.id },
    ]);
    // Reindexing and refining change what documents are found by, a sync that begins only the queue.
    if (!["reindex", "refine", "source-add", "source-sync"].includes(did))
      expect(await look()).not.toEqual(before);
  });

  test("is refused and changes nothing if its audit line cannot be written", async () => {
    const run = await CASES[did]();
    const before = await look();
    access = openOn("/dev/full");
    await expect(run()).rejects.toThrow(/audit/i);
    expect(await look()).toEqual(before);
  });
});

test("queued documents wait while the audit log cannot be written, and continue when it can", async () => {
  const { id } = await queue();
  access = openOn("/proc/none/audit");
  looks = 0;
  at.ingest.start();
  await eventually(() => expect(looks).toBeGreaterThan(1));
  expect(await at.store.tasks.get(id)).toMatchObject({ status: "queued" });
  access = openOn(undefined);
  await eventually(async () =>
    expect(await at.store.tasks.get(id)).toMatchObject({ status: "completed" }),
  );
});

/** Tidying on a closed store, with its lines in the audit log and in the other. */
async function tidyClosed() {
  const audit = join(at.temp.dataDir, "audit");
  const logged: string[] = [];
  const { store } = await at.another();
  await store.close();
  const tidying = openTidying({
    store,
    incomingDir: join(at.temp.dataDir, "incoming"),
    trash: openTrash(join(at.temp.dataDir, "trash")),
    log: openLog({ level: "debug", write: (line) => void logged.push(line) }),
    perform: openOn(audit).perform,
  });
  const audited = async () =>
    (await readFile(audit, "utf8"))
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
  return { tidying, audited, logged };
}

test("tidying that fails is not audited as done, and logged", async () => {
  const { tidying, audited, logged } = await tidyClosed();
  tidying.start();
  await eventually(async () =>
    expect(await audited()).toMatchObject([
      { did: "tidy", outcome: "started" },
      { did: "tidy", outcome: "failed", error: "store_unavailable" },
    ]),
  );
  await eventually(() => expect(logged.join("\n")).toContain("ingest.tidy-failed"));
  await tidying.close();
});

test("tidying that a stopping server cuts short is audited as interrupted, and not logged", async () => {
  const { tidying, audited, logged } = await tidyClosed();
  tidying.start();
  await tidying.close();
  await eventually(async () =>
    expect(await audited()).toMatchObject([
      { did: "tidy", outcome: "started" },
      { did: "tidy", outcome: "failed", error: "interrupted" },
    ]),
  );
  await turn();
  expect(logged).toEqual([]);
});
