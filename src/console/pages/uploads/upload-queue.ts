// Uploads while the tab is open: files are sent a few at a time, then followed as tasks until they end. The queue is
// not bound to a page, so leaving a page loses nothing; after a reload it finds the server's tasks again.
import { useEffect, useLayoutEffect, useState } from "preact/hooks";
import type { ListedTask, TasksView } from "../../../tools/documents/contract.ts";
import { authHeaders, call, readJson, unreached } from "../state/mcp.ts";
import { openStore } from "../state/store.ts";
import type { NamedFile } from "./dropped-files.ts";
import { fromResponse, fromTask, hasEnded, type Item, type UploadPlace } from "./upload-items.ts";

export type UploadQueue = ReturnType<typeof openUploadQueue>;

interface QueueView {
  readonly items: readonly Item[];
  /** The number of open tasks that are not in the server's list because there are too many. */
  readonly unlisted: number;
  /** When the first item of this round was added. */
  readonly since: number;
  /** What files are added with from now on. */
  readonly place: UploadPlace;
}

// Browsers allow six connections to a host; three leave room for the page's own calls.
const AT_ONCE = 3;
// Thousands of changes per second are drawn only a few times per second.
const ANNOUNCE_MS = 120;

type Change = (key: string, next: Partial<Item>) => void;

/** The items, and what is shown of them. */
function openItems() {
  const items = new Map<string, Item>();
  // Tasks of items that were removed: a list that is on its way may still have them.
  const dismissed = new Set<string>();
  const store = openStore<QueueView>({
    ...{ items: [], unlisted: 0, since: 0 },
    place: { scope: "", tags: "" },
  });
  let timer: ReturnType<typeof setTimeout> | undefined;
  const show = (next: Partial<QueueView> = {}) =>
    store.set({ ...store.get(), ...next, items: [...items.values()] });
  const announce = () => {
    if (timer !== undefined) return;
    timer = setTimeout(() => {
      timer = undefined;
      show();
    }, ANNOUNCE_MS);
  };
  const change: Change = (key, next) => {
    const item = items.get(key);
    if (item) items.set(key, { ...item, ...next });
    announce();
  };
  /** A new round starts here: items that ended before are not part of its total. */
  const begin = () => {
    if ([...items.values()].some((item) => !hasEnded(item))) return;
    items.clear();
    show({ since: Date.now() });
  };
  /** Removes items that have ended. */
  const clear = () => {
    for (const [key, item] of items) {
      if (!hasEnded(item)) continue;
      if (item.taskId) dismissed.add(item.taskId);
      items.delete(key);
    }
    announce();
  };
  return { items, dismissed, store, show, announce, change, begin, clear };
}

function openUploadQueue() {
  const opened = openItems();
  const { items, store, show, announce, change, begin, clear } = opened;
  let lastKey = 0;
  const sender = openSender(items, change);
  return {
    ...store,
    ...sender,
    add(files: readonly NamedFile[]) {
      begin();
      const { place } = store.get();
      for (const { file, name } of files) {
        lastKey += 1;
        const key = `file-${lastKey}`;
        items.set(key, { key, name, file, place, state: "waiting", fraction: 0, step: [] });
      }
      sender.pump();
      announce();
    },
    setPlace: (place: UploadPlace) => show({ place }),
    retry(key: string) {
      change(key, { state: "waiting", fraction: 0, step: [] });
      sender.pump();
    },
    cancelAll() {
      for (const key of [...items.keys()]) sender.cancel(key);
    },
    clear,
    /** Asks the server about its tasks; true while any is open. */
    follow: (signal: AbortSignal) => follow(opened, signal),
  };
}

function openSender(items: Map<string, Item>, change: Change) {
  const sending = new Map<string, AbortController>();
  const send = async ({ key, name, place }: Item, file: File) => {
    const abort = new AbortController();
    sending.set(key, abort);
    change(key, { state: "uploading", fraction: 0, step: [] });
    const address = `/api/upload?${toQuery(name, place)}`;
    const onProgress = (fraction: number) => change(key, { fraction });
    const outcome = await sendFile({ address, file }, abort.signal, onProgress);
    sending.delete(key);
    // The server's list may have included the task before this upload's response arrived.
    if (outcome.taskId) items.delete(outcome.taskId);
    if (items.get(key)?.state === "cancelled") cancelTask(outcome.taskId);
    else change(key, outcome);
    pump();
  };
  const pump = () => {
    for (const item of items.values()) {
      if (sending.size >= AT_ONCE) return;
      if (item.state === "waiting" && item.file) void send(item, item.file);
    }
  };
  const cancel = (key: string) => {
    const item = items.get(key);
    if (!item || hasEnded(item)) return;
    change(key, { state: "cancelled", step: [] });
    sending.get(key)?.abort();
    cancelTask(item.taskId);
  };
  return { pump, cancel };
}

async function follow(
  { items, dismissed, show, change, begin }: ReturnType<typeof openItems>,
  signal: AbortSignal,
): Promise<boolean> {
  const { tasks, open } = await readJson<TasksView>("knowledge://tasks", signal);
  const listed = tasks.filter(
    ({ status, task_id: id }) =>
      (status === "queued" || status === "running") && !dismissed.has(id),
  );
  if (listed.length > 0) begin();
  takeListed(items, listed);
  const ids = new Set(listed.map(({ task_id: id }) => id));
  const unsure = openTasksOf(items).filter(({ taskId }) => !ids.has(taskId));
  await askAfter(unsure, change, signal);
  const left = openTasksOf(items).length;
  show({ unlisted: Math.max(0, open.queued + open.running - left) });
  return open.queued + open.running + left > 0;
}

