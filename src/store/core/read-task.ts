// A stored task's fields, read by both drivers. Rows may have been written by another program, an earlier version or
// a failing disk: what cannot be parsed is replaced or set aside, so that the rest of the queue continues.

import { isJsonObject } from "../../domain/call/json-object.ts";
import { defined } from "../../domain/defined.ts";
import { fittingMetadata } from "../../domain/metadata.ts";
import { isMessage, type Message, toMessage } from "../../domain/phrases/messages.ts";
import {
  type AddRequest,
  type FileFailure,
  type FolderReport,
  LEFT_OUT,
  LISTED,
  resultOf,
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

export function readProgress(stored: unknown): TaskProgress {
  const { currentStep, folder, ...rest } = fieldsOf(stored);
  return {
    ...(isJsonObject(folder) && { folder: numbersOf(folder, COUNTS) }),
    currentStep: isSteps(currentStep) ? currentStep : WAITING.currentStep,
    ...numbersOf(rest, ["completedSteps", "totalSteps", "fraction"]),
  };
}

function isSteps(stored: unknown): stored is TaskProgress["currentStep"] {
  return Array.isArray(stored) && stored.every(isMessage);
}

interface StoredOutcome {
  readonly status: Task["status"];
  readonly result: unknown;
  readonly failure: unknown;
}

export function readOutcome(stored: StoredOutcome): Pick<Task, "result" | "failure"> {
  const { error, message, reason } = fieldsOf(stored.failure);
  if (typeof error === "string" && typeof message === "string") {
    return { failure: { error, message, ...(isMessage(reason) && { reason }) } };
  }
  if (stored.status === "failed") return { failure: { error: "internal", message: UNKNOWN } };
  return defined({ result: readResult(fieldsOf(stored.result)) });
}

const UNKNOWN = "The reason why this add failed can no longer be read. Add the file again.";

function readResult(stored: Fields): TaskResult | undefined {
  const { documentId, filename, alreadyPresent, warnings, folder } = stored;
  const { chunksCreated } = numbersOf(stored, ["chunksCreated"]);
  if (typeof filename !== "string") return undefined;
  if (isJsonObject(folder)) {
    return { filename, chunksCreated, alreadyPresent: false, folder: readReport(folder) };
  }
  if (typeof documentId !== "string") return undefined;
  const said = Array.isArray(warnings) ? warnings.filter(isMessage) : [];
  return resultOf(
    { id: documentId, filename, warnings: said },
    { chunksCreated, alreadyPresent: alreadyPresent === true },
  );
}

const COUNTS = ["found", "added", "unchanged", "failed", "skipped"] as const;

function readReport(stored: Fields): FolderReport {
  const { failures, leftOut } = stored;
  const counts = Object.entries(numbersOf(fieldsOf(leftOut), LEFT_OUT)).filter(([, n]) => n > 0);
  return {
    ...numbersOf(stored, COUNTS),
    failures: Array.isArray(failures) ? failures.filter(isJsonObject).map(readFileFailure) : [],
    ...(counts.length > 0 && { leftOut: Object.fromEntries(counts) }),
  };
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

/** 0 for what is not a number. */
function numbersOf<Name extends string>(stored: Fields, names: readonly Name[]) {
  const entries = names.map((name) => [name, Number.isFinite(stored[name]) ? stored[name] : 0]);
  return Object.fromEntries(entries) as Record<Name, number>;
}
