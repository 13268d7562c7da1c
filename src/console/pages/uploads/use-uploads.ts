// The tab's queue of uploads, kept in sync with the server's tasks: often while there are any, otherwise rarely.
import { useEffect, useLayoutEffect, useState } from "preact/hooks";
import type { TasksView } from "../../../tools/documents/contract.ts";
import { call, readJson } from "../state/mcp.ts";
import { hasEnded, type Item } from "./upload-items.ts";
import { openUploadQueue, type UploadQueue } from "./upload-queue.ts";

const BUSY_MS = 800;
const IDLE_MS = 10_000;
// Tasks run oldest first: when all of these have ended, the next ones are requested at once.
const ASKED_AT_ONCE = 16;

/** There is one queue per tab; `active` is true once the server has accepted this person. */
export function useUploadQueue(active: boolean): UploadQueue {
  const [queue] = useState(openUploadQueue);
  useEffect(() => {
    if (!active) return;
    const abort = new AbortController();
    void followTasks(queue, abort.signal);
    return () => abort.abort();
  }, [queue, active]);
  useLayoutEffect(() => {
    const warn = (event: BeforeUnloadEvent) => {
      const { items } = queue.view();
      if (items.some((item) => item.file && !item.taskId && !hasEnded(item)))
        event.preventDefault();
    };
    addEventListener("beforeunload", warn);
    return () => removeEventListener("beforeunload", warn);
  }, [queue]);
  return queue;
}

/** Calls back when more documents can be found. */
export function useOnAdded(queue: UploadQueue, onAdded: () => void): void {
  const [count, setCount] = useState(0);
  useLayoutEffect(() => {
    const isReady = ({ state }: Item) => state === "completed";
    return queue.subscribe(() => setCount(queue.view().items.filter(isReady).length));
  }, [queue]);
  useEffect(() => {
    if (count > 0) onAdded();
  }, [count]);
}

async function followTasks(queue: UploadQueue, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const busy = document.hidden ? false : await step(queue, signal).catch(() => false);
    await pause(busy ? BUSY_MS : IDLE_MS, queue, signal);
  }
}

async function step(queue: UploadQueue, signal: AbortSignal): Promise<boolean> {
  const { tasks, open } = await readJson<TasksView>("knowledge://tasks", signal);
  const listed = tasks.filter(({ status }) => status === "queued" || status === "running");
  queue.takeOpen(listed, open.queued + open.running);
  await askAfter(queue, new Set(listed.map(({ task_id }) => task_id)), signal);
  return open.queued + open.running > 0 || openTasksOf(queue).length > 0;
}

function openTasksOf(queue: UploadQueue): readonly string[] {
  const open = queue.view().items.filter((item) => !hasEnded(item));
  return open.flatMap(({ taskId }) => (taskId ? [taskId] : []));
}

/** Items that are open here but missing from the server's list have ended, or are far back in the queue. */
async function askAfter(
  queue: UploadQueue,
  listed: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<void> {
  const unsure = openTasksOf(queue).filter((taskId) => !listed.has(taskId));
  for (let at = 0; at < unsure.length && !signal.aborted; at += ASKED_AT_ONCE) {
    const asked = unsure.slice(at, at + ASKED_AT_ONCE);
    const updates = await Promise.all(
      asked.map((task_id) => call("knowledge-task-status", { task_id }, signal)),
    );
    for (const [index, update] of updates.entries()) {
      queue.takeStatus(asked[index] ?? "", update);
    }
    if (updates.some(({ status }) => status === "queued" || status === "running")) return;
  }
}

/** The pause ends early when files are added. */
function pause(ms: number, queue: UploadQueue, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const known = openTasksOf(queue).length;
    const end = () => {
      clearTimeout(timer);
      unsubscribe();
      resolve();
    };
    const timer = setTimeout(end, ms);
    const unsubscribe = queue.subscribe(() => {
      if (ms > BUSY_MS && openTasksOf(queue).length > known) end();
    });
    signal.addEventListener("abort", end, { once: true });
  });
}
