// How long nothing is claimed after the store failed: longer each time, until something succeeds.

export interface BackOff {
  start(): void;
  end(): void;
  isOn(): boolean;
}

const FIRST_MS = 1_000;
// Freed space is noticed within a minute; until then a large document is not read over and over.
const MAX_MS = 60_000;

export function openBackOff(now: () => number = () => performance.now()): BackOff {
  const state = { untilMs: 0, nextMs: FIRST_MS };
  return {
    start() {
      // Tasks that fail together count as one failure.
      if (now() < state.untilMs) return;
      state.untilMs = now() + state.nextMs;
      state.nextMs = Math.min(state.nextMs * 2, MAX_MS);
    },
    end() {
      state.untilMs = 0;
      state.nextMs = FIRST_MS;
    },
    isOn: () => now() < state.untilMs,
  };
}
