import { expect, test } from "vitest";
import { CallFailed } from "../state/mcp.ts";
import { canTryAgain, type Item, type ItemState, remainingMs, summarise } from "./upload-items.ts";

const item = (state: ItemState, fraction = 0): Item => ({
  key: state,
  name: state,
  state,
  fraction,
  step: [],
});

test("a queue that has not begun is an empty bar", () => {
  expect(summarise([item("waiting"), item("waiting")], 0).fraction).toBe(0);
});

test("running uploads come first, failures are separate, the rest is counted", () => {
  const all = [item("uploading", 0.5), item("running", 0.5), item("failed"), item("completed")];
  const summary = summarise(all, 6);
  expect(summary.active.map(({ state }) => state)).toEqual(["running", "uploading"]);
  expect(summary).toMatchObject({ total: 10, done: 2, failed: [{ state: "failed" }] });
  expect(summary.fraction).toBeCloseTo((0.1 + 0.6 + 2) / 10);
});

test("the remaining time follows the rate, and is not estimated from too little", () => {
  const summary = summarise([item("completed"), item("present"), item("queued")], 3);
  expect(remainingMs(summary, 4_000)).toBe(8_000);
  expect(remainingMs(summary, 1_000)).toBeUndefined();
  expect(remainingMs(summarise([item("completed"), item("queued")], 0), 9_000)).toBeUndefined();
  expect(remainingMs(summarise([item("completed"), item("completed")], 0), 9_000)).toBeUndefined();
});

test("a large file that is left makes the rest take longer", () => {
  const sized = (state: ItemState, bytes: number) => ({
    ...item(state),
    file: new File(["x".repeat(bytes)], state),
  });
  const files = [sized("completed", 100), sized("completed", 100), sized("waiting", 800)];
  expect(remainingMs(summarise(files, 0), 10_000)).toBe(40_000);
});

test("an archive with failed files is among the failures", () => {
  const folder = { found: 3, added: 2, unchanged: 0, failed: 1, skipped: 0, failures: [] };
  const { failed, finished, done } = summarise([{ ...item("completed"), folder }], 0);
  expect([failed.length, finished.length, done]).toEqual([1, 0, 1]);
});

test.each([
  ["unsupported_format", false],
  ["empty_document", false],
  ["corrupt_file", false],
  ["overloaded", true],
])("after %s the file can be tried again: %j", (error, can) => {
  const failed = { ...item("failed"), failure: new CallFailed("", { error }) };
  expect(canTryAgain({ ...failed, file: new File(["x"], "x.txt") })).toBe(can);
  expect(canTryAgain(failed)).toBe(false);
});
