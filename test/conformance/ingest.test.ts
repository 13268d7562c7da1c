import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { readInternalMetadata, visibleMetadata } from "../../src/domain/internal-metadata.ts";
import type { Task, TaskProgress } from "../../src/domain/task.ts";
import { nameWorker } from "../../src/ingest/queue/worker-name.ts";
import { openTrash } from "../../src/store/core/trash.ts";
import { eventually } from "../support/eventually.ts";
import { type TempIngest, tempIngest } from "../support/temp-ingest.ts";

let at: TempIngest;
const never = new AbortController().signal;
const LARGE = "Large, because of these words. ".repeat(2_000);
const plain = { metadata: {}, forceOcr: false, signal: never };

beforeEach(async () => {
  at = await tempIngest();
});
afterEach(() => at.dispose());

const queue = (path: string, options: Partial<typeof plain> = {}) =>
  at.ingest.enqueue({ kind: "file", path }, { ...plain, ...options });

async function add(path: string, options: Partial<typeof plain> = {}): Promise<Task> {
  const { task } = await queue(path, options);
  return at.ingest.finish(task.id, { signal: never });
}

async function originals(): Promise<readonly string[]> {
  const found = await readdir(join(at.temp.dataDir, "originals"), { recursive: true }).catch(
    () => [],
  );
  return found.filter((name) => /[0-9a-f]{64}$/.test(name));
}

const trashed = () => openTrash(join(at.temp.dataDir, "trash")).list();

const ended = (id: string) =>
  eventually(async () => {
    const task = await at.store.tasks.get(id);
    expect(["completed", "failed", "cancelled"]).toContain(task?.status);
    return task as Task;
  });

