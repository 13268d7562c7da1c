// The queue of adds. Every transition is one short transaction, so that two processes never hold the same task.
import { GENERAL_SCOPE } from "../domain/call/grants.ts";
import type { Sight } from "../domain/call/sight.ts";
import {
  type AddRequest,
  CLAIMED,
  type Task,
  type TaskFailure,
  type TaskProgress,
  type TaskResult,
  WAITING,
} from "../domain/task.ts";
import { asQueued, MAX_CLAIMS, SET_ASIDE } from "./core/read-task.ts";
import { isReadable, type TaskRow, toTask } from "./core/rows.ts";
import { type Connection, type Engine, json, NOTHING, oneOf, type Sql, sql } from "./sql.ts";

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

interface Lease {
  readonly worker: string;
  readonly leaseMs: number;
}

/** What the caller may see of tasks: nothing, or a condition that begins with AND. */
function visible({ sight }: Connection): Sql {
  return sight === undefined ? NOTHING : sql`AND scope ${oneOf("text", sight)}`;
}

const COLUMNS = sql`id, status, content_hash, request, progress, created_at, started_at, finished_at, attempts, worker,
  result, failure`;

/** Failed without an end time, so they are never pruned. */
export const IS_SET_ASIDE = sql`(status = 'failed' AND finished_at IS NULL)`;
export const IS_OPEN = sql`status IN ('queued', 'running')`;

/** The lease's clock was another one, its time is up, or its clock was set back. */
export function leaseEnded({ dialect: { lease } }: Connection): Sql {
  const now = lease.now();
  return sql`(lease_clock IS DISTINCT FROM ${lease.name} OR lease_until <= ${now} OR lease_until - lease_ms > ${now})`;
}

export function leaseFor({ dialect: { lease } }: Connection, leaseMs: number): Sql {
  return sql`lease_clock = ${lease.name}, lease_until = ${lease.now()} + ${leaseMs}, lease_ms = ${leaseMs}`;
}

export interface TaskRepository extends Omit<TaskStore, "seenBy"> {
  /** The ids of tasks that cannot be read. */
  setAside(): Promise<readonly string[]>;
}

export function openTasks(engine: Engine): TaskRepository {
  const { read, write } = engine;
  return {
    ...openHolding(engine),
    enqueue: (id, request) => write((db) => insert(db, id, request)),
    cancel: (id) =>
      write(async (db) => {
        await db.run(sql`UPDATE tasks SET status = 'cancelled', worker = NULL,
          finished_at = ${db.dialect.now()}
          WHERE kb = ${db.kb} AND id = ${id} AND (${IS_OPEN} OR ${IS_SET_ASIDE}) ${visible(db)}`);
        return find(db, id);
      }),
    get: (id) => read((db) => find(db, id)),
    list: (options) => read((db) => list(db, options)),
    counts: () => read(count),
    setAside: () => read(tasksSetAside),
    prune: (before, keep = 0) =>
      write((db) =>
        db.run(sql`DELETE FROM tasks WHERE kb = ${db.kb} AND finished_at < ${before} AND id NOT IN (
          SELECT id FROM tasks WHERE kb = ${db.kb} AND finished_at IS NOT NULL
          ORDER BY finished_at DESC LIMIT ${keep})`),
      ),
  };
}

