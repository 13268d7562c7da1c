import { expect, test } from "vitest";
import { openLatestResult } from "./latest-result.ts";

function openRun() {
  const shown: string[] = [];
  const asked: { answer: (value: string | undefined) => void; signal: AbortSignal }[] = [];
  const latest = openLatestResult<string>((value) => shown.push(value));
  const ask = () =>
    latest.run((signal) => {
      const { promise, resolve } = Promise.withResolvers<string | undefined>();
      asked.push({ answer: resolve, signal });
      return promise;
    });
  const answer = async (at: number, value: string | undefined) => {
    asked[at]?.answer(value);
    await Promise.resolve();
    await Promise.resolve();
  };
  const aborted = () => asked.map(({ signal }) => signal.aborted);
  return { shown, latest, ask, answer, aborted };
}

test("an older answer is shown while the newer one is pending, and not after it", async () => {
  const { shown, ask, answer } = openRun();
  ask();
  ask();
  await answer(0, "old");
  expect(shown).toEqual(["old"]);
  ask();
  await answer(2, "newest");
  await answer(1, "late");
  expect(shown).toEqual(["old", "newest"]);
});

test("at most two are pending; a newer answer cancels the older question", async () => {
  const { ask, answer, aborted } = openRun();
  ask();
  ask();
  ask();
  expect(aborted()).toEqual([true, false, false]);
  await answer(2, "newest");
  expect(aborted()).toEqual([true, true, false]);
});

test("a settled answer is shown at once, and older ones no longer", async () => {
  const { shown, latest, ask, answer } = openRun();
  ask();
  latest.settle("idle");
  await answer(0, "old");
  expect(shown).toEqual(["idle"]);
});

test("an empty answer leaves the shown one in place", async () => {
  const { shown, ask, answer } = openRun();
  ask();
  await answer(0, undefined);
  expect(shown).toEqual([]);
});

test("nothing is shown after the end", async () => {
  const { shown, latest, ask, answer, aborted } = openRun();
  ask();
  latest.end();
  await answer(0, "late");
  expect(shown).toEqual([]);
  expect(aborted()).toEqual([true]);
});
