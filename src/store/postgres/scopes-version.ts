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

/** A silent connection may be dead, so it is probed at this interval. */
const CHECK_MS = 15_000;
const FIRST_PAUSE_MS = 100;
const MAX_PAUSE_MS = 5_000;

type ListenerOptions = ConnectionOptions & { readonly log: Log };

export class ScopesVersion {
  readonly #database: Database;
  readonly #options: ListenerOptions;
  #version: number | undefined;
  #isListening = false;
  #listener: Pool | undefined;
  #timer: NodeJS.Timeout | undefined;
  #pauseMs = FIRST_PAUSE_MS;
  #isClosed = false;
  /** The knowledge base's number, known with the first read. */
  #kb = 0;

  constructor(database: Database, options: ListenerOptions) {
    this.#database = database;
    this.#options = options;
  }

  get(): number | Promise<number> {
    return this.#isListening ? (this.#version as number) : this.#ask();
  }

  /** Sets the version after our own change, before the notification arrives. */
  note(version: number): void {
    this.#version = Math.max(this.#version ?? 0, version);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#listener?.end({ timeout: 1 });
  }

  async #ask(): Promise<number> {
    try {
      const version = await this.#database.read((sql, kb) => {
        this.#kb = kb;
        return readVersion(sql, kb);
      });
      this.note(version);
      if (!this.#listener) await this.#listen();
    } catch (thrown) {
      // While the database is unavailable, the last known version is used.
      if (this.#version === undefined) throw thrown;
    }
    return this.#version as number;
  }

  async #listen(): Promise<void> {
    const { connectTimeoutMs, log } = this.#options;
    this.#listener ??= this.#openListener();
    const current = this.#listener;
    try {
      // Listen before reading: later changes are notified, earlier ones are read.
      await withTimeout(connectTimeoutMs, current`LISTEN ${current(SCOPES_CHANNEL)}`);
      this.note(await withTimeout(connectTimeoutMs, readVersion(current, this.#kb)));
      this.#isListening = !this.#isClosed;
      this.#pauseMs = FIRST_PAUSE_MS;
      this.#schedule(CHECK_MS);
    } catch (cause) {
      log.debug("store.not-listening", { cause });
      this.#isListening = false;
      this.#listener = undefined;
      void current.end({ timeout: 0 });
      this.#schedule(this.#pauseMs);
      this.#pauseMs = Math.min(this.#pauseMs * 2, MAX_PAUSE_MS);
    }
  }

  #openListener(): Pool {
    return openPool(this.#options, {
      max: 1,
      onnotify: (channel, payload) => {
        const [base, now] = payload.split(" ").map(Number);
        if (channel === SCOPES_CHANNEL && base === this.#kb && now !== undefined) this.note(now);
      },
      onclose: () => {
        this.#isListening = false;
        this.#schedule(FIRST_PAUSE_MS);
      },
    });
  }

  #schedule(afterMs: number): void {
    clearTimeout(this.#timer);
    if (!this.#isClosed) this.#timer = setTimeout(() => void this.#listen(), afterMs).unref();
  }
}

async function readVersion(sql: Sql, kb: number): Promise<number> {
  const [row] = await sql<{ version: number }[]>`
    SELECT scopes_version AS version FROM knowledge.bases WHERE kb = ${kb}`;
  return row?.version ?? 0;
}
