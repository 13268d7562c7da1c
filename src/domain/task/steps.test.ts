import { expect, test } from "vitest";
import { describeStep, readStep, STEPS, type Step } from "./steps.ts";

test.each(Object.keys(STEPS) as Step[])("%s is read back from its words", (step) => {
  const values = ["3", "12", "notes · 2026.md", "Indexing"].slice(
    0,
    STEPS[step].split("{").length - 1,
  );
  expect(readStep(describeStep(step, ...values))).toEqual({ step, values });
});

test("words of no step are not taken for one", () => {
  expect(readStep("Polishing")).toBeUndefined();
  expect(readStep("Reading between the lines")).toBeUndefined();
});
