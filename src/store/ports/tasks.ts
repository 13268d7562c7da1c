// The queue of adds, shared by every process on one knowledge base.
import type { Sight } from "../../domain/call/sight.ts";
import type { AddRequest, Task, TaskFailure, TaskProgress, TaskResult } from "../../domain/task.ts";

/** `lease-lost`: cancelled, ended, or taken over by another worker. The caller must stop working on it. */
type RenewOutcome = "renewed" | "lease-lost";
type EndOutcome = "ended" | "lease-lost";

/** Which of the waiting tasks is claimed. */
export interface ClaimChoice {
  /** Tasks of these callers come after all others: it is not their turn. */
  readonly served: readonly string[];
  /** Only files up to this size. */
  readonly maxBytes?: number;
}

export interface TaskStore {
  /** The same for a caller who sees only these scopes: it gets, lists, counts and cancels no others. */
  seenBy(sight: Sight): TaskStore;
  /** Durable when it returns. */
  enqueue(id: string, request: AddRequest): Promise<Task>;
  /**
   * Claims the oldest task that is queued or whose lease has expired. Tasks that were interrupted before come after the
   * others, so that a file that crashes its process does not block the queue.
   */
  claim(worker: string, leaseMs: number, choice?: ClaimChoice): Promise<Task | undefined>;
  /** Claims this task if it is free, for synchronous adds. */
  claimById(id: string, worker: string, leaseMs: number): Promise<Task | undefined>;
  renew(id: string, worker: string, leaseMs: number, progress: TaskProgress): Promise<RenewOutcome>;
  complete(id: string, worker: string, result: TaskResult): Promise<EndOutcome>;
  fail(id: string, worker: string, failure: TaskFailure): Promise<EndOutcome>;
  /** Returns a running task to the queue, for example at shutdown; the attempt does not count. */
  release(id: string, worker: string): Promise<void>;
  /** Ends the lease of a dead holder, so that the task can be claimed at once; the attempt counts. */
  expire(id: string, worker: string): Promise<void>;
  cancel(id: string): Promise<Task | undefined>;
  /** Here, in lists and in counts, a running task whose lease has expired is queued: nobody works on it. */
  get(id: string): Promise<Task | undefined>;
  /** Newest first; running tasks come before waiting ones. */
  list(options: { readonly limit: number; readonly open?: boolean }): Promise<readonly Task[]>;
  /** Counts open tasks. Called often, so the cost must not grow with the ended ones. */
  counts(): Promise<{ readonly queued: number; readonly running: number }>;
  /** Deletes tasks that ended before the given time, but leaves the `keep` newest. */
  prune(before: string, keep?: number): Promise<number>;
}
