// A stored task's fields, read by both drivers. Rows may have been written by another program, an earlier version or
// a failing disk: what cannot be parsed is replaced or set aside, so that the rest of the queue continues.

import { isJsonObject } from "../../domain/call/json-object.ts";
import { fittingMetadata } from "../../domain/metadata.ts";
import { isMessage, type Message, toMessage } from "../../domain/phrases/messages.ts";
import {
  type AddRequest,
  type FileFailure,
  type FolderCounts,
  type FolderReport,
  LEFT_OUT,
  resultOf,
  type Task,
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
  const { sourcePath, screen, metadata, many } = request;
  const isPlaced = sourcePath === undefined || typeof sourcePath === "string";
  const isMarked =
    (screen === undefined || screen === true) &&
    [undefined, "folder", "archive"].includes(many as AddRequest["many"]);
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
  const { currentStep, completedSteps, totalSteps, fraction, folder } = fieldsOf(stored);
  return {
    ...(isJsonObject(folder) ? { folder: readCounts(folder) } : {}),
    currentStep: isSteps(currentStep) ? currentStep : WAITING.currentStep,
    completedSteps: numberOf(completedSteps),
    totalSteps: numberOf(totalSteps),
    fraction: numberOf(fraction),
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
  const result = readResult(stored.result);
  return result === undefined ? {} : { result };
}

const UNKNOWN = "The reason why this add failed can no longer be read. Add the file again.";

function readResult(stored: unknown): TaskResult | undefined {
  const { documentId, filename, chunksCreated, alreadyPresent, warnings, folder } =
    fieldsOf(stored);
  if (typeof filename === "string" && isJsonObject(folder)) {
    const report = {
      ...readCounts(folder),
      failures: readFailures(folder["failures"]),
      ...readLeftOut(folder["leftOut"]),
    };
    const chunks = numberOf(chunksCreated);
    return { filename, chunksCreated: chunks, alreadyPresent: false, folder: report };
  }
  if (typeof documentId !== "string" || typeof filename !== "string") return undefined;
  const said = Array.isArray(warnings) ? warnings.filter(isMessage) : [];
  return resultOf(
    { id: documentId, filename, warnings: said },
    { chunksCreated: numberOf(chunksCreated), alreadyPresent: alreadyPresent === true },
  );
}

function readCounts(stored: Readonly<Record<string, unknown>>): FolderCounts {
  const { found, added, unchanged, failed, skipped } = stored;
  return {
    found: numberOf(found),
    added: numberOf(added),
    unchanged: numberOf(unchanged),
    failed: numberOf(failed),
    skipped: numberOf(skipped),
  };
}

function readLeftOut(stored: unknown): Pick<FolderReport, "leftOut"> {
  if (!isJsonObject(stored)) return {};
  const counts = LEFT_OUT.flatMap((why) => {
    const found = numberOf(stored[why]);
    return found > 0 ? [[why, found]] : [];
  });
  return counts.length === 0 ? {} : { leftOut: Object.fromEntries(counts) };
}

function readFailures(stored: unknown): readonly FileFailure[] {
  if (!Array.isArray(stored)) return [];
  return stored.filter(isJsonObject).map(({ file, error, message, reason }) => ({
    file: String(file),
    error: String(error),
    message: String(message),
    ...(isMessage(reason) && { reason }),
  }));
}

function fieldsOf(stored: unknown): Readonly<Record<string, unknown>> {
  return isJsonObject(stored) ? stored : {};
}

function numberOf(stored: unknown): number {
  return typeof stored === "number" && Number.isFinite(stored) ? stored : 0;
}
