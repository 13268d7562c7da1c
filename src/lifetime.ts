// Everything that a process opened, closed in reverse however it ends. Nothing is opened once the end has begun.
import { KnowledgeError } from "./domain/errors.ts";
import type { Log } from "./observe/log.ts";
import { settlesWithin } from "./observe/silence.ts";

export interface Lifetime {
  /** Aborted when shutdown begins. */
  readonly ending: AbortSignal;
  /** Opens something that is closed with the rest. Rejects with CANCELLED once shutdown has begun. */
  open<Thing extends object | undefined>(name: string, open: () => Promise<Thing>): Promise<Thing>;
  /** Opens it once, on first use. After a failure the next use tries again. */
  lazy<Thing extends object | undefined>(name: string, open: () => Promise<Thing>): Lazy<Thing>;
  /** For something that is already open. */
  keep(name: string, close: () => unknown): void;
  /**
   * Waits for what is being opened, then closes all. Never rejects. False: a thread cannot be ended, and every way out
   * but one would wait for it.
   */
  close(): Promise<boolean>;
}

/** Something that is opened once, on first use, and closed with the rest if it was opened. */
type Lazy<Thing> = () => Promise<Thing>;

interface Closable {
  close?(): unknown;
}

// Longer than a store needs to find out that one of its threads cannot be stopped.
const LATE_MS = 7_000;
// Longer than any timer; rooms with their own deadline pass it.
const NO_DEADLINE_MS = 2 ** 31 - 1;

export function openLifetime(log: Log, closeMs = NO_DEADLINE_MS): Lifetime {
  const ending = new AbortController();
  const opening = new Set<Promise<unknown>>();
  // In the order in which they became ready, so each comes after what it needs.
  const kept: { readonly name: string; readonly close: () => unknown }[] = [];
  const open: Lifetime["open"] = (name, start) => {
    if (ending.signal.aborted) return Promise.reject(stopping());
    const attempt = start();
    const settled = attempt.then(
      (thing: Closable | undefined) => void kept.push({ name, close: () => thing?.close?.() }),
      () => {},
    );
    opening.add(settled);
    settled.finally(() => opening.delete(settled));
    return attempt;
  };
  return {
    ending: ending.signal,
    open,
    lazy: (name, start) => openOnce(() => open(name, start)),
    keep: (name, close) => void kept.push({ name, close }),
    async close() {
      ending.abort();
      const until = performance.now() + closeMs;
      const inTime = (end: Promise<unknown>) =>
        settlesWithin(end, Math.max(until - performance.now(), 0));
      const ends: Promise<boolean>[] = [];
      const late: string[] = [];
      if (!(await inTime(Promise.all(opening)))) late.push("opening");
      for (const { name, close } of kept.splice(0).toReversed()) {
        const end = closeOne(name, close, log);
        ends.push(end);
        if (!(await inTime(end))) late.push(name);
      }
      if (late.length > 0) log.error("app.close-late", { rooms: late });
      return isEnded(ends);
    },
  };
}

function openOnce<Thing>(open: () => Promise<Thing>): Lazy<Thing> {
  const state: { attempt?: Promise<Thing> } = {};
  const start = () => {
    const attempt = open();
    attempt.catch(() => delete state.attempt);
    return attempt;
  };
  return () => {
    state.attempt ??= start();
    return state.attempt;
  };
}

/** False if it cannot be stopped. Any other failure is no reason to wait for it. */
async function closeOne(name: string, close: () => unknown, log: Log): Promise<boolean> {
  try {
    await close();
    return true;
  } catch (error) {
    log.error("app.close-failed", { room: name, error });
    return !(error instanceof KnowledgeError && error.details["isStuck"]);
  }
}

/** For something that is closed inside something else. */
export function threadStuck(): KnowledgeError {
  return new KnowledgeError("SYSTEM_UNAVAILABLE", "A thread could not be stopped.", {
    details: { isStuck: true },
  });
}

/** Something that is only slow ends with the process. */
async function isEnded(ends: readonly Promise<boolean>[]): Promise<boolean> {
  const known = ends.map(async (end) => !(await settlesWithin(end, LATE_MS)) || end);
  return (await Promise.all(known)).every(Boolean);
}

function stopping(): KnowledgeError {
  return new KnowledgeError("CANCELLED", "The server is stopping; try again when it is back.");
}
