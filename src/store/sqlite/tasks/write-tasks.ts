// Tasks: every transition is one short transaction, so that two processes never hold the same task.
import {
  type AddRequest,
  CLAIMED,
  type Task,
  type TaskFailure,
  type TaskProgress,
  type TaskResult,
  WAITING,
} from "../../../domain/task.ts";
import { MAX_CLAIMS, SET_ASIDE } from "../../core/read-task.ts";
import type { EndOutcome, RenewOutcome, RevokeOutcome } from "../../store.ts";
import type { Database } from "../database.ts";
import { IS_SET_ASIDE, isReadable, TASK_COLUMNS, type TaskRow, toTask } from "../rows.ts";
import { LEASE_ENDED, type LeaseClock } from "./lease-clock.ts";

const CLAIMABLE = `(status = 'queued' OR (status = 'running' AND ${LEASE_ENDED}))`;

interface Lease {
  readonly worker: string;
  readonly leaseMs: number;
}

export interface Holder {
  readonly id: string;
  readonly worker: string;
}

type Where = readonly [condition: string, ...values: (string | number)[]];

type End =
  | { readonly status: "completed"; readonly result: TaskResult }
  | { readonly status: "failed"; readonly failure: TaskFailure };

export function openTaskWriter(database: Database, clock: LeaseClock) {
  return {
    ...claims(database, clock),
    isHeld: (holder: Holder) => isHeld(database, holder),
    finish: (holder: Holder, end: End) => finish(database, holder, end),
    enqueue: (id: string, request: AddRequest): Task =>
      database.write(() => insertTask(database, id, request)),
    complete: (id: string, worker: string, result: TaskResult) =>
      database.write(() => finish(database, { id, worker }, { status: "completed", result })),
    fail: (id: string, worker: string, failure: TaskFailure) =>
      database.write(() => finish(database, { id, worker }, { status: "failed", failure })),
    revoke: (id: string, failure: TaskFailure): RevokeOutcome =>
      database.write(() => revoke(database, id, failure)),
    cancel: (id: string): Task | undefined => database.write(() => cancel(database, id)),
    prune: (before: string): number =>
      database.write(() => database.run("DELETE FROM tasks WHERE finished_at < ?", before).changes),
  };
}

export type TaskWriter = ReturnType<typeof openTaskWriter>;

/** Who holds a task, and for how long. */
function claims(database: Database, clock: LeaseClock) {
  return {
    claim: (lease: Lease) => takeFirst(database, clock, { lease, where: ["1"] }),
    claimById: (id: string, lease: Lease) =>
      takeFirst(database, clock, { lease, where: ["id = ?", id] }),
    renew: (id: string, { worker, leaseMs }: Lease, progress: TaskProgress): RenewOutcome =>
      database.write(() => {
        const { changes } = database.run(
          `UPDATE tasks SET lease_clock = ?, lease_until = ?, lease_ms = ?, progress = ?
           WHERE id = ? AND status = 'running' AND worker = ?`,
          clock.name,
          clock.nowMs() + leaseMs,
          leaseMs,
          JSON.stringify(progress),
          id,
          worker,
        );
        return changes === 1 ? "renewed" : "lease-lost";
      }),
    expire(id: string, worker: string): void {
      database.write(() =>
        database.run(
          "UPDATE tasks SET lease_clock = NULL WHERE id = ? AND status = 'running' AND worker = ?",
          id,
          worker,
        ),
      );
    },
    release(id: string, worker: string): void {
      database.write(() => release(database, { id, worker }));
    },
  };
}

function release(database: Database, { id, worker }: Holder): void {
  database.run(
    `UPDATE tasks SET status = 'queued', worker = NULL, started_at = NULL, progress = ?,
       attempts = attempts - 1 WHERE id = ? AND status = 'running' AND worker = ?`,
    JSON.stringify(WAITING),
    id,
    worker,
  );
}

function one(database: Database, ...[condition, ...values]: Where): TaskRow | undefined {
  const sql = `SELECT ${TASK_COLUMNS} FROM tasks WHERE ${condition}`;
  return database.get<TaskRow>(sql, ...values);
}

