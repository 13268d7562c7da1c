import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { settlesWithin, watchSilence } from "./silence.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("silence is noticed once, after the time limit", () => {
  const onSilent = vi.fn();
  watchSilence({ silentMs: 100, onSilent });
  vi.advanceTimersByTime(99);
  expect(onSilent).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1000);
  expect(onSilent).toHaveBeenCalledOnce();
});

test("a thread that replies is never called silent", () => {
  const onSilent = vi.fn();
  const watch = watchSilence({ silentMs: 100, onSilent });
  for (let turn = 0; turn < 50; turn++) {
    watch.heard();
    vi.advanceTimersByTime(75);
  }
  expect(onSilent).not.toHaveBeenCalled();
  watch.end();
  vi.advanceTimersByTime(1000);
  expect(onSilent).not.toHaveBeenCalled();
});

test("a promise that never settles is late, one that fails is not", async () => {
  const late = settlesWithin(new Promise(() => {}), 100);
  vi.advanceTimersByTime(100);
  expect(await late).toBe(false);
  expect(await settlesWithin(Promise.reject(new Error("failed")), 100)).toBe(true);
});