/** The tasks of this tab's files, and those of others. */
function takeListed(items: Map<string, Item>, listed: readonly ListedTask[]): void {
  const keys = new Map([...items.values()].map(({ key, taskId }) => [taskId, key]));
  for (const task of listed) {
    const { task_id: taskId, filename: name } = task;
    const key = keys.get(taskId) ?? taskId;
    const item = items.get(key) ?? { key, name, state: "queued", fraction: 0, step: [] };
    if (!hasEnded(item)) items.set(key, { ...item, taskId, ...fromTask(task) });
  }
}

function openTasksOf(items: ReadonlyMap<string, Item>) {
  return [...items.values()].flatMap((item) => {
    const { key, taskId } = item;
    return taskId === undefined || hasEnded(item) ? [] : [{ key, taskId }];
  });
}

// Tasks run oldest first: when all of these have ended, the next ones are requested at once.
const ASKED_AT_ONCE = 16;

/** Items that are open here but missing from the server's list have ended, or are far back in the queue. */
async function askAfter(
  unsure: ReturnType<typeof openTasksOf>,
  change: Change,
  signal: AbortSignal,
): Promise<void> {
  for (let at = 0; at < unsure.length && !signal.aborted; at += ASKED_AT_ONCE) {
    const asked = unsure.slice(at, at + ASKED_AT_ONCE).map(async ({ key, taskId }) => {
      const next = fromTask(await call("knowledge-task-status", { task_id: taskId }, signal));
      change(key, next);
      return next.state === "queued" || next.state === "running";
    });
    if ((await Promise.all(asked)).some(Boolean)) return;
  }
}

function cancelTask(taskId: string | undefined): void {
  if (taskId) void call("knowledge-task-cancel", { task_id: taskId }).catch(() => undefined);
}

function toQuery(filename: string, { scope, tags }: UploadPlace = { scope: "", tags: "" }) {
  const query = new URLSearchParams({ filename, ...(scope && { scope }) });
  for (const tag of tags.split(/[,、]/)) if (tag.trim() !== "") query.append("tag", tag.trim());
  return query;
}

/** XMLHttpRequest because fetch does not report how much of a body has been sent. */
function sendFile(
  { address, file }: { readonly address: string; readonly file: File },
  signal: AbortSignal,
  onProgress: (fraction: number) => void,
): Promise<Partial<Item>> {
  return new Promise((resolve) => {
    const request = new XMLHttpRequest();
    request.open("POST", address);
    request.setRequestHeader("content-type", "application/octet-stream");
    for (const [key, value] of Object.entries(authHeaders())) request.setRequestHeader(key, value);
    request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0);
    request.onload = () => {
      if (request.status === 401) dispatchEvent(new Event("token-needed"));
      resolve(fromResponse(request.status, request.responseText));
    };
    request.onerror = () => resolve({ state: "failed", failure: unreached() });
    request.onabort = () => resolve({ state: "cancelled", step: [] });
    signal.addEventListener("abort", () => request.abort(), { once: true });
    request.send(file);
  });
}

const BUSY_MS = 800;
const IDLE_MS = 10_000;

/** There is one queue per tab; `active` is true once the server has accepted this person. */
export function useUploadQueue(active: boolean): UploadQueue {
  const [queue] = useState(openUploadQueue);
  useEffect(() => (active ? followTasks(queue) : undefined), [queue, active]);
  useLayoutEffect(() => {
    const warn = (event: BeforeUnloadEvent) => {
      const isUnsent = (item: Item) => item.file && !item.taskId && !hasEnded(item);
      if (queue.get().items.some(isUnsent)) event.preventDefault();
    };
    addEventListener("beforeunload", warn);
    return () => removeEventListener("beforeunload", warn);
  }, [queue]);
  return queue;
}

/** Often while there is anything to follow, otherwise rarely. Call the result to stop. */
function followTasks(queue: UploadQueue): () => void {
  const abort = new AbortController();
  let next = 0;
  let isAsking = false;
  const timer = setInterval(async () => {
    const isBusy = queue.get().items.some((item) => item.taskId && !hasEnded(item));
    if (isAsking || document.hidden || (Date.now() < next && !isBusy)) return;
    isAsking = true;
    const isOpen = await queue.follow(abort.signal).catch(() => false);
    next = isOpen ? 0 : Date.now() + IDLE_MS;
    isAsking = false;
  }, BUSY_MS);
  return () => {
    clearInterval(timer);
    abort.abort();
  };
}

/** Calls back when more documents can be found. */
export function useOnAdded(queue: UploadQueue, onAdded: () => void): void {
  const [count, setCount] = useState(0);
  useLayoutEffect(() => {
    const isReady = ({ state }: Item) => state === "completed";
    return queue.subscribe(() => setCount(queue.get().items.filter(isReady).length));
  }, [queue]);
  useEffect(() => {
    if (count > 0) onAdded();
  }, [count]);
}