describe("adding", () => {
  test("a queued task is durable before the call returns, and does not need its source", async () => {
    const path = await at.write("a.txt", "The quick brown fox jumps over the lazy dog.");
    const { task } = await queue(path);
    await rm(path);
    const other = await at.another();
    other.ingest.start();
    expect((await ended(task.id)).result?.chunksCreated).toBe(1);
  });

  test("progress reaches the waiting caller", async () => {
    at.gate.shut();
    const { task } = await queue(await at.write("a.txt", "Some text to read."));
    const steps: unknown[] = [];
    const onProgress = ({ currentStep }: TaskProgress) => void steps.push(...currentStep);
    const done = at.ingest.finish(task.id, { signal: never, onProgress });
    await eventually(() => expect(steps).toContainEqual({ code: "page", values: ["1", "2"] }));
    at.gate.open();
    expect((await done).status).toBe("completed");
  });

  test("the same content added several times at once becomes one document", async () => {
    const files = await Promise.all(
      ["a", "b", "c", "d"].map((name) => at.write(`${name}.txt`, "One and the same content.")),
    );
    const added = await Promise.all(files.map((file) => add(file)));
    expect(new Set(added.map(({ result }) => result?.documentId)).size).toBe(1);
    expect(added.filter(({ result }) => result?.alreadyPresent === false)).toHaveLength(1);
    expect((await at.store.documents.totals()).documents).toBe(1);
  });

  test("adding the same content again returns the existing document with the new metadata merged in", async () => {
    const first = await add(await at.write("a.txt", "One and the same content."), {
      metadata: { author: "Ann", tags: ["x"] },
    });
    const again = await add(await at.write("b.txt", "One and the same content."), {
      metadata: { tags: ["y"] },
    });
    expect(again.result).toMatchObject({
      alreadyPresent: true,
      documentId: first.result?.documentId,
    });
    expect(at.extract.count()).toBe(1);
    const document = await at.store.documents.get(first.result?.documentId ?? "");
    const { metadata = {} } = document ?? {};
    expect(visibleMetadata(metadata)).toEqual({ author: "Ann", tags: ["y"] });
    expect(readInternalMetadata(metadata)).toMatchObject({ revision: 1, otherNames: ["b.txt"] });
    const page = { limit: 9, offset: 0, sortBy: "filename", sortOrder: "asc" } as const;
    for (const match of ["a.txt", "b.txt"]) {
      expect((await at.store.documents.list({ ...page, match })).total).toBe(1);
    }
  });

  test("changed content at the same path replaces the document under its id", async () => {
    const path = await at.write("a.txt", "The first version.");
    const first = await add(path);
    const second = await add(await at.write("a.txt", "The second version."));
    expect(second.result?.documentId).toBe(first.result?.documentId);
    const document = await at.store.documents.get(first.result?.documentId ?? "");
    expect(readInternalMetadata(document?.metadata ?? {}).revision).toBe(2);
    expect((await at.store.documents.extracted(document?.id ?? ""))?.text).toContain("second");
    const third = await add(await at.write("a.txt", "The third version."));
    const again = await at.store.documents.get(third.result?.documentId ?? "");
    expect([again?.id, readInternalMetadata(again?.metadata ?? {}).revision]).toEqual([
      document?.id,
      3,
    ]);
    expect((await at.store.documents.totals()).documents).toBe(1);
    expect(second.result?.alreadyPresent).toBe(false);
    expect(await originals()).toHaveLength(1);
  });

  test("force_ocr reads known content again and keeps its id", async () => {
    const path = await at.write("a.txt", "Read me twice.");
    const first = await add(path);
    const second = await add(path, { forceOcr: true });
    expect(second.result).toMatchObject({
      documentId: first.result?.documentId,
      alreadyPresent: false,
    });
    expect(at.extract.count()).toBe(2);
    expect((await at.store.documents.totals()).documents).toBe(1);
  });

  test("force_ocr warns about formats it does not apply to", async () => {
    const { result } = await add(await at.write("a.txt", "Plain text."), { forceOcr: true });
    expect(result?.warnings).toEqual([{ code: "ocrNotForFormat", values: ["TXT"] }]);
  });

  test("a file that cannot be read fails with its reason, and is in the trash only", async () => {
    const path = await at.write("a.txt", "corrupt bytes");
    const task = await add(path);
    expect(task.failure).toEqual({ error: "corrupt_file", message: "The file is damaged." });
    expect(await originals()).toEqual([]);
    const { contentHash: hash } = task.request;
    expect(await trashed()).toEqual([
      expect.objectContaining({ hash, why: "failed", filename: "a.txt", sourcePath: path }),
    ]);
    expect(await readdir(join(at.temp.dataDir, "incoming"))).toEqual([]);
  });

  test("a full queue refuses an add, stores nothing of it, and accepts it later", async () => {
    const small = await tempIngest({ maxQueued: 1 });
    try {
      const enqueue = async (name: string) =>
        small.ingest.enqueue({ kind: "file", path: await small.write(name, `In ${name}.`) }, plain);
      const { task } = await enqueue("a.txt");
      await expect(enqueue("b.txt")).rejects.toMatchObject({
        code: "OVERLOADED",
        details: { retry_after_seconds: 60 },
      });
      expect(await small.store.tasks.counts()).toMatchObject({ queued: 1 });
      await small.ingest.finish(task.id, { signal: never });
      await enqueue("b.txt");
    } finally {
      await small.dispose();
    }
  });

  test("an upload is added under its bare name", async () => {
    async function* bytes() {
      yield Buffer.from("Uploaded text.");
    }
    const source = { kind: "upload", filename: "..\\..\\up.txt", bytes: bytes() } as const;
    const { task } = await at.ingest.enqueue(source, plain);
    expect((await at.ingest.finish(task.id, { signal: never })).result?.filename).toBe("up.txt");
  });

  test.each([
    ["UNSUPPORTED_FORMAT", "a.xyz", "x"],
    ["EMPTY_DOCUMENT", "a.txt", ""],
    ["FILE_TOO_LARGE", "a.txt", "x".repeat(1024 * 1024 + 1)],
  ])("%s is reported before a task is made", async (code, name, text) => {
    await expect(queue(await at.write(name, text))).rejects.toMatchObject({ code });
    expect((await at.store.tasks.counts()).queued).toBe(0);
    expect(await originals()).toEqual([]);
  });

  test("an unsupported extension is refused without touching the disk", async () => {
    await expect(queue("/no/such/folder/a.xyz")).rejects.toMatchObject({
      code: "UNSUPPORTED_FORMAT",
      message: expect.stringMatching(
        /^Unsupported file format: \.xyz\. Use PDF, .* Also supported: MD, TXT, /,
      ),
    });
  });
});

