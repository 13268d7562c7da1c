// Files on their way in: sent with progress, then followed as tasks until they end.
import { useEffect, useRef, useState } from "preact/hooks";
import type { Queued, Refused, TaskPayload, TaskState } from "../../../tools/documents/contract.ts";
import { authHeaders, call } from "../state/mcp.ts";

export interface Upload {
  readonly key: number;
  readonly name: string;
  readonly state: "uploading" | TaskState | "present";
  readonly fraction: number;
  readonly note: string;
  readonly taskId?: string;
  readonly documentId?: string;
}

export const FINISHED: ReadonlySet<Upload["state"]> = new Set([
  "completed",
  "failed",
  "cancelled",
  "present",
]);

// Browsers allow six connections to a host; two leave room for the page's own calls.
const AT_ONCE = 2;
const POLL_MS = 700;

export function useUploads(onDone: () => void) {
  const [uploads, setUploads] = useState<readonly Upload[]>([]);
  const waiting = useRef<{ key: number; file: File }[]>([]);
  const active = useRef(new Map<number, XMLHttpRequest>());
  const cancelled = useRef(new Set<number>());
  const lastKey = useRef(0);
  const done = useRef(onDone);
  done.current = onDone;

  const change = (key: number, next: Partial<Upload>) =>
    setUploads((all) =>
      all.map((upload) => (upload.key === key ? { ...upload, ...next } : upload)),
    );

  const pump = () => {
    while (active.current.size < AT_ONCE) {
      const next = waiting.current.shift();
      if (!next) return;
      active.current.set(
        next.key,
        send(next.file, {
          onProgress: (fraction) => change(next.key, { fraction: fraction / 2 }),
          onEnd: (answer) => {
            active.current.delete(next.key);
            if (cancelled.current.has(next.key) && answer.taskId)
              void call("knowledge-task-cancel", { task_id: answer.taskId });
            else change(next.key, answer);
            pump();
          },
        }),
      );
    }
  };

  const add = (files: Iterable<File>) => {
    const rows = [...files].map((file) => {
      lastKey.current += 1;
      waiting.current.push({ key: lastKey.current, file });
      return {
        key: lastKey.current,
        name: file.name,
        state: "uploading" as const,
        fraction: 0,
        note: "",
      };
    });
    setUploads((all) => [...rows, ...all]);
    pump();
  };

  const cancel = (upload: Upload) => {
    cancelled.current.add(upload.key);
    waiting.current = waiting.current.filter((item) => item.key !== upload.key);
    active.current.get(upload.key)?.abort();
    if (upload.taskId) void call("knowledge-task-cancel", { task_id: upload.taskId });
    change(upload.key, { state: "cancelled", note: "" });
  };

  const open = uploads.filter((upload) => upload.taskId && !FINISHED.has(upload.state));
  useTaskUpdates(open, ({ key }, update) => {
    change(key, fromTask(update));
    if (update.status === "completed") done.current();
  });

  const clearFinished = () =>
    setUploads((all) => all.filter((upload) => !FINISHED.has(upload.state)));
  return { uploads, add, cancel, clearFinished };
}

type OnUpdate = (upload: Upload, update: TaskPayload) => void;

/** Asks how the tasks go until they have ended. */
function useTaskUpdates(open: readonly Upload[], onUpdate: OnUpdate): void {
  const openKey = open.map((upload) => upload.taskId).join();
  useEffect(() => {
    if (!openKey) return;
    const abort = new AbortController();
    void follow(open, onUpdate, abort.signal);
    return () => abort.abort();
  }, [openKey]);
}

async function follow(
  open: readonly Upload[],
  onUpdate: OnUpdate,
  signal: AbortSignal,
): Promise<void> {
  for (let waitMs = 150; ; waitMs = POLL_MS) {
    await new Promise((resolve) => setTimeout(resolve, waitMs));
    for (const upload of open) {
      const update = signal.aborted ? undefined : await statusOf(upload);
      if (signal.aborted) return;
      if (update) onUpdate(upload, update);
    }
  }
}

async function statusOf({ taskId }: Upload): Promise<TaskPayload | undefined> {
  if (!taskId) return undefined;
  return call("knowledge-task-status", { task_id: taskId }).catch(() => undefined);
}

function fromTask(update: TaskPayload): Partial<Upload> {
  switch (update.status) {
    case "queued":
    case "running": {
      const note = update.status === "running" ? update.current_step : "";
      return { state: update.status, fraction: 0.5 + update.progress / 2, note };
    }
    case "completed": {
      const { result } = update;
      const state = result?.already_present ? "present" : "completed";
      const opened = result?.document_id ? { documentId: result.document_id } : {};
      return { state, fraction: 1, note: "", ...opened };
    }
    case "failed":
    case "cancelled":
      return { state: update.status, note: update.message };
  }
}

interface SendHooks {
  readonly onProgress: (fraction: number) => void;
  readonly onEnd: (answer: Partial<Upload>) => void;
}

// XMLHttpRequest because fetch does not report how much of a body has been sent.
function send(file: File, { onProgress, onEnd }: SendHooks): XMLHttpRequest {
  const request = new XMLHttpRequest();
  request.open("POST", `/api/upload?filename=${encodeURIComponent(file.name)}`);
  request.setRequestHeader("content-type", "application/octet-stream");
  for (const [name, value] of Object.entries(authHeaders())) request.setRequestHeader(name, value);
  request.upload.onprogress = (event) =>
    onProgress(event.total > 0 ? event.loaded / event.total : 0);
  request.onload = () => onEnd(fromUpload(request));
  request.onerror = () => onEnd({ state: "failed", note: "network" });
  request.onabort = () => onEnd({ state: "cancelled" });
  request.send(file);
  return request;
}

function fromUpload(request: XMLHttpRequest): Partial<Upload> {
  if (request.status === 401) dispatchEvent(new Event("token-needed"));
  try {
    const answer: Queued | Refused = JSON.parse(request.responseText);
    if (!answer.success) return { state: "failed", note: answer.message };
    return { state: "queued", taskId: answer.task_id, fraction: 0.5 };
  } catch {
    return { state: "failed", note: `HTTP ${request.status}` };
  }
}
