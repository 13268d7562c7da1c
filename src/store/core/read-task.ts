// A stored task's fields, read by both drivers. Rows may have been written by another program, an earlier version or
// a failing disk: what cannot be parsed is replaced or set aside, so that the rest of the queue continues.

import { isJsonObject } from "../../domain/call/json-object.ts";
import { fittingMetadata } from "../../domain/metadata.ts";
import { isMessage, type Message, toMessage } from "../../domain/phrases/messages.ts";
import {
  type AddRequest,
  type FileFailure,
  type FolderReport,
  LISTED,
  type Task,
  type TaskFailure,
  type TaskProgress,
  type TaskResult,
  WAITING,
} from "../../domain/task.ts";

/**
 * A task claimed this often is set aside even though it can be read. Workers give up after fewer attempts, so it
 * never reached one: sending it to a worker must be what fails.
 */
export const MAX_CLAIMS = 10;

/** The error message of a task that was set aside. */
export const SET_ASIDE = {
  error: "task_unreadable",
  message:
    "This task cannot be read, so it was set aside; its file is kept. Add the file again, then cancel this task.",
} as const;

/** For the health check; undefined if none was set aside. */
export function setAsideIssue(ids: readonly string[]): Message | undefined {
  const [first] = ids;
  if (first === undefined) return undefined;
  if (ids.length === 1) return toMessage("oneTaskSetAside", first);
  return toMessage("tasksSetAside", ids.length, first);
}

/** How a running task whose lease has ended is shown: as queued, because it waits to be claimed again. */
export function asQueued({ startedAt: _began, worker: _holder, ...task }: Task): Task {
  return { ...task, status: "queued", progress: WAITING };
}

/** Undefined if the request is unusable. */
export function readRequest(stored: unknown): AddRequest | undefined {
  const request = fieldsOf(stored);
  const isWhole = REQUIRED.every(([name, type]) => typeof request[name] === type);
  const { sourcePath, scope, screen, metadata, many } = request;
  const isPlaced = [sourcePath, scope].every(
    (each) => each === undefined || typeof each === "string",
  );
  const isMarked =
    (screen === undefined || screen === true) &&
    [undefined, ...LISTED].includes(many as AddRequest["many"]);
  if (!isWhole || !isPlaced || !isMarked || fittingMetadata(metadata) === undefined)
    return undefined;
  return request as unknown as AddRequest;
}

const REQUIRED = [
  ["contentHash", "string"],
  ["filename", "string"],
  ["sizeBytes", "number"],
  ["forceOcr", "boolean"],
] as const;

/** Shown in lists instead of a request that cannot be parsed. */
export function unreadableRequest(contentHash: string): AddRequest {
  return { contentHash, filename: "(unreadable)", sizeBytes: 0, metadata: {}, forceOcr: false };
}

/** Codes of messages may be another version's: what they say cannot be shown. */
export function readProgress(stored: unknown): TaskProgress {
  const progress = { ...WAITING, ...fieldsOf(stored) };
  const { currentStep: steps } = progress;
  const isKnown = Array.isArray(steps) && steps.every(isMessage);
  return isKnown ? progress : { ...progress, currentStep: WAITING.currentStep };
}

interface StoredOutcome {
  readonly status: Task["status"];
  readonly result: unknown;
  readonly failure: unknown;
}

export function readOutcome(stored: StoredOutcome): Pick<Task, "result" | "failure"> {
  const failure = fieldsOf(stored.failure);
  if (typeof failure["message"] === "string") return { failure: readFailure(failure) };
  if (stored.status === "failed") return { failure: { error: "internal", message: UNKNOWN } };
  const { filename, warnings, folder, ...result } = fieldsOf(stored.result);
  if (typeof filename !== "string") return {};
  const known = Array.isArray(warnings) && { warnings: warnings.filter(isMessage) };
  const report = isJsonObject(folder) && { folder: readReport(folder) };
  return { result: { ...result, filename, ...known, ...report } as unknown as TaskResult };
}

const UNKNOWN = "The reason why this add failed can no longer be read. Add the file again.";

function readReport({ failures, ...counts }: Fields): FolderReport {
  const failed = Array.isArray(failures) ? failures.filter(isJsonObject).map(readFileFailure) : [];
  return { ...counts, failures: failed } as unknown as FolderReport;
}

function readFileFailure(stored: Fields): FileFailure {
  return { file: String(stored["file"]), ...readFailure(stored) };
}

export function readFailure(stored: unknown): TaskFailure {
  const { error, message, reason } = fieldsOf(stored);
  return {
    error: String(error),
    message: String(message),
    ...(isMessage(reason) && { reason }),
  };
}

type Fields = Readonly<Record<string, unknown>>;

function fieldsOf(stored: unknown): Fields {
  return isJsonObject(stored) ? stored : {};
}
