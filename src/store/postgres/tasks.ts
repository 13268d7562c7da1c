// Tasks: every transition is one statement. Leases are measured by the database's clock, the only one that
// all servers share.
import {
  type AddRequest,
  CLAIMED,
  type Task,
  type TaskFailure,
  type TaskResult,
  WAITING,
} from "../../domain/task.ts";
import { asQueued, MAX_CLAIMS, SET_ASIDE } from "../core/read-task.ts";
import type { EndOutcome, RevokeOutcome, TaskStore } from "../store.ts";
import type { Sql } from "./connection.ts";
import type { Database } from "./database.ts";
import type { Fragment } from "./documents/filter.ts";
import { lockOriginals, shareWriting } from "./locks.ts";
import { isReadable, type TaskRow, taskColumns, toTask } from "./rows.ts";
import { pipeline } from "./transaction.ts";

interface Holder {
  readonly taskId: string;
  readonly worker: string;
}

/** Locks the task until the end of the transaction. Returns no row if the worker no longer holds it. */
export function holdTask(sql: Sql, kb: number, { taskId, worker }: Holder) {
  return sql`SELECT 1 FROM knowledge.tasks
    WHERE kb = ${kb} AND id = ${taskId} AND status = 'running' AND worker = ${worker} FOR UPDATE`;
}

export function completeHeld(
  sql: Sql,
  kb: number,
  { taskId, worker, result }: Holder & { readonly result: TaskResult },
) {
  return sql`
    UPDATE knowledge.tasks SET status = 'completed', result = ${sql.types.jsonb(result)}::jsonb,
      failure = NULL, finished_at = clock_timestamp(), worker = NULL,
      progress = progress || jsonb_build_object('fraction', 1, 'completedSteps', progress -> 'totalSteps')
    WHERE kb = ${kb} AND id = ${taskId} AND status = 'running' AND worker = ${worker}`;
}

interface Lease {
  readonly worker: string;
  readonly leaseMs: number;
}

const leaseEnd = (sql: Sql, leaseMs: number) =>
  sql`clock_timestamp() + ${leaseMs} * interval '1 millisecond'`;

const freeTasks = (sql: Sql, kb: number, which: Fragment) =>
  sql`FROM knowledge.tasks WHERE kb = ${kb} ${which} AND status IN ('queued', 'running')
    AND (status = 'queued' OR lease_until < clock_timestamp()) ORDER BY attempts, seq LIMIT 1`;

async function take(
  database: Database,
  { worker, leaseMs, id }: Lease & { readonly id?: string },
): Promise<Task | undefined> {
  const which = (sql: Sql) => (id === undefined ? sql`` : sql`AND id = ${id}`);
  // Idle workers poll often, so check without a lock or transaction first.
  const some = await database.read((sql, kb) => sql`SELECT 1 ${freeTasks(sql, kb, which(sql))}`);
  if (some.length === 0) return undefined;
  return database.write(async (sql, kb) => {
    for (;;) {
      const [row] = await sql<TaskRow[]>`
        WITH next AS MATERIALIZED (
          SELECT id AS next_id ${freeTasks(sql, kb, which(sql))} FOR UPDATE SKIP LOCKED
        )
        UPDATE knowledge.tasks SET status = 'running', worker = ${worker}, attempts = attempts + 1,
          lease_until = ${leaseEnd(sql, leaseMs)}, started_at = clock_timestamp(),
          progress = ${sql.types.jsonb(CLAIMED)}::jsonb
        FROM next WHERE kb = ${kb} AND id = next_id RETURNING ${taskColumns(sql)}`;
      if (!row) return undefined;
      if (isReadable(row) && row.attempts <= MAX_CLAIMS) return toTask(row);
      await setAside(sql, kb, row.id);
    }
  });
}

/**
 * Leaves the rest of the row unchanged, so that it can be inspected in the database, but no worker claims it any more.
 */
function setAside(sql: Sql, kb: number, id: string) {
  return sql`UPDATE knowledge.tasks SET status = 'failed', worker = NULL, finished_at = NULL,
    failure = ${sql.types.jsonb(SET_ASIDE)}::jsonb WHERE kb = ${kb} AND id = ${id}`;
}

/** Failed without an end time, so they are never pruned. */
export const isSetAside = (sql: Sql) => sql`(status = 'failed' AND finished_at IS NULL)`;

export async function tasksSetAside(sql: Sql, kb: number): Promise<readonly string[]> {
  const rows = await sql<{ id: string }[]>`
    SELECT id FROM knowledge.tasks WHERE kb = ${kb} AND ${isSetAside(sql)} ORDER BY seq`;
  return rows.map((row) => row.id);
}

export function openTasks(database: Database): TaskStore {
  const { read, write } = database;
  return {
    enqueue: (id, request) => write((sql, kb) => enqueue(sql, kb, { id, request })),
    claim: (worker, leaseMs) => take(database, { worker, leaseMs }),
    claimById: (id, worker, leaseMs) => take(database, { worker, leaseMs, id }),
    renew: (id, worker, leaseMs, progress) =>
      write(async (sql, kb) => {
        const { count } = await sql`
          UPDATE knowledge.tasks SET lease_until = ${leaseEnd(sql, leaseMs)},
            progress = ${sql.types.jsonb(progress)}::jsonb ${whichHeld(sql, kb, { id, worker })}`;
        return count === 1 ? "renewed" : "lease-lost";
      }),
    complete: (id, worker, result) =>
      write(async (sql, kb) => {
        const { count } = await completeHeld(sql, kb, { taskId: id, worker, result });
        return count === 1 ? "ended" : "lease-lost";
      }),
    fail: (id, worker, failure) => write((sql, kb) => fail(sql, kb, { id, worker, failure })),
    revoke: (id, failure) => write((sql, kb) => revoke(sql, kb, { id, failure })),
    release: (id, worker) => write((sql, kb) => release(sql, kb, { id, worker })),
    expire: (id, worker) =>
      write(async (sql, kb) => {
        await sql`UPDATE knowledge.tasks SET lease_until = '-infinity'
          ${whichHeld(sql, kb, { id, worker })}`;
      }),
    cancel: (id) => write((sql, kb) => cancel(sql, kb, id)),
    get: (id) => read((sql, kb) => findTask(sql, kb, id)),
    list: (options) => read((sql, kb) => listTasks(sql, kb, options)),
    counts: () => read(countTasks),
    prune: (before) =>
      write(async (sql, kb) => {
        const { count } = await sql`
          DELETE FROM knowledge.tasks WHERE kb = ${kb} AND finished_at < ${before}::timestamptz`;
        return count;
      }),
  };
}

