// The state of each file in the tray, and a summary of all files. Pure: the queue stores it, the tray shows it.
//
//   waiting ─▶ uploading ─▶ queued ─▶ running ─▶ completed, present, failed, cancelled
//      └───────────┴────────── failed, cancelled ──────────────────────▲

import type { ErrorCode } from "../../../domain/errors.ts";
import type {
  AddedFolder,
  Queued,
  Refused,
  TaskPayload,
  TaskState,
} from "../../../tools/documents/contract.ts";
import { CallFailed, failureOf } from "../state/mcp.ts";
import type { SentMessage } from "../state/texts.ts";

export type ItemState = "waiting" | "uploading" | TaskState | "present";

/** What files are added with. */
export interface UploadPlace {
  /** Empty for the general scope. */
  readonly scope: string;
  /** As typed, with commas between them. */
  readonly tags: string;
}

export interface Item {
  readonly key: string;
  /** Includes the path if a folder was dropped. */
  readonly name: string;
  readonly state: ItemState;
  /** The progress of the current step. */
  readonly fraction: number;
  /** What the server is doing with the file. */
  readonly step: readonly SentMessage[];
  /** Why it failed. */
  readonly failure?: Error;
  readonly taskId?: string;
  readonly documentId?: string;
  /** The outcome of an archive's files. */
  readonly folder?: AddedFolder["folder"];
  /** Missing after a reload: a file that the server is already reading can be followed, but not sent again. */
  readonly file?: File;
  readonly place?: UploadPlace;
}

const ENDED: ReadonlySet<ItemState> = new Set(["completed", "failed", "cancelled", "present"]);

export function hasEnded({ state }: Pick<Item, "state">): boolean {
  return ENDED.has(state);
}

/** Also true if only some of an archive's files failed. */
function hasFailed({ state, folder }: Item): boolean {
  return state === "failed" || (folder?.failed ?? 0) > 0;
}

// Failures caused by the file itself: the same bytes would fail again.
const FINAL: ReadonlySet<unknown> = new Set<Lowercase<ErrorCode>>([
  "unsupported_format",
  "empty_document",
  "corrupt_file",
  "extraction_timeout",
  "extraction_limit",
  "encrypted_file",
  "file_too_large",
]);

export function canTryAgain({ state, file, failure }: Item): boolean {
  return state === "failed" && file !== undefined && !FINAL.has(failureOf(failure).error);
}

/** From the server's report on a task. */
export function fromTask(update: TaskPayload): Partial<Item> {
  switch (update.status) {
    case "queued":
      return { state: "queued", fraction: 0, step: [] };
    case "running":
      return { state: "running", fraction: update.progress, step: update.step_codes };
    case "completed": {
      const { result } = update;
      const state = result?.already_present ? "present" : "completed";
      const opened = result?.document_id ? { documentId: result.document_id } : {};
      const folder = result?.folder ? { folder: result.folder } : {};
      return { state, fraction: 1, step: [], ...opened, ...folder };
    }
    case "failed": {
      const failure = new CallFailed(update.message, update);
      return { state: "failed", fraction: 0, step: [], failure };
    }
    case "cancelled":
      return { state: "cancelled", fraction: 0, step: [] };
  }
}

/** The last is a request that was refused before its operation ran. */
type Response = Queued | Refused | { readonly error: { readonly message: string } };

/** From the response to an upload. */
export function fromResponse(status: number, body: string): Partial<Item> {
  const failed = (failure: Error) => ({ state: "failed", failure }) as const;
  try {
    const answer: Response = JSON.parse(body);
    if (!("success" in answer)) return failed(new CallFailed(answer.error.message));
    if (!answer.success) return failed(new CallFailed(answer.message, answer));
    return { state: "queued", fraction: 0, taskId: answer.task_id };
  } catch {
    return failed(new CallFailed(`HTTP ${status}`));
  }
}

export type Summary = ReturnType<typeof summarise>;

/** Sending is a small part of the progress, because reading takes longer. */
const SENT = 0.2;

/** `unlisted` counts the server's open tasks that are not in its list because there are too many. */
export function summarise(items: readonly Item[], unlisted: number) {
  const inState = (...states: readonly ItemState[]) =>
    items.filter(({ state }) => states.includes(state));
  const failed = items.filter(hasFailed);
  const finished = items.filter((item) => hasEnded(item) && !hasFailed(item));
  const total = items.length + unlisted;
  const way = items.reduce((sum, item) => sum + progressOf(item), 0);
  return {
    total,
    done: failed.length + finished.length,
    failed,
    /** Being sent or read now. */
    active: [...inState("running"), ...inState("uploading")],
    waiting: inState("waiting", "queued"),
    finished,
    /** Progress of all files together, 0 to 1. */
    fraction: total ? way / total : 0,
    /** The same by their sizes: a few large files may take longer than many small ones. */
    bytesFraction: fractionOfBytes(items),
  };
}

function fractionOfBytes(items: readonly Item[]): number {
  const sizeOf = ({ file }: Item) => file?.size ?? 0;
  const all = items.reduce((sum, item) => sum + sizeOf(item), 0);
  const read = items.reduce((sum, item) => sum + sizeOf(item) * progressOf(item), 0);
  return all === 0 ? 1 : read / all;
}

function progressOf(item: Item): number {
  if (hasEnded(item)) return 1;
  if (item.state === "uploading") return SENT * item.fraction;
  if (item.state === "queued") return SENT;
  return item.state === "running" ? SENT + (1 - SENT) * item.fraction : 0;
}

// With fewer files, one large or small file would make the estimate jump.
const MIN_DONE = 2;
const MIN_ELAPSED_MS = 3_000;
const LEAST_FRACTION = 0.02;

/**
 * Estimated from the speed so far, by files and by bytes: the longer of both. Undefined while that is too little to go
 * by.
 */
export function remainingMs(summary: Summary, elapsedMs: number): number | undefined {
  const { done, total, bytesFraction } = summary;
  if (done < MIN_DONE || elapsedMs < MIN_ELAPSED_MS || done >= total) return undefined;
  const byFiles = ((total - done) * elapsedMs) / done;
  const byBytes = (elapsedMs * (1 - bytesFraction)) / Math.max(bytesFraction, LEAST_FRACTION);
  return Math.max(byFiles, byBytes);
}