/** What a worker does with a task: only as long as it holds it. */
function openHolding(engine: Engine) {
  const change = (id: string, worker: string, to: (db: Connection) => Sql) =>
    engine.write(async (db) => {
      const isHeld = sql`id = ${id} AND status = 'running' AND worker = ${worker}`;
      const changed = await db.run(
        sql`UPDATE tasks SET ${to(db)} WHERE kb = ${db.kb} AND ${isHeld}`,
      );
      return changed === 1;
    });
  const end = async (id: string, worker: string, how: Sql) => {
    const ended = (db: Connection) => sql`${how}, finished_at = ${db.dialect.now()}, worker = NULL`;
    return (await change(id, worker, ended)) ? "ended" : "lease-lost";
  };
  return {
    claim: (worker, leaseMs, choice) =>
      claim(engine, { worker, leaseMs }, toClaimCondition(choice)),
    claimById: (id, worker, leaseMs) =>
      claim(engine, { worker, leaseMs }, { which: sql`AND id = ${id}`, turn: NOTHING }),
    async renew(id, worker, leaseMs, progress) {
      const renewed = (db: Connection) =>
        sql`${leaseFor(db, leaseMs)}, progress = ${json(progress)}`;
      return (await change(id, worker, renewed)) ? "renewed" : "lease-lost";
    },
    complete: (id, worker, result) => end(id, worker, completed(result)),
    fail: (id, worker, failure) =>
      end(id, worker, sql`status = 'failed', failure = ${json(failure)}, result = NULL`),
    async release(id, worker) {
      const released = sql`status = 'queued', worker = NULL, started_at = NULL,
        attempts = attempts - 1, progress = ${json(WAITING)}`;
      await change(id, worker, () => released);
    },
    async expire(id, worker) {
      await change(id, worker, () => sql`lease_clock = NULL`);
    },
  } satisfies Partial<TaskStore>;
}

interface Holder {
  readonly taskId: string;
  readonly worker: string;
}

/** Returns no row if the worker no longer holds the task, which nobody else can take until the transaction ends. */
export function holdTask(db: Connection, { taskId, worker }: Holder): Sql {
  return sql`SELECT 1 FROM tasks WHERE kb = ${db.kb} AND id = ${taskId} AND status = 'running'
    AND worker = ${worker} ${db.dialect.locked}`;
}

/** Completes a task that is held. */
export function completion(db: Connection, { taskId }: Holder, result: TaskResult): Sql {
  return sql`UPDATE tasks SET ${completed(result)}, finished_at = ${db.dialect.now()}, worker = NULL
    WHERE kb = ${db.kb} AND id = ${taskId}`;
}

function completed(result: TaskResult): Sql {
  return sql`status = 'completed', result = ${json(result)}, failure = NULL`;
}

/** For the health check. */
export async function tasksSetAside(db: Connection): Promise<readonly string[]> {
  const rows = await db.all<{ id: string }>(
    sql`SELECT id FROM tasks WHERE kb = ${db.kb} AND ${IS_SET_ASIDE} ORDER BY seq`,
  );
  return rows.map((row) => row.id);
}

async function insert(db: Connection, id: string, request: AddRequest): Promise<Task> {
  const { contentHash, scope = GENERAL_SCOPE, caller = "", sizeBytes } = request;
  // A process that removes this original has either finished by now or will see this task.
  const results = await db.together([
    db.dialect.locks.shareWriting(db.kb),
    db.dialect.locks.originals(db.kb, [contentHash]),
    sql`INSERT INTO tasks (kb, id, status, content_hash, scope, caller, size_bytes, request, progress, created_at)
      VALUES (${db.kb}, ${id}, 'queued', ${contentHash}, ${scope}, ${caller}, ${sizeBytes}, ${json(request)},
        ${json(WAITING)}, ${db.dialect.now()}) RETURNING ${COLUMNS}`,
  ]);
  return toTask(results[2]?.[0] as TaskRow);
}

/** Which tasks may be claimed, and whose turn it is among them. */
interface ClaimCondition {
  readonly which: Sql;
  readonly turn: Sql;
}

function toClaimCondition({ served, maxBytes }: ClaimChoice = { served: [] }): ClaimCondition {
  return {
    which: maxBytes === undefined ? NOTHING : sql`AND size_bytes <= ${maxBytes}`,
    turn: sql`CASE WHEN caller ${oneOf("text", served)} THEN 1 ELSE 0 END,`,
  };
}

function free(db: Connection, { which, turn }: ClaimCondition): Sql {
  return sql`FROM tasks WHERE kb = ${db.kb} AND ${IS_OPEN} ${which}
    AND (status = 'queued' OR ${leaseEnded(db)}) ORDER BY attempts, ${turn} seq LIMIT 1`;
}