interface HeldTask {
  readonly id: string;
  readonly worker: string;
}

const whichHeld = (sql: Sql, kb: number, { id, worker }: HeldTask) =>
  sql`WHERE kb = ${kb} AND id = ${id} AND status = 'running' AND worker = ${worker}`;

async function fail(
  sql: Sql,
  kb: number,
  { failure, ...held }: HeldTask & { readonly failure: TaskFailure },
): Promise<EndOutcome> {
  const { count } = await sql`
    UPDATE knowledge.tasks SET status = 'failed', failure = ${sql.types.jsonb(failure)}::jsonb,
      result = NULL, finished_at = clock_timestamp(), worker = NULL ${whichHeld(sql, kb, held)}`;
  return count === 1 ? "ended" : "lease-lost";
}

async function revoke(
  sql: Sql,
  kb: number,
  { id, failure }: { readonly id: string; readonly failure: TaskFailure },
): Promise<RevokeOutcome> {
  const { count } = await sql`
    UPDATE knowledge.tasks SET status = 'failed', failure = ${sql.types.jsonb(failure)}::jsonb,
      result = NULL, finished_at = clock_timestamp()
    WHERE kb = ${kb} AND id = ${id} AND status = 'completed'`;
  return count === 1 ? "revoked" : "not-completed";
}

async function release(sql: Sql, kb: number, held: HeldTask): Promise<void> {
  await sql`
    UPDATE knowledge.tasks SET status = 'queued', worker = NULL, started_at = NULL,
      attempts = attempts - 1, progress = ${sql.types.jsonb(WAITING)}::jsonb
      ${whichHeld(sql, kb, held)}`;
}

async function enqueue(
  sql: Sql,
  kb: number,
  { id, request }: { readonly id: string; readonly request: AddRequest },
): Promise<Task> {
  // A process that removes this original has either finished by now or will see this task.
  const [, , [row]] = await pipeline(
    shareWriting(sql, kb),
    lockOriginals(sql, kb, [request.contentHash]),
    sql<TaskRow[]>`
      INSERT INTO knowledge.tasks (kb, id, status, content_hash, request, progress, created_at)
      VALUES (${kb}, ${id}, 'queued', ${request.contentHash}, ${sql.types.jsonb(request)}::jsonb,
        ${sql.types.jsonb(WAITING)}::jsonb, clock_timestamp())
      RETURNING ${taskColumns(sql)}`,
  );
  return toTask(row as TaskRow);
}

async function cancel(sql: Sql, kb: number, id: string): Promise<Task | undefined> {
  await sql`UPDATE knowledge.tasks
    SET status = 'cancelled', worker = NULL, finished_at = clock_timestamp()
    WHERE kb = ${kb} AND id = ${id} AND (status IN ('queued', 'running') OR ${isSetAside(sql)})`;
  return findTask(sql, kb, id);
}

/** The task's worker died; the next claim takes the task. */
const isAbandoned = (sql: Sql) => sql`(status = 'running' AND lease_until < clock_timestamp())`;

interface ReadRow extends TaskRow {
  readonly is_left: boolean;
}

const toRead = (row: ReadRow): Task => (row.is_left ? asQueued(toTask(row)) : toTask(row));

async function findTask(sql: Sql, kb: number, id: string): Promise<Task | undefined> {
  const [row] = await sql<ReadRow[]>`
    SELECT ${taskColumns(sql)}, ${isAbandoned(sql)} AS is_left
    FROM knowledge.tasks WHERE kb = ${kb} AND id = ${id}`;
  return row && toRead(row);
}

async function listTasks(
  sql: Sql,
  kb: number,
  { limit, open }: { readonly limit: number; readonly open?: boolean },
): Promise<readonly Task[]> {
  const which = open ? sql`AND status IN ('queued', 'running')` : sql``;
  const first = open ? sql`(status = 'running' AND NOT ${isAbandoned(sql)}) DESC,` : sql``;
  const rows = await sql<ReadRow[]>`
    SELECT ${taskColumns(sql)}, ${isAbandoned(sql)} AS is_left
    FROM knowledge.tasks WHERE kb = ${kb} ${which}
    ORDER BY ${first} seq DESC LIMIT ${limit}`;
  return rows.map(toRead);
}

async function countTasks(sql: Sql, kb: number): Promise<{ queued: number; running: number }> {
  const counts = { queued: 0, running: 0 };
  const rows = await sql<{ status: "queued" | "running"; count: number }[]>`
    SELECT CASE WHEN ${isAbandoned(sql)} THEN 'queued' ELSE status END AS status, count(*) AS count
    FROM knowledge.tasks
    WHERE kb = ${kb} AND status IN ('queued', 'running') GROUP BY 1`;
  for (const { status, count } of rows) counts[status] = count;
  return counts;
}