function isHeld(database: Database, { id, worker }: Holder): boolean {
  return one(database, "id = ? AND status = 'running' AND worker = ?", id, worker) !== undefined;
}

function takeFirst(
  database: Database,
  clock: LeaseClock,
  { lease, where: [condition, ...values] }: { readonly lease: Lease; readonly where: Where },
): Task | undefined {
  const find = () =>
    one(
      database,
      `status IN ('queued', 'running') AND ${condition} AND ${CLAIMABLE} ORDER BY attempts, seq LIMIT 1`,
      ...values,
      clock.name,
      clock.nowMs(),
      clock.nowMs(),
    );
  // Idle workers poll often, so check without a lock first.
  if (!database.read(find)) return undefined;
  return database.write(() => {
    for (;;) {
      const row = find();
      if (!row) return undefined;
      if (isReadable(row) && row.attempts < MAX_CLAIMS) return take(database, clock, row.id, lease);
      setAside(database, row.id);
    }
  });
}

function take(database: Database, clock: LeaseClock, id: string, { worker, leaseMs }: Lease): Task {
  const row = database.get<TaskRow>(
    `UPDATE tasks SET status = 'running', worker = ?, lease_clock = ?, lease_until = ?, lease_ms = ?,
       attempts = attempts + 1, started_at = ?, progress = ? WHERE id = ? RETURNING ${TASK_COLUMNS}`,
    worker,
    clock.name,
    clock.nowMs() + leaseMs,
    leaseMs,
    new Date().toISOString(),
    JSON.stringify(CLAIMED),
    id,
  );
  return toTask(row as TaskRow);
}

/**
 * Leaves the rest of the row unchanged, so that it can be inspected in the database, but no worker claims it any more.
 */
function setAside(database: Database, id: string): void {
  database.run(
    "UPDATE tasks SET status = 'failed', failure = ?, finished_at = NULL, worker = NULL WHERE id = ?",
    JSON.stringify(SET_ASIDE),
    id,
  );
}

/** Inside a transaction: ends a task that `worker` still holds. */
function finish(database: Database, holder: Holder, end: End): EndOutcome {
  if (!isHeld(database, holder)) return "lease-lost";
  const completed = end.status === "completed";
  database.run(
    `UPDATE tasks SET status = ?, result = ?, failure = ?, finished_at = ?, worker = NULL,
       progress = iif(? AND json_valid(progress), json_set(progress, '$.fraction', 1, '$.completedSteps', json_extract(progress, '$.totalSteps')), progress)
     WHERE id = ?`,
    end.status,
    completed ? JSON.stringify(end.result) : null,
    completed ? null : JSON.stringify(end.failure),
    new Date().toISOString(),
    completed ? 1 : 0,
    holder.id,
  );
  return "ended";
}

function insertTask(database: Database, id: string, request: AddRequest): Task {
  const row = database.get<TaskRow>(
    `INSERT INTO tasks (id, status, content_hash, request, progress, created_at)
     VALUES (?, 'queued', ?, ?, ?, ?) RETURNING ${TASK_COLUMNS}`,
    id,
    request.contentHash,
    JSON.stringify(request),
    JSON.stringify(WAITING),
    new Date().toISOString(),
  );
  return toTask(row as TaskRow);
}

function revoke(database: Database, id: string, failure: TaskFailure): RevokeOutcome {
  const { changes } = database.run(
    `UPDATE tasks SET status = 'failed', result = NULL, failure = ?, finished_at = ?
     WHERE id = ? AND status = 'completed'`,
    JSON.stringify(failure),
    new Date().toISOString(),
    id,
  );
  return changes === 1 ? "revoked" : "not-completed";
}

function cancel(database: Database, id: string): Task | undefined {
  database.run(
    `UPDATE tasks SET status = 'cancelled', worker = NULL, finished_at = ?
     WHERE id = ? AND (status IN ('queued', 'running') OR ${IS_SET_ASIDE})`,
    new Date().toISOString(),
    id,
  );
  const row = one(database, "id = ?", id);
  return row && toTask(row);
}