describe("cancelling", () => {
  test("a running task stops at once and leaves nothing", async () => {
    at.gate.shut();
    const { task } = await queue(await at.write("a.txt", "Never stored."));
    const done = at.ingest.finish(task.id, { signal: never });
    await eventually(() => expect(at.gate.waiting).toBe(1));
    expect((await at.ingest.cancel(task.id)).status).toBe("cancelled");
    expect((await done).status).toBe("cancelled");
    expect(at.gate.waiting).toBe(0);
    expect(await originals()).toEqual([]);
    expect(await trashed()).toEqual([]);
    expect((await at.store.documents.totals()).documents).toBe(0);
  });

  test("another process's cancel stops the work here", async () => {
    at.gate.shut();
    const other = await at.another();
    const { task } = await queue(await at.write("a.txt", "Never stored."));
    at.ingest.start();
    await eventually(() => expect(at.gate.waiting).toBe(1));
    await other.ingest.cancel(task.id);
    await eventually(() => expect(at.gate.waiting).toBe(0));
    await eventually(async () => expect(await originals()).toEqual([]));
  });

  test("the caller's signal cancels a synchronous add", async () => {
    at.gate.shut();
    const { task } = await queue(await at.write("a.txt", "Never stored."));
    const stop = new AbortController();
    const done = at.ingest.finish(task.id, { signal: stop.signal });
    await eventually(() => expect(at.gate.waiting).toBe(1));
    stop.abort();
    await expect(done).rejects.toMatchObject({ code: "CANCELLED" });
    expect((await at.ingest.task(task.id)).status).toBe("cancelled");
  });

  test("a call that is cancelled before the work starts cancels the task too", async () => {
    at.gate.shut();
    const { task } = await queue(await at.write("a.txt", "Never stored either."));
    const { status } = await at.ingest.finish(task.id, { signal: AbortSignal.abort() });
    expect(status).toBe("cancelled");
    expect(at.gate.waiting).toBe(0);
    expect((await at.ingest.task(task.id)).status).toBe("cancelled");
  });

  test("an ended task is not changed by a cancel", async () => {
    const task = await add(await at.write("a.txt", "Stored."));
    expect((await at.ingest.cancel(task.id)).status).toBe("completed");
  });
});

