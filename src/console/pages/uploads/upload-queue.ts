// Uploads while the tab is open: files are sent a few at a time, then followed as tasks until they end. The queue is
// not bound to a page, so leaving a page loses nothing; after a reload it finds the server's tasks again.
import type { ListedTask, TaskPayload } from "../../../tools/documents/contract.ts";
import { authHeaders, call, unreached } from "../state/mcp.ts";
import type { NamedFile } from "./dropped-files.ts";
import { fromResponse, fromTask, hasEnded, type Item } from "./upload-items.ts";

export type UploadQueue = ReturnType<typeof openUploadQueue>;

interface QueueView {
  readonly items: readonly Item[];
  /** The number of open tasks that are not in the server's list because there are too many. */
  readonly unlisted: number;
  /** When the first item of this round was added. */
  readonly since: number;
  readonly place: UploadPlace;
}

/** What files are added with from now on. */
export interface UploadPlace {
  /** Empty for the general scope. */
  readonly scope: string;
  /** As typed, with commas between them. */
  readonly tags: string;
}

interface QueueState {
  readonly items: Map<string, Item>;
  readonly sending: Map<string, AbortController>;
  readonly listeners: Set<() => void>;
  place: UploadPlace;
  lastKey: number;
  unlisted: number;
  since: number;
  announce: ReturnType<typeof setTimeout> | undefined;
  shown: QueueView;
}

// Browsers allow six connections to a host; three leave room for the page's own calls.
const AT_ONCE = 3;
// Thousands of changes per second are drawn only a few times per second.
const ANNOUNCE_MS = 120;

function emptyState(): QueueState {
  const place = { scope: "", tags: "" };
  return {
    items: new Map(),
    sending: new Map(),
    listeners: new Set(),
    place,
    lastKey: 0,
    unlisted: 0,
    since: 0,
    announce: undefined,
    shown: { items: [], unlisted: 0, since: 0, place },
  };
}

export function openUploadQueue() {
  const state = emptyState();
  return {
    view: () => state.shown,
    subscribe(listener: () => void) {
      state.listeners.add(listener);
      return () => void state.listeners.delete(listener);
    },
    add: (files: readonly NamedFile[]) => add(state, files),
    setPlace(place: UploadPlace) {
      state.place = place;
      show(state);
    },
    retry(key: string) {
      change(state, key, { state: "waiting", fraction: 0, step: [] });
      pump(state);
    },
    cancel: (key: string) => cancel(state, key),
    cancelAll() {
      for (const key of [...state.items.keys()]) cancel(state, key);
    },
    /** Removes items that have ended. */
    clear() {
      for (const [key, item] of state.items) if (hasEnded(item)) state.items.delete(key);
      announce(state);
    },
    /** The server's report on its tasks. */
    takeOpen: (tasks: readonly ListedTask[], open: number) => takeOpen(state, tasks, open),
    /** The status of a task that is not in the list. */
    takeStatus(taskId: string, update: TaskPayload) {
      const item = byTask(state).get(taskId);
      if (item) change(state, item.key, fromTask(update));
    },
  };
}

function add(state: QueueState, files: readonly NamedFile[]): void {
  begin(state);
  for (const { file, name } of files) {
    state.lastKey += 1;
    const key = `file-${state.lastKey}`;
    const blank = { state: "waiting", fraction: 0, step: [] } as const;
    state.items.set(key, { key, name, file, place: state.place, ...blank });
  }
  pump(state);
  announce(state);
}

/** A new round starts here: items that ended before are not part of its total. */
function begin(state: QueueState): void {
  if ([...state.items.values()].some((item) => !hasEnded(item))) return;
  state.items.clear();
  state.since = Date.now();
}

function pump(state: QueueState): void {
  for (const item of state.items.values()) {
    if (state.sending.size >= AT_ONCE) return;
    if (item.state === "waiting" && item.file) void send(state, item, item.file);
  }
}

async function send(state: QueueState, { key, name, place }: Item, file: File): Promise<void> {
  const abort = new AbortController();
  state.sending.set(key, abort);
  change(state, key, { state: "uploading", fraction: 0, step: [] });
  const onProgress = (fraction: number) => change(state, key, { fraction });
  const address = `/api/upload?${toQuery(name, place)}`;
  const outcome = await sendFile({ address, file }, abort.signal, onProgress);
  state.sending.delete(key);
  // The server's list may have included the task before this upload's response arrived.
  if (outcome.taskId) state.items.delete(taskKey(outcome.taskId));
  if (state.items.get(key)?.state === "cancelled") {
    if (outcome.taskId) void cancelTask(outcome.taskId);
  } else change(state, key, outcome);
  pump(state);
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

function cancel(state: QueueState, key: string): void {
  const item = state.items.get(key);
  if (!item || hasEnded(item)) return;
  change(state, key, { state: "cancelled", step: [] });
  state.sending.get(key)?.abort();
  if (item.taskId) void cancelTask(item.taskId);
}

function cancelTask(taskId: string): Promise<unknown> {
  return call("knowledge-task-cancel", { task_id: taskId }).catch(() => undefined);
}

function takeOpen(state: QueueState, tasks: readonly ListedTask[], open: number): void {
  const known = byTask(state);
  if (tasks.length > 0) begin(state);
  for (const task of tasks) {
    const item = known.get(task.task_id);
    if (item && hasEnded(item)) continue;
    const key = item?.key ?? taskKey(task.task_id);
    const start = { key, name: task.filename, taskId: task.task_id };
    const blank = { state: "queued", fraction: 0, step: [] } as const;
    state.items.set(key, { ...blank, ...start, ...item, ...fromTask(task) });
  }
  const listed = [...state.items.values()].filter((item) => item.taskId && !hasEnded(item));
  state.unlisted = Math.max(0, open - listed.length);
  announce(state);
}

const taskKey = (taskId: string) => `task-${taskId}`;

function byTask({ items }: QueueState): ReadonlyMap<string, Item> {
  return new Map([...items.values()].flatMap((item) => (item.taskId ? [[item.taskId, item]] : [])));
}

function change(state: QueueState, key: string, next: Partial<Item>): void {
  const item = state.items.get(key);
  if (!item) return;
  state.items.set(key, { ...item, ...next });
  announce(state);
}

function announce(state: QueueState): void {
  state.announce ??= setTimeout(() => {
    state.announce = undefined;
    show(state);
  }, ANNOUNCE_MS);
}

function show(state: QueueState): void {
  const { items, unlisted, since, place } = state;
  state.shown = { items: [...items.values()], unlisted, since, place };
  for (const listener of state.listeners) listener();
}
