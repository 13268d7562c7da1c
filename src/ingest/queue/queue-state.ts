// The state of this process's queue, shared by the files of this folder.
import { type Line, MAX_SMALL_BYTES, openLine, type Share } from "../../domain/call/turns.ts";
import type { Task } from "../../domain/task.ts";
import type { IngestOptions } from "../ingest.ts";
import { type BackOff, openBackOff } from "./back-off.ts";
import type { Lease } from "./run-task.ts";
import { nameWorker } from "./worker-name.ts";

export interface QueueOptions
  extends Pick<IngestOptions, "store" | "log" | "allowsChanges">,
    Required<Pick<IngestOptions, "concurrency" | "maxQueued">> {
  readonly leaseMs: number;
  readonly pollMs: number;
  /** Runs the task and stores its result under the lease. */
  readonly work: (lease: Lease) => Promise<unknown>;
}

type Phase =
  | { readonly kind: "new" }
  | { readonly kind: "idle" }
  /** `again`: something new arrived meanwhile. */
  | { readonly kind: "looking"; again: boolean; readonly done: Promise<void> }
  | { readonly kind: "closed" };

/** Who a task runs for: the queue, or a caller who waits for it and bypasses the queue. */
export type RunFor = "queue" | "caller";
/** `expire` counts as an attempt of the task, `release` does not. */
export type GiveBack = "release" | "expire";

interface Held {
  readonly lease: Lease;
  readonly done: Promise<void>;
}

// Callers who wait for their document bypass the queue. Limited, because each keeps a document's text and vectors in
// memory.
const MAX_CALLERS = 4;

export interface QueueState {
  /** This process's name in its leases. */
  readonly worker: string;
  phase: Phase;
  poll?: NodeJS.Timeout;
  /** Whether the next look also checks for dead processes. They are rare, so it is done only once per poll. */
  isInspectionDue: boolean;
  readonly held: Map<string, Held>;
  /** Tasks that could not be returned to the store yet. */
  readonly failedGiveBacks: Map<string, GiveBack>;
  /** Listeners in this process that wait for a task to change. */
  readonly waiting: Map<string, Set<() => void>>;
  /** Callers whose tasks were claimed in this round; the others come first. */
  readonly served: Set<string>;
  /** Callers that run their own task, and those that wait for a place. */
  readonly callers: Line<Share & { readonly start: () => void }>;
  readonly backOff: BackOff;
  readonly closing: AbortController;
}

/** The queue's options together with its current state. */
export interface QueueCore extends QueueOptions {
  readonly state: QueueState;
}

export function newQueueState(): QueueState {
  return {
    worker: nameWorker(),
    phase: { kind: "new" },
    isInspectionDue: false,
    held: new Map(),
    failedGiveBacks: new Map(),
    waiting: new Map(),
    served: new Set(),
    callers: openLine(MAX_CALLERS),
    backOff: openBackOff(),
    closing: new AbortController(),
  };
}

export function isClosed({ phase }: QueueState): boolean {
  return phase.kind === "closed";
}

export function shareOf({ request: { caller = "", sizeBytes } }: Task): Share {
  return { caller, isSmall: sizeBytes <= MAX_SMALL_BYTES };
}

/** What has many items does not, because it may take hours and must not block single files. */
export function takesPlace({ request: { many } }: Task): boolean {
  return many === undefined || many === "page";
}

export function isEnded({ status }: Task): boolean {
  return status === "completed" || status === "failed" || status === "cancelled";
}

export function progressOf({ held }: QueueState, taskId: string) {
  return held.get(taskId)?.lease.progress;
}

/** Reports that a task made progress or ended. */
export function notify({ waiting }: QueueState, taskId: string): void {
  for (const wake of [...(waiting.get(taskId) ?? [])]) wake();
}

// Whether adds wait because slow files hold all workers, and which files those are.

export interface Blocked {
  readonly waitedMs: number;
  /** The longest at work comes first. */
  readonly by: readonly { readonly filename: string; readonly since: string }[];
}

// Most files take a second, a scan of some pages half a minute.
const MAX_WAIT_MS = 60_000;

/** Undefined if nothing waits for long, or a worker has begun another file meanwhile. */
export function findBlocked(open: readonly Task[], now: number): Blocked | undefined {
  const waits = open.flatMap(({ status, createdAt }) =>
    status === "queued" ? [now - Date.parse(createdAt)] : [],
  );
  // Small files have a place that no other can have.
  const by = open
    .filter((task) => task.status === "running" && takesPlace(task) && !shareOf(task).isSmall)
    .map(({ request, startedAt = "" }) => ({ filename: request.filename, since: startedAt }))
    .sort((one, other) => (one.since < other.since ? -1 : 1));
  const latest = by.at(-1);
  if (waits.length === 0 || latest === undefined) return undefined;
  const waitedMs = Math.min(Math.max(...waits), now - Date.parse(latest.since));
  return waitedMs > MAX_WAIT_MS ? { waitedMs, by } : undefined;
}
