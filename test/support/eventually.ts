import { vi } from "vitest";

/** What `check` returns once it no longer throws. A loaded machine is slow, not wrong: the limit is generous. */
export function eventually<Result>(
  check: () => Result | Promise<Result>,
  withinMs = 60_000,
): Promise<Result> {
  return vi.waitFor(check, { timeout: withinMs, interval: 30 });
}
