// The state of this process's queue, shared by the files of this folder.
import type { Task } from "../../domain/task.ts";
import type { Log } from "../../observe/log.ts";
import type { Store } from "../../store/store.ts";
import { type BackOff, openBackOff } from "./back-off.ts";
import type { Lease } from "./lease.ts";
import { nameWorker } from "./worker-name.ts";

export interface QueueOptions {
  readonly store: Store;
  /** Queued tasks that are worked on at once. */
  readonly concurrency: number;
  /** Tasks that may wait; more are refused. */
  readonly maxQueued: number;
  readonly leaseMs: number;
  readonly pollMs: number;
  readonly log: Log;
  /** Runs the task and stores its result under the lease. */
  readonly work: (lease: Lease) => Promise<void>;
  /** False while tasks are to stay queued. */
  readonly allowsChanges: () => Promise<boolean>;
}

type Phase =
  | { readonly kind: "new" }
  | { readonly kind: "idle" }
  /** `again`: something new came up meanwhile. */
  | { readonly kind: "looking"; again: boolean; readonly done: Promise<void> }
  | { readonly kind: "closed" };

/** Who a task runs for: the queue, or a caller who waits for it and does not queue. */
export type Whose = "queue" | "caller";
/** `expire` counts as an attempt of the task, `release` does not. */
export type GiveBack = "release" | "expire";

interface Held {
  readonly lease: Lease;
  readonly done: Promise<void>;
}

export interface QueueState {
  /** The name in the leases of this process. */
  readonly worker: string;
  phase: Phase;
  poll?: NodeJS.Timeout;
  /** Whether the next look also checks for dead processes. They are rare, so it is done once per poll. */
  isInspectionDue: boolean;
  readonly held: Map<string, Held>;
  /** Tasks that the store could not take back. */
  readonly owed: Map<string, GiveBack>;
  /** Listeners in this process that wait for a task to change. */
  readonly waiting: Map<string, Set<() => void>>;
  /** Callers that run their own task, and those that wait for a slot. */
  readonly callers: { working: number; readonly line: (() => void)[] };
  readonly backOff: BackOff;
  readonly closing: AbortController;
}

/** How the queue was opened, and how it is now. */
export interface QueueCore extends QueueOptions {
  readonly state: QueueState;
}

export function newQueueState(): QueueState {
  return {
    worker: nameWorker(),
    phase: { kind: "new" },
    isInspectionDue: false,
    held: new Map(),
    owed: new Map(),
    waiting: new Map(),
    callers: { working: 0, line: [] },
    backOff: openBackOff(),
    closing: new AbortController(),
  };
}

export function isClosed({ phase }: QueueState): boolean {
  return phase.kind === "closed";
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
