// Long work on the main thread, in turns that let every other call go on in between.
import { setImmediate as letGo } from "node:timers/promises";

export interface Turns {
  /** To be called after each piece of work: lets the event loop go when the turn is over. */
  pass(): Promise<void> | undefined;
}

// Long enough to be worth a turn of the loop. Some documents are read at once, each with two such works, and all of them
// have their turn before the loop goes on.
const TURN_MS = 4;

export function openTurns(signal: AbortSignal): Turns {
  const state = { endsAt: performance.now() + TURN_MS };
  const next = async () => {
    await letGo();
    signal.throwIfAborted();
    state.endsAt = performance.now() + TURN_MS;
  };
  return { pass: () => (performance.now() < state.endsAt ? undefined : next()) };
}
