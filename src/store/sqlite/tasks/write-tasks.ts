// Tasks: every transition is one short transaction, so that two processes never hold the same task.
import type {
  AddRequest,
  Task,
  TaskFailure,
  TaskProgress,
  TaskResult,
} from "../../../domain/task.ts";
import { MAX_CLAIMS, SET_ASIDE } from "../../core/read-task.ts";
import type { Database } from "../database.ts";
import { IS_SET_ASIDE, isReadable, TASK_COLUMNS, type TaskRow, toTask } from "../rows.ts";
import { LEASE_ENDED, type LeaseClock } from "./lease-clock.ts";

const WAITING: TaskProgress = {
  currentStep: "queued",
  completedSteps: 0,
  totalSteps: 0,
  fraction: 0,
};

const CLAIMABLE = `(status = 'queued' OR (status = 'running' AND ${LEASE_ENDED}))`;

export interface Lease {
  readonly worker: string;
  readonly leaseMs: number;
}

export function openTaskWriter(database: Database, clock: LeaseClock) {
  const leaseState = () => [clock.name, clock.nowMs(), clock.nowMs()] as const;
  const one = (where: string, ...values: (string | number)[]) =>
    database.get<TaskRow>(`SELECT ${TASK_COLUMNS} FROM tasks WHERE ${where}`, ...values);
  const isHeld = (id: string, worker: string) =>
    one("id = ? AND status = 'running' AND worker = ?", id, worker) !== undefined;

  const take = (id: string, { worker, leaseMs }: Lease): Task => {
    const row = database.get<TaskRow>(
      `UPDATE tasks SET status = 'running', worker = ?, lease_clock = ?, lease_until = ?, lease_ms = ?,
         attempts = attempts + 1, started_at = ? WHERE id = ? RETURNING ${TASK_COLUMNS}`,
      worker,
      clock.name,
      clock.nowMs() + leaseMs,
      leaseMs,
      new Date().toISOString(),
      id,
    );
    return toTask(row as TaskRow);
  };

  const takeFirst = (
    condition: string,
    values: (string | number)[],
    lease: Lease,
  ): Task | undefined => {
    const find = () =>
      one(
        `status IN ('queued', 'running') AND ${condition} AND ${CLAIMABLE} ORDER BY attempts, seq LIMIT 1`,
        ...values,
        ...leaseState(),
      );
    // Looking first takes no lock: idle workers may ask often.
    if (!database.read(find)) return undefined;
    return database.write(() => {
      for (;;) {
        const row = find();
        if (!row) return undefined;
        if (isReadable(row) && row.attempts < MAX_CLAIMS) return take(row.id, lease);
        setAside(row.id);
      }
    });
  };

  /** It stays as it is, only nobody works on it: whoever looks into the database finds all of it. */
  const setAside = (id: string) =>
    database.run(
      "UPDATE tasks SET status = 'failed', failure = ?, finished_at = NULL, worker = NULL WHERE id = ?",
      JSON.stringify(SET_ASIDE),
      id,
    );

  /** Inside a transaction: ends a task that `worker` still holds. */
  const finish = (
    { id, worker }: { readonly id: string; readonly worker: string },
    end:
      | { readonly status: "completed"; readonly result: TaskResult }
      | { readonly status: "failed"; readonly failure: TaskFailure },
  ): boolean => {
    if (!isHeld(id, worker)) return false;
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
      id,
    );
    return true;
  };

  return {
    isHeld,
    finish,
    enqueue: (id: string, request: AddRequest): Task =>
      database.write(() => {
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
      }),
    claim: (lease: Lease) => takeFirst("1", [], lease),
    claimById: (id: string, lease: Lease) => takeFirst("id = ?", [id], lease),
    renew: (id: string, { worker, leaseMs }: Lease, progress: TaskProgress): boolean =>
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
        return changes === 1;
      }),
    complete: (id: string, worker: string, result: TaskResult) =>
      database.write(() => finish({ id, worker }, { status: "completed", result })),
    fail: (id: string, worker: string, failure: TaskFailure) =>
      database.write(() => finish({ id, worker }, { status: "failed", failure })),
    revoke: (id: string, failure: TaskFailure): boolean =>
      database.write(() => {
        const { changes } = database.run(
          `UPDATE tasks SET status = 'failed', result = NULL, failure = ?, finished_at = ?
           WHERE id = ? AND status = 'completed'`,
          JSON.stringify(failure),
          new Date().toISOString(),
          id,
        );
        return changes === 1;
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
      database.write(() =>
        database.run(
          `UPDATE tasks SET status = 'queued', worker = NULL, started_at = NULL, progress = ?,
             attempts = attempts - 1 WHERE id = ? AND status = 'running' AND worker = ?`,
          JSON.stringify(WAITING),
          id,
          worker,
        ),
      );
    },
    cancel: (id: string): Task | undefined =>
      database.write(() => {
        database.run(
          `UPDATE tasks SET status = 'cancelled', worker = NULL, finished_at = ?
           WHERE id = ? AND (status IN ('queued', 'running') OR ${IS_SET_ASIDE})`,
          new Date().toISOString(),
          id,
        );
        const row = one("id = ?", id);
        return row && toTask(row);
      }),
    prune: (before: string): number =>
      database.write(() => database.run("DELETE FROM tasks WHERE finished_at < ?", before).changes),
  };
}

export type TaskWriter = ReturnType<typeof openTaskWriter>;
