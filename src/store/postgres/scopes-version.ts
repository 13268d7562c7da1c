// Keeps the scopes' version in memory; the database notifies every server when it changes.
import type { Log } from "../../observe/log.ts";
import {
  type ConnectionOptions,
  openPool,
  type Pool,
  type Sql,
  withTimeout,
} from "./connection.ts";
import type { Database } from "./database.ts";

export const SCOPES_CHANNEL = "knowledge_scopes";

export interface ScopesVersion {
  get(): number | Promise<number>;
  /** Sets the version after our own change, before the notification arrives. */
  note(version: number): void;
  close(): Promise<void>;
}

/** A silent connection may be dead, so it is probed at this interval. */
const CHECK_MS = 15_000;
const FIRST_PAUSE_MS = 100;
const MAX_PAUSE_MS = 5_000;

type ListenerOptions = ConnectionOptions & { readonly log: Log };

interface VersionState {
  version?: number;
  isListening: boolean;
  listener?: Pool | undefined;
  timer?: NodeJS.Timeout;
  pauseMs: number;
  isClosed: boolean;
  /** The knowledge base's number, known with the first read. */
  kb: number;
}

interface VersionCore {
  readonly database: Database;
  readonly options: ListenerOptions;
  readonly state: VersionState;
}

export function openScopesVersion(database: Database, options: ListenerOptions): ScopesVersion {
  const state = { isListening: false, pauseMs: FIRST_PAUSE_MS, isClosed: false, kb: 0 };
  const core: VersionCore = { database, options, state };
  return {
    get: () => (core.state.isListening ? (core.state.version as number) : ask(core)),
    note: (version) => note(core.state, version),
    async close() {
      core.state.isClosed = true;
      clearTimeout(core.state.timer);
      await core.state.listener?.end({ timeout: 1 });
    },
  };
}

function note(state: VersionState, now: number): void {
  state.version = Math.max(state.version ?? 0, now);
}

function schedule(core: VersionCore, afterMs: number): void {
  const { state } = core;
  clearTimeout(state.timer);
  if (!state.isClosed) state.timer = setTimeout(() => void listen(core), afterMs).unref();
}

function openListener(core: VersionCore): Pool {
  const { state, options } = core;
  return openPool(options, {
    max: 1,
    onnotify(channel: string, payload: string) {
      const [base, now] = payload.split(" ").map(Number);
      if (channel === SCOPES_CHANNEL && base === state.kb && now !== undefined) note(state, now);
    },
    onclose() {
      state.isListening = false;
      schedule(core, FIRST_PAUSE_MS);
    },
  });
}

async function listen(core: VersionCore): Promise<void> {
  const { state, options } = core;
  state.listener ??= openListener(core);
  const current = state.listener;
  try {
    // Listen before reading: later changes are notified, earlier ones are read.
    await withTimeout(options.connectTimeoutMs, current`LISTEN ${current(SCOPES_CHANNEL)}`);
    note(state, await withTimeout(options.connectTimeoutMs, readVersion(current, state.kb)));
    state.isListening = !state.isClosed;
    state.pauseMs = FIRST_PAUSE_MS;
    schedule(core, CHECK_MS);
  } catch (cause) {
    options.log.debug("store.not-listening", { cause });
    state.isListening = false;
    state.listener = undefined;
    void current.end({ timeout: 0 });
    schedule(core, state.pauseMs);
    state.pauseMs = Math.min(state.pauseMs * 2, MAX_PAUSE_MS);
  }
}

async function ask(core: VersionCore): Promise<number> {
  const { state, database } = core;
  try {
    const version = await database.read((sql, kb) => {
      state.kb = kb;
      return readVersion(sql, kb);
    });
    note(state, version);
    if (!state.listener) await listen(core);
  } catch (thrown) {
    // While the database is unavailable, the last known version is used.
    if (state.version === undefined) throw thrown;
  }
  return state.version as number;
}

async function readVersion(sql: Sql, kb: number): Promise<number> {
  const [row] = await sql<{ version: number }[]>`
    SELECT scopes_version AS version FROM knowledge.bases WHERE kb = ${kb}`;
  return row?.version ?? 0;
}