describe("workers", () => {
  test("a process that closes returns its task to the queue, and another finishes it", async () => {
    at.gate.shut();
    const other = await at.another();
    const { task } = await queue(await at.write("a.txt", "Handed over."));
    at.ingest.start();
    await eventually(() => expect(at.gate.waiting).toBe(1));
    await at.ingest.close();
    expect(await at.store.tasks.get(task.id)).toMatchObject({ status: "queued", attempts: 0 });
    at.gate.open();
    other.ingest.start();
    expect((await ended(task.id)).status).toBe("completed");
  });

  test("a dead worker's task is claimed at once", async () => {
    const { task } = await queue(await at.write("a.txt", "Left behind."));
    const dead = nameWorker().replace(/\|\d+\|/, "|4194303|");
    await at.store.tasks.claim(dead, 600_000);
    at.ingest.start();
    expect((await ended(task.id)).status).toBe("completed");
  });

  test("only a few waiting callers are served at a time", async () => {
    at.gate.shut();
    const paths = await Promise.all(
      Array.from({ length: 7 }, (_, n) =>
        at.write(`${n}.txt`, `Waited for, number ${n}. ${LARGE}`),
      ),
    );
    const added = Promise.all(paths.map((path) => add(path)));
    await eventually(() => expect(at.gate.waiting).toBe(4));
    at.gate.open();
    expect((await added).map(({ status }) => status)).toEqual(Array(7).fill("completed"));
    expect(at.extract.count()).toBe(7);
  });

  const from = async (caller: string, name: string, text: string) => {
    const path = await at.write(name, `${name} ${text}`);
    const add = { ...plain, caller };
    return (await at.ingest.enqueue({ kind: "file", path }, add)).task.id;
  };

  test("callers take turns, and a small file passes those that hold every worker", async () => {
    at.gate.shut();
    for (const name of ["1.txt", "2.txt", "3.txt", "4.txt"]) await from("a", name, LARGE);
    await from("b", "5.txt", LARGE);
    at.ingest.start();
    await eventually(() => expect(at.gate.waiting).toBe(2));
    const running = async () => {
      const open = await at.ingest.tasks({ limit: 50, open: true });
      return open.filter(({ status }) => status === "running").map(({ request }) => request);
    };
    expect((await running()).map(({ caller }) => caller).sort()).toEqual(["a", "b"]);
    const small = await from("a", "note.md", "A line.");
    await eventually(async () =>
      expect((await running()).map(({ filename }) => filename)).toContain("note.md"),
    );
    at.gate.open();
    expect((await ended(small)).status).toBe("completed");
  });

  test("a caller who waits for a small file passes those who wait for large ones", async () => {
    at.gate.shut();
    const wait = async (task: string) => at.ingest.finish(task, { signal: never });
    const names = ["1.txt", "2.txt", "3.txt", "4.txt", "5.txt", "6.txt"];
    const large = await Promise.all(names.map((name) => from("a", name, LARGE)));
    const all = large.map(wait);
    await eventually(() => expect(at.gate.waiting).toBe(4));
    all.push(wait(await from("b", "note.md", "A line.")));
    await eventually(() => expect(at.gate.waiting).toBe(5));
    at.gate.open();
    for (const task of await Promise.all(all)) expect(task.status).toBe("completed");
  });

  test("a file that crashed its process too often fails", async () => {
    const { task } = await queue(await at.write("a.txt", "Poison."));
    for (let time = 0; time < 5; time += 1) {
      await at.store.tasks.claim("somebody", 600_000);
      await at.store.tasks.expire(task.id, "somebody");
    }
    at.ingest.start();
    expect((await ended(task.id)).failure?.error).toBe("interrupted");
    expect(at.extract.count()).toBe(0);
  });

  test("two processes never run the same task", async () => {
    const other = await at.another();
    at.ingest.start();
    other.ingest.start();
    const ids: string[] = [];
    for (let n = 0; n < 12; n += 1) {
      ids.push((await queue(await at.write(`${n}.txt`, `Text number ${n}.`))).task.id);
    }
    for (const id of ids) expect((await ended(id)).attempts).toBe(1);
    expect(at.extract.count()).toBe(12);
    // A task completes shortly before its document is reported.
    await eventually(async () => expect(new Set(at.stored).size).toBe(12));
  });
});

describe("without the model", () => {
  test("a document is stored without vectors and embedded when the model is available again", async () => {
    at.embed.isUnavailable = true;
    const task = await add(await at.write("a.txt", "Words alone will do."));
    expect(task.status).toBe("completed");
    expect(await at.ingest.staleCount()).toBe(1);
    at.embed.isUnavailable = false;
    at.ingest.start();
    await eventually(async () => expect(await at.ingest.staleCount()).toBe(0));
    const vector = await at.embed.query("Words alone will do.");
    expect(await at.store.documents.nearest({ vector, limit: 1 })).toHaveLength(1);
  });
});
