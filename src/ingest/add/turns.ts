// Splits long work on the main thread into turns, so other calls are served in between.
import { setImmediate as yieldToLoop } from "node:timers/promises";

export interface Turns {
  /** Call it after each piece of work: it yields to the event loop once the turn is over. */
  pass(): Promise<void> | undefined;
}

// Much longer than a turn of the event loop itself. It is no longer than this because several documents are processed
// at once, with two such jobs each, and the event loop waits for a turn of every job.
const TURN_MS = 4;

export function openTurns(signal: AbortSignal): Turns {
  const state = { endsAt: performance.now() + TURN_MS };
  const next = async () => {
    await yieldToLoop();
    signal.throwIfAborted();
    state.endsAt = performance.now() + TURN_MS;
  };
  return { pass: () => (performance.now() < state.endsAt ? undefined : next()) };
}
