// The scopes' version in memory: the database notifies every server when it grows.
import type { Log } from "../../../observe/log.ts";
import { type ConnectionOptions, openPool, type Pool } from "../connection.ts";
import type { Database } from "../database.ts";

export const SCOPES_CHANNEL = "knowledge_scopes";

export interface ScopesVersion {
  get(): number | Promise<number>;
  /** A change of our own, known before the news of it arrives. */
  note(version: number): void;
  close(): Promise<void>;
}

/** A silent connection may be a dead one: it is asked now and then. */
const CHECK_MS = 15_000;
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;

export function openScopesVersion(
  database: Database,
  options: ConnectionOptions & { readonly log: Log },
): ScopesVersion {
  let version: number | undefined;
  let listening = false;
  let listener: Pool | undefined;
  let timer: NodeJS.Timeout | undefined;
  let pauseMs = FIRST_PAUSE_MS;
  let closed = false;
  let kb = 0;

  const note = (now: number) => {
    version = Math.max(version ?? 0, now);
  };
  const schedule = (afterMs: number) => {
    clearTimeout(timer);
    if (!closed) timer = setTimeout(() => void listen(), afterMs).unref();
  };
  const open = () =>
    openPool(options, {
      max: 1,
      onnotify(channel: string, payload: string) {
        const [base, now] = payload.split(" ").map(Number);
        if (channel === SCOPES_CHANNEL && base === kb && now !== undefined) note(now);
      },
      onclose() {
        listening = false;
        schedule(FIRST_PAUSE_MS);
      },
    });

  const listen = async (): Promise<void> => {
    listener ??= open();
    const current = listener;
    try {
      // Listening first: a change after it is heard of, one before it is read.
      await current`LISTEN ${current(SCOPES_CHANNEL)}`;
      const [row] = await current<{ version: number }[]>`
        SELECT scopes_version AS version FROM knowledge.bases WHERE kb = ${kb}`;
      note(row?.version ?? 0);
      listening = !closed;
      pauseMs = FIRST_PAUSE_MS;
      schedule(CHECK_MS);
    } catch (cause) {
      options.log.debug("store.not_listening", { cause });
      listening = false;
      listener = undefined;
      void current.end({ timeout: 0 });
      schedule(pauseMs);
      pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
    }
  };

  const ask = async (): Promise<number> => {
    try {
      const [row] = await database.read(async (sql, number) => {
        kb = number;
        return sql<{ version: number }[]>`
          SELECT scopes_version AS version FROM knowledge.bases WHERE kb = ${number}`;
      });
      note(row?.version ?? 0);
      if (!listener) await listen();
    } catch (thrown) {
      // What is known already still serves while the database is unavailable.
      if (version === undefined) throw thrown;
    }
    return version as number;
  };

  return {
    get: () => (listening ? (version as number) : ask()),
    note,
    async close() {
      closed = true;
      clearTimeout(timer);
      await listener?.end({ timeout: 1 });
    },
  };
}