async function claim(
  { read, write }: Engine,
  lease: Lease,
  wanted: ClaimCondition,
): Promise<Task | undefined> {
  // Idle workers poll often, so check without a lock or transaction first.
  if (!(await read((db) => db.one(sql`SELECT 1 AS free ${free(db, wanted)}`)))) return undefined;
  return write(async (db) => {
    for (;;) {
      const row = await take(db, lease, wanted);
      if (!row) return undefined;
      if (isReadable(row) && row.attempts <= MAX_CLAIMS) return toTask(row);
      await setAside(db, row.id);
    }
  });
}

function take(db: Connection, { worker, leaseMs }: Lease, wanted: ClaimCondition) {
  return db.one<TaskRow>(sql`WITH next AS (SELECT id AS next_id ${free(db, wanted)} ${db.dialect.skipLocked})
    UPDATE tasks SET status = 'running', worker = ${worker}, attempts = attempts + 1,
      ${leaseFor(db, leaseMs)}, started_at = ${db.dialect.now()}, progress = ${json(CLAIMED)}
    FROM next WHERE kb = ${db.kb} AND id = next_id RETURNING ${COLUMNS}`);
}

/** Leaves the rest of the row unchanged, so that it can be inspected in the database, but no worker claims it any more. */
async function setAside(db: Connection, id: string): Promise<void> {
  await db.run(sql`UPDATE tasks SET status = 'failed', worker = NULL, finished_at = NULL,
    failure = ${json(SET_ASIDE)} WHERE kb = ${db.kb} AND id = ${id}`);
}

interface ReadRow extends TaskRow {
  readonly is_left: boolean | 0 | 1;
}

/** The task's worker died; the next claim takes the task. */
function isAbandoned(db: Connection): Sql {
  return sql`(status = 'running' AND ${leaseEnded(db)})`;
}

const toRead = (row: ReadRow): Task => (row.is_left ? asQueued(toTask(row)) : toTask(row));

async function find(db: Connection, id: string): Promise<Task | undefined> {
  const row = await db.one<ReadRow>(sql`SELECT ${COLUMNS}, ${isAbandoned(db)} AS is_left
    FROM tasks WHERE kb = ${db.kb} AND id = ${id} ${visible(db)}`);
  return row && toRead(row);
}

async function list(
  db: Connection,
  { limit, open = false }: { readonly limit: number; readonly open?: boolean },
): Promise<readonly Task[]> {
  const which = open ? sql`AND ${IS_OPEN}` : NOTHING;
  const running = sql`CASE WHEN status = 'running' AND NOT ${isAbandoned(db)} THEN 0 ELSE 1 END,`;
  const rows = await db.all<ReadRow>(sql`SELECT ${COLUMNS}, ${isAbandoned(db)} AS is_left FROM tasks
    WHERE kb = ${db.kb} ${which} ${visible(db)} ORDER BY ${open ? running : NOTHING} seq DESC LIMIT ${limit}`);
  return rows.map(toRead);
}

async function count(db: Connection): Promise<{ queued: number; running: number }> {
  const counts = { queued: 0, running: 0 };
  const rows = await db.all<{ status: "queued" | "running"; count: number }>(
    sql`SELECT status, count(*) AS count FROM tasks WHERE kb = ${db.kb} AND ${IS_OPEN} ${visible(db)} GROUP BY status`,
  );
  for (const row of rows) counts[row.status] = row.count;
  if (counts.running === 0) return counts;
  // A separate query, because the index on the status serves the first one, and few tasks are running.
  const left = await db.one<{ count: number }>(
    sql`SELECT count(*) AS count FROM tasks WHERE kb = ${db.kb} AND ${isAbandoned(db)} ${visible(db)}`,
  );
  const abandoned = left?.count ?? 0;
  return { queued: counts.queued + abandoned, running: counts.running - abandoned };
}
