import { vi } from "vitest";

/** Retries `check` until it no longer throws. The limit is generous, because a loaded machine is slow, not wrong. */
export function eventually<Result>(
  check: () => Result | Promise<Result>,
  withinMs = 120_000,
): Promise<Result> {
  return vi.waitFor(check, { timeout: withinMs, interval: 30 });
}
