// Reads from streaming replicas. A replica answers only if it has replayed everything that this process has written, so
// a caller always finds its own changes; otherwise, and whenever a replica fails, the primary answers.
//
//   write ──▶ primary ── position of its log ──▶ needed
//   read  ──▶ replica, if it has replayed up to `needed`, else primary
import type { Log } from "../../observe/log.ts";
import {
  type ConnectionOptions,
  openPool,
  type Pool,
  type Sql,
  withTimeout,
} from "./connection.ts";
import { codeOf, isLost } from "./failures.ts";

/** How far a server's log has got, in bytes. */
interface Position {
  /** Identifies the server and its copies. */
  readonly cluster: string;
  readonly isReplica: boolean;
  readonly position: number;
}

interface Replica {
  readonly url: string;
  pool?: Pool | undefined;
  /** What it is known to have replayed. */
  replayed: number;
  askedAt: number;
  asideUntil: number;
}

export interface ReplicaOptions extends Omit<ConnectionOptions, "url"> {
  readonly readUrls: readonly string[];
  readonly log: Log;
}

export type Replicas = ReturnType<typeof openReplicas>;

/** A replica that failed is not tried again for this long. */
const ASIDE_MS = 5_000;
/** One that is behind is asked at most this often; meanwhile the primary answers. */
const ASK_EVERY_MS = 20;

interface ReplicasState {
  readonly all: readonly Replica[];
  needed?: Position;
  /** The primary has changed since `needed` was read. */
  isStale: boolean;
  measuring?: Promise<void> | undefined;
}

export function openReplicas(options: ReplicaOptions, primary: () => Pool) {
  const { readUrls, connectTimeoutMs } = options;
  const positionNow = () => withTimeout(connectTimeoutMs, positionOf(primary()));
  const state: ReplicasState = { all: inOrder(readUrls), isStale: true };
  return {
    /** What this process reads from now on includes everything that the primary has now. */
    note(): void {
      state.isStale = true;
      // A read that needs it reports the failure.
      if (readUrls.length > 0) measure(state, positionNow).catch(() => {});
    },
    /** Undefined if the primary has to answer. */
    async read<T>(work: (sql: Sql) => Promise<T>): Promise<{ readonly result: T } | undefined> {
      const replica = await choose(state, options, positionNow).catch(() => undefined);
      if (replica === undefined) return undefined;
      try {
        // A search takes milliseconds: whoever takes as long as a connection may take is dead.
        const answer = withTimeout(connectTimeoutMs, work(poolOf(replica, options)));
        return { result: await answer };
      } catch (thrown) {
        // Another failure, such as a conflict with what is replayed, is this read's own.
        if (isLost(thrown)) setAside(replica, thrown, options.log);
        return undefined;
      }
    },
    /** How many cannot be used now. */
    unusable: (timeoutMs: number) => countUnusable(state.all, { ...options, primary, timeoutMs }),
    async close(): Promise<void> {
      await Promise.all(state.all.map(({ pool }) => pool?.end({ timeout: 5 })));
    },
  };
}

/** Each process prefers one replica, so that what it reads never goes back in time; together they use all. */
function inOrder(urls: readonly string[]): readonly Replica[] {
  const first = Math.floor(Math.random() * urls.length);
  const none = { replayed: -1, askedAt: -ASK_EVERY_MS, asideUntil: 0 };
  return [...urls.slice(first), ...urls.slice(0, first)].map((url) => ({ url, ...none }));
}

interface Count extends ReplicaOptions {
  readonly primary: () => Pool;
  readonly timeoutMs: number;
}

async function countUnusable(all: readonly Replica[], options: Count): Promise<number> {
  if (all.length === 0) return 0;
  const pools = [options.primary(), ...all.map((replica) => poolOf(replica, options))];
  const asked = pools.map((pool) => withTimeout(options.timeoutMs, positionOf(pool)));
  const [needed, ...found] = await Promise.all(asked.map((each) => each.catch(() => undefined)));
  return found.filter((each) => !needed || !each || !isCopy(each, needed)).length;
}

async function choose(
  state: ReplicasState,
  options: ReplicaOptions,
  positionNow: () => Promise<Position>,
): Promise<Replica | undefined> {
  const now = performance.now();
  const replica = state.all.find(({ asideUntil }) => asideUntil <= now);
  if (replica === undefined) return undefined;
  if (state.isStale || state.measuring !== undefined) await measure(state, positionNow);
  const { needed } = state;
  if (needed === undefined) return undefined;
  if (replica.replayed < needed.position && now - replica.askedAt >= ASK_EVERY_MS) {
    replica.askedAt = now;
    await askReplayed(replica, needed, options);
  }
  return replica.replayed >= needed.position ? replica : undefined;
}

/** Repeated until nothing was written meanwhile: what was written after the question is not in the answer. */
function measure(state: ReplicasState, positionNow: () => Promise<Position>): Promise<void> {
  state.measuring ??= (async () => {
    try {
      while (state.isStale) {
        state.isStale = false;
        state.needed = await positionNow();
      }
    } catch (thrown) {
      state.isStale = true;
      throw thrown;
    } finally {
      state.measuring = undefined;
    }
  })();
  return state.measuring;
}

async function askReplayed(replica: Replica, needed: Position, options: ReplicaOptions) {
  try {
    const found = await withTimeout(options.connectTimeoutMs, positionOf(poolOf(replica, options)));
    if (!isCopy(found, needed)) throw new Error("not a replica of this database");
    replica.replayed = found.position;
  } catch (thrown) {
    setAside(replica, thrown, options.log);
  }
}

function isCopy(found: Position, needed: Position): boolean {
  return found.isReplica && found.cluster === needed.cluster;
}

function poolOf(replica: Replica, options: ReplicaOptions): Pool {
  replica.pool ??= openPool({ ...options, url: replica.url });
  return replica.pool;
}

/** Its connections may be dead, so it gets new ones; and it may come back as another server. */
function setAside(replica: Replica, thrown: unknown, log: Log): void {
  const { pool } = replica;
  Object.assign(replica, { pool: undefined, replayed: -1 });
  replica.asideUntil = performance.now() + ASIDE_MS;
  void pool?.end({ timeout: 0 });
  log.warn("store.replica-aside", { code: codeOf(thrown) });
}

/** As a number: 2^53 bytes of log are nine million gigabytes. */
async function positionOf(sql: Sql): Promise<Position> {
  const [row] = await sql<Position[]>`
    SELECT (SELECT system_identifier::text FROM pg_control_system()) AS cluster,
      pg_is_in_recovery() AS "isReplica",
      coalesce(pg_wal_lsn_diff(CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn()
        ELSE pg_current_wal_insert_lsn() END, '0/0'), 0)::bigint AS position`;
  return row as Position;
}
