// The queue of adds, shared by every process on one knowledge base.
import type { AddRequest, Task, TaskFailure, TaskProgress, TaskResult } from "../../domain/task.ts";

/** `lease-lost`: cancelled, ended, or taken over by another worker. Whoever hears it stops working. */
export type RenewOutcome = "renewed" | "lease-lost";
export type EndOutcome = "ended" | "lease-lost";
export type RevokeOutcome = "revoked" | "not-completed";

export interface TaskStore {
  /** Durable when it returns. */
  enqueue(id: string, request: AddRequest): Promise<Task>;
  /**
   * Takes the oldest task that is queued or whose lease ran out. Those that were interrupted before come after the
   * others: a file that kills its process must not be in everybody's way.
   */
  claim(worker: string, leaseMs: number): Promise<Task | undefined>;
  /** Takes this very task if it is free: for synchronous adds. */
  claimById(id: string, worker: string, leaseMs: number): Promise<Task | undefined>;
  renew(id: string, worker: string, leaseMs: number, progress: TaskProgress): Promise<RenewOutcome>;
  complete(id: string, worker: string, result: TaskResult): Promise<EndOutcome>;
  fail(id: string, worker: string, failure: TaskFailure): Promise<EndOutcome>;
  /** Turns a completed task into a failed one: its document was not found by the check that follows. */
  revoke(id: string, failure: TaskFailure): Promise<RevokeOutcome>;
  /** Gives a running task back to the queue, as a server that shuts down does; the attempt does not count. */
  release(id: string, worker: string): Promise<void>;
  /** Ends the lease of a holder that is known to be dead: the task may be claimed at once, the attempt counts. */
  expire(id: string, worker: string): Promise<void>;
  cancel(id: string): Promise<Task | undefined>;
  get(id: string): Promise<Task | undefined>;
  /** Newest first; of the open ones, those that run come before the others, however many wait. */
  list(options: { readonly limit: number; readonly open?: boolean }): Promise<readonly Task[]>;
  /** Of the open ones: asked often, so never in proportion to the ended ones. */
  counts(): Promise<{ readonly queued: number; readonly running: number }>;
  /** Forgets finished tasks that ended before the instant. */
  prune(before: string): Promise<number>;
}
