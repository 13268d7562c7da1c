import { expect, test } from "vitest";
import { openRace } from "./race.ts";

function openRun() {
  const shown: string[] = [];
  const asked: { answer: (value: string | undefined) => void; signal: AbortSignal }[] = [];
  const race = openRace<string>((value) => shown.push(value));
  const ask = () =>
    race.run((signal) => {
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
  return { shown, race, ask, answer, aborted };
}

test("an older answer is shown while the newer one is on its way, and not after it", async () => {
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

test("at most two are on their way; a newer answer ends the older question", async () => {
  const { ask, answer, aborted } = openRun();
  ask();
  ask();
  ask();
  expect(aborted()).toEqual([true, false, false]);
  await answer(2, "newest");
  expect(aborted()).toEqual([true, true, false]);
});

test("what is settled is shown at once, and nothing that was asked before", async () => {
  const { shown, race, ask, answer } = openRun();
  ask();
  race.settle("idle");
  await answer(0, "old");
  expect(shown).toEqual(["idle"]);
});

test("an answer without anything to show leaves what is shown", async () => {
  const { shown, ask, answer } = openRun();
  ask();
  await answer(0, undefined);
  expect(shown).toEqual([]);
});

test("nothing is shown after the end", async () => {
  const { shown, race, ask, answer, aborted } = openRun();
  ask();
  race.end();
  await answer(0, "late");
  expect(shown).toEqual([]);
  expect(aborted()).toEqual([true]);
});
