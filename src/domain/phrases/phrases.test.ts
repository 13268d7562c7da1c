import { expect, test } from "vitest";
import { describeStep, readStep, STEPS, type Step } from "./steps.ts";
import { describeWarning, readWarning, WARNINGS, type Warning } from "./warnings.ts";

const VALUES = ["3", "12", "notes · 2026.md", "Indexing"];
const valuesOf = (text: string) => VALUES.slice(0, text.split("{").length - 1);

test.each(Object.keys(STEPS) as Step[])("the step %s is read back from its words", (name) => {
  const values = valuesOf(STEPS[name]);
  expect(readStep(describeStep(name, ...values))).toEqual({ name, values });
});

test.each(Object.keys(WARNINGS) as Warning[])("the warning %s is read back", (name) => {
  const values = valuesOf(WARNINGS[name]);
  expect(readWarning(describeWarning(name, ...values))).toEqual({ name, values });
});

test("words of no phrase are not taken for one", () => {
  expect(readStep("Polishing")).toBeUndefined();
  expect(readStep("Reading between the lines")).toBeUndefined();
  expect(readWarning("Page 3 gave no textX")).toBeUndefined();
});
