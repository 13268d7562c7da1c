import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { toMessage } from "../../../src/domain/phrases/messages.ts";
import type { TaskProgress, TaskResult } from "../../../src/domain/task.ts";
import { eventually } from "../../support/eventually.ts";
import {
  addSample,
  foundTexts,
  sampleDocument,
  sampleHash,
} from "../../support/sample-documents.ts";
import type { Subject } from "../store.suite.ts";

const LONG_MS = 60_000;
const REQUEST = {
  contentHash: sampleHash("task"),
  filename: "見積.pdf",
  sourcePath: "/in/見積.pdf",
  sizeBytes: 123,
  metadata: { tags: ["a"] },
  forceOcr: true,
};
const PROGRESS: TaskProgress = {
  currentStep: [toMessage("embedding")],
  completedSteps: 2,
  totalSteps: 4,
  fraction: 0.5,
};
const RESULT: TaskResult = {
  documentId: "d",
  filename: "f",
  chunksCreated: 3,
  alreadyPresent: false,
  warnings: [{ code: "pageWithoutText", values: ["2"] }],
};
const FAILURE = { error: "corrupt_file", message: "It is broken.", reason: toMessage("notJson") };

export function taskCases(subject: Subject): void {
  const enqueue = async () => (await subject.store.tasks.enqueue(randomUUID(), REQUEST)).id;
  const running = async (worker = "w1", leaseMs = LONG_MS) => {
    const id = await enqueue();
    await subject.store.tasks.claimById(id, worker, leaseMs);
    return id;
  };

  describe("tasks", () => {
    test("a queued task keeps its request", async () => {
      const { tasks } = subject.store;
      const id = randomUUID();
      const task = await tasks.enqueue(id, REQUEST);
      expect(task).toMatchObject({ id, status: "queued", attempts: 0, request: REQUEST });
      expect(await tasks.get(id)).toEqual(task);
      expect(await tasks.get("nobody")).toBeUndefined();
      expect(task).not.toHaveProperty("worker");
      expect(task).not.toHaveProperty("startedAt");
    });

    test("the oldest is claimed first, each by one worker", async () => {
      const { tasks } = subject.store;
      const ids = [await enqueue(), await enqueue()];
      expect((await tasks.claim("w1", LONG_MS))?.id).toBe(ids[0]);
      const second = await tasks.claim("w2", LONG_MS);
      expect(second).toMatchObject({ id: ids[1], status: "running", attempts: 1, worker: "w2" });
      expect(second?.startedAt).toBeDefined();
      const currentStep = [{ code: "reading", values: [] }];
      const claimed = { currentStep, completedSteps: 0, totalSteps: 20, fraction: 0 };
      expect(second?.progress).toEqual(claimed);
      expect((await tasks.get(ids[1] ?? ""))?.progress).toEqual(claimed);
      expect(await tasks.claim("w3", LONG_MS)).toBeUndefined();
    });

    test("callers who were served come after the others, and small files can be chosen", async () => {
      const { tasks } = subject.store;
      const add = async (caller: string, sizeBytes: number) => {
        const from = caller === "" ? {} : { caller };
        await tasks.enqueue(randomUUID(), { ...REQUEST, ...from, sizeBytes });
      };
      for (const caller of ["a", "a", "b", "", "b"]) await add(caller, 1_000);
      await add("c", 10);
      const claim = async (served: readonly string[], maxBytes?: number) => {
        const choice = { served, ...(maxBytes === undefined ? {} : { maxBytes }) };
        const task = await tasks.claim("w1", LONG_MS, choice);
        return task && (task.request.caller ?? "");
      };
      expect(await claim(["a"])).toBe("b");
      expect(await claim(["a", "b"], 10)).toBe("c");
      expect(await claim([], 10)).toBeUndefined();
      expect(await claim(["a", "b"])).toBe("");
      expect(await claim(["a", "b"])).toBe("a");
      expect([await claim(["a"]), await claim(["a"]), await claim(["a"])]).toEqual([
        "b",
        "a",
        undefined,
      ]);
    });

    test("workers of several processes never claim the same task", async () => {
      const stores = [subject.store, await subject.another(), await subject.another()];
      // More tasks than workers, so that a worker often meets a task that another one is just taking.
      for (let round = 0; round < 12; round += 1) {
        const ids = await Promise.all(Array.from({ length: 60 }, enqueue));
        const claimed = await Promise.all(
          ids.map((_, at) => stores[at % stores.length]?.tasks.claim(`w${at}`, LONG_MS)),
        );
        expect(claimed.map((task) => task?.id).sort()).toEqual([...ids].sort());
      }
    });

    test("a task whose lease ran out is claimed again", async () => {
      const { tasks } = subject.store;
      const id = await running("dead");
      expect(await tasks.claim("w2", LONG_MS)).toBeUndefined();
      await tasks.renew(id, "dead", 1, PROGRESS);
      await eventually(async () =>
        expect(await tasks.claim("w2", LONG_MS)).toMatchObject({ id, attempts: 2, worker: "w2" }),
      );
      expect(await tasks.renew(id, "dead", LONG_MS, PROGRESS)).toBe("lease-lost");
      expect(await tasks.complete(id, "dead", RESULT)).toBe("lease-lost");
      expect(await tasks.fail(id, "dead", FAILURE)).toBe("lease-lost");
    });

    test("renewing extends the lease and shows progress", async () => {
      const { tasks } = subject.store;
      const id = await running("w1", 60);
      expect(await tasks.renew(id, "w1", LONG_MS, PROGRESS)).toBe("renewed");
      await pause(100);
      expect(await tasks.claim("w2", LONG_MS)).toBeUndefined();
      expect((await tasks.get(id))?.progress).toEqual(PROGRESS);
    });

    test("a task can be claimed by its id only while it is free", async () => {
      const { tasks } = subject.store;
      const id = await enqueue();
      expect(await tasks.claimById(id, "w1", LONG_MS)).toMatchObject({ id, worker: "w1" });
      expect(await tasks.claimById(id, "w2", LONG_MS)).toBeUndefined();
      expect(await tasks.claimById("nobody", "w2", LONG_MS)).toBeUndefined();
    });

    test("a completed task has its result and is not claimed again", async () => {
      const { tasks } = subject.store;
      const id = await running();
      expect(await tasks.complete(id, "w2", RESULT)).toBe("lease-lost");
      expect(await tasks.complete(id, "w1", RESULT)).toBe("ended");
      const task = await tasks.get(id);
      expect(task).toMatchObject({ status: "completed", result: RESULT });
      expect(task?.finishedAt).toBeDefined();
      expect(task?.progress.fraction).toBe(1);
      expect(task).not.toHaveProperty("worker");
      expect(await tasks.complete(id, "w1", RESULT)).toBe("lease-lost");
      expect(await tasks.claim("w3", LONG_MS)).toBeUndefined();
    });

    test("a failed task says why", async () => {
      const { tasks } = subject.store;
      const id = await running();
      expect(await tasks.fail(id, "w1", FAILURE)).toBe("ended");
      expect(await tasks.get(id)).toMatchObject({ status: "failed", failure: FAILURE });
    });

    test("a released task is queued again and the attempt does not count", async () => {
      const { tasks } = subject.store;
      const id = await running();
      await tasks.release(id, "w2");
      expect((await tasks.get(id))?.status).toBe("running");
      await tasks.release(id, "w1");
      expect(await tasks.get(id)).toMatchObject({ status: "queued", attempts: 0 });
      expect(await tasks.claim("w2", LONG_MS)).toMatchObject({ id, attempts: 1 });
    });

    test("an expired lease frees the task at once and the attempt counts", async () => {
      const { tasks } = subject.store;
      const id = await running("dead");
      await tasks.expire(id, "somebody else");
      expect(await tasks.claim("w2", LONG_MS)).toBeUndefined();
      await tasks.expire(id, "dead");
      expect(await tasks.claim("w2", LONG_MS)).toMatchObject({ id, attempts: 2 });
    });

    test("a task whose lease ran out is shown as queued until it is claimed or renewed", async () => {
      const { tasks } = subject.store;
      const id = await running("dead");
      const busy = await running("w1");
      const waiting = await enqueue();
      const open = async () => (await tasks.list({ limit: 9, open: true })).map((task) => task.id);
      await tasks.renew(id, "dead", LONG_MS, PROGRESS);
      expect(await open()).toEqual([busy, id, waiting]);
      await tasks.renew(id, "dead", 1, PROGRESS);
      await eventually(async () =>
        expect(await tasks.get(id)).toMatchObject({ status: "queued", progress: { fraction: 0 } }),
      );
      const left = await tasks.get(id);
      expect(left).not.toHaveProperty("worker");
      expect(left).not.toHaveProperty("startedAt");
      expect(await open()).toEqual([busy, waiting, id]);
      expect(await tasks.list({ limit: 9 })).toContainEqual(left);
      expect(await tasks.counts()).toEqual({ queued: 2, running: 1 });
      expect(await tasks.renew(id, "dead", LONG_MS, PROGRESS)).toBe("renewed");
      expect(await tasks.get(id)).toMatchObject({ status: "running", progress: PROGRESS });
      expect(await tasks.counts()).toEqual({ queued: 1, running: 2 });
    });

    test("cancelling ends a queued or running task and no other", async () => {
      const { tasks } = subject.store;
      const queued = await enqueue();
      expect(await tasks.cancel(queued)).toMatchObject({ status: "cancelled" });
      const busy = await running();
      expect(await tasks.cancel(busy)).toMatchObject({ id: busy, status: "cancelled" });
      expect(await tasks.renew(busy, "w1", LONG_MS, PROGRESS)).toBe("lease-lost");
      const done = await running();
      await tasks.complete(done, "w1", RESULT);
      expect(await tasks.cancel(done)).toMatchObject({ status: "completed", result: RESULT });
      expect(await tasks.cancel("nobody")).toBeUndefined();
      expect(await tasks.claim("w2", LONG_MS)).toBeUndefined();
    });

    test("storing the document completes its task in the same step", async () => {
      const { documents, tasks } = subject.store;
      const id = await running();
      const { document, chunks } = sampleDocument(["done words"]);
      expect(await documents.put(document, chunks, { taskId: id, worker: "w1" })).toBe("stored");
      expect(await tasks.get(id)).toMatchObject({
        status: "completed",
        result: {
          documentId: document.id,
          filename: document.filename,
          chunksCreated: 1,
          alreadyPresent: false,
        },
      });
      expect(await foundTexts(documents, "done")).toEqual(["done words"]);
    });

    test("content that another document has is not stored a second time", async () => {
      const { documents } = subject.store;
      const stores = [subject.store, await subject.another()];
      const ids = [await running("w1"), await running("w1")];
      const contentHash = sampleHash("one content");
      const stored = await Promise.all(
        stores.map((store, at) => {
          const { document, chunks } = sampleDocument(["same words"], { contentHash });
          return store.documents.put(document, chunks, { taskId: ids[at] ?? "", worker: "w1" });
        }),
      );
      expect(stored.toSorted()).toEqual(["duplicate", "stored"]);
      expect((await documents.totals()).documents).toBe(1);
      expect(await foundTexts(documents, "same")).toEqual(["same words"]);
    });

    test.each(["cancelled", "taken over"])(
      "nothing is stored for a task that was %s",
      async (how) => {
        const { documents, tasks } = subject.store;
        const id = await running("w1", how === "cancelled" ? LONG_MS : 1);
        if (how === "cancelled") await tasks.cancel(id);
        else {
          await pause(20);
          await tasks.claim("w2", LONG_MS);
        }
        const { document, chunks } = sampleDocument(["late words"]);
        expect(await documents.put(document, chunks, { taskId: id, worker: "w1" })).toBe(
          "lease-lost",
        );
        expect(await documents.get(document.id)).toBeUndefined();
        expect(await foundTexts(documents, "late")).toEqual([]);
      },
    );

    test("adopting a document completes its task in the same transaction", async () => {
      const { documents, tasks } = subject.store;
      const document = await addSample(documents, ["twice"]);
      const part = { taskId: await running("w1"), worker: "w1" };
      const again = { sourcePath: "/part", metadata: { of: "a folder" } };
      expect(await documents.adopt(document, again, { ...part, isPart: true })).toBe("adopted");
      expect(await tasks.get(part.taskId)).toMatchObject({ status: "running" });
      expect(await documents.adopt(document, { metadata: {} }, part)).toBe("adopted");
      const result = { documentId: document, chunksCreated: 1, alreadyPresent: true };
      expect(await tasks.get(part.taskId)).toMatchObject({ status: "completed", result });
    });

    test("a task that is no longer held adopts nothing", async () => {
      const { documents, tasks } = subject.store;
      const document = await addSample(documents, ["mine"], { sourcePath: "/here" });
      const taskId = await running("w1");
      await tasks.cancel(taskId);
      const moved = { sourcePath: "/there", metadata: { late: true } };
      expect(await documents.adopt(document, moved, { taskId, worker: "w1" })).toBe("lease-lost");
      expect(await documents.get(document)).toMatchObject({ sourcePath: "/here", metadata: {} });
      expect(await tasks.get(taskId)).toMatchObject({ status: "cancelled" });
    });

    test("lists the newest first, or the open ones with the running first, and counts these", async () => {
      const { tasks } = subject.store;
      const first = await running();
      await tasks.complete(first, "w1", RESULT);
      const second = await running();
      const third = await enqueue();
      const ids = async (options: { limit: number; open?: boolean }) =>
        (await tasks.list(options)).map((task) => task.id);
      expect(await ids({ limit: 10 })).toEqual([third, second, first]);
      expect(await ids({ limit: 10, open: true })).toEqual([second, third]);
      expect(await ids({ limit: 1, open: true })).toEqual([second]);
      expect(await ids({ limit: 1 })).toEqual([third]);
      expect(await tasks.counts()).toEqual({ queued: 1, running: 1 });
    });

    test("pruning deletes tasks that ended before the given time, and no open ones", async () => {
      const { tasks } = subject.store;
      const done = await running();
      await tasks.complete(done, "w1", RESULT);
      const open = await enqueue();
      expect(await tasks.prune("2000-01-01T00:00:00.000Z")).toBe(0);
      expect(await tasks.prune("2999-01-01T00:00:00.000Z", 1)).toBe(0);
      expect(await tasks.prune(new Date(Date.now() + 1000).toISOString())).toBe(1);
      expect(await tasks.get(done)).toBeUndefined();
      expect((await tasks.get(open))?.status).toBe("queued");
    });
  });
}
