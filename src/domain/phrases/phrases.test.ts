import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  describeFileFailure,
  FILE_FAILURES,
  type FileFailure,
  readFileFailure,
} from "./file-failures.ts";
import { describeNotice, NOTICES, type Notice, readNotice } from "./notices.ts";
import { fillIn } from "./phrases.ts";
import { describeStep, readStep, STEPS, type Step } from "./steps.ts";
import {
  describeWarning,
  FORMER_WARNINGS,
  readWarning,
  WARNINGS,
  type Warning,
} from "./warnings.ts";

const VALUES = ["3", "12", "notes · 2026.md", "Indexing"];
const valuesOf = (text: string) => VALUES.slice(0, text.split("{").length - 1);

test.each(Object.keys(STEPS) as Step[])("the step %s is recognised by its text", (name) => {
  const values = valuesOf(STEPS[name]);
  expect(readStep(describeStep(name, ...values))).toEqual({ name, values });
});

test.each(Object.keys(WARNINGS) as Warning[])(
  "the warning %s is recognised by its text",
  (name) => {
    const values = valuesOf(WARNINGS[name]);
    expect(readWarning(describeWarning(name, ...values))).toEqual({ name, values });
  },
);

test.each(FORMER_WARNINGS)("the earlier text of %s is recognised", (name, text) => {
  const values = valuesOf(text);
  expect(readWarning(fillIn(text, values))).toEqual({ name, values });
});

test.each(Object.keys(NOTICES) as Notice[])("the notice %s is recognised by its text", (name) => {
  const values = valuesOf(NOTICES[name]);
  expect(readNotice(describeNotice(name, ...values))).toEqual({ name, values });
});

test("other text is not recognised as a phrase", () => {
  expect(readStep("Polishing")).toBeUndefined();
  expect(readStep("Reading between the lines")).toBeUndefined();
  expect(readWarning("No text was found on page 3.X")).toBeUndefined();
});

test.each(Object.keys(FILE_FAILURES) as FileFailure[])(
  "the reason %s is recognised by its text",
  (name) => {
    const values = valuesOf(FILE_FAILURES[name]);
    expect(readFileFailure(describeFileFailure(name, ...values))).toEqual({ name, values });
  },
);

test("every reason of a file's failure is one that the server gives", async () => {
  const source = join(import.meta.dirname, "..", "..");
  const rooms = await Promise.all(
    ["extract", "ingest"].map(async (room) =>
      (await readdir(join(source, room), { recursive: true })).map((name) => join(room, name)),
    ),
  );
  const names = rooms.flat().filter((name) => /(?<!\.test)\.ts$/.test(name));
  const texts = await Promise.all(names.map((name) => readFile(join(source, name), "utf8")));
  const written = texts.join("\n");
  const given = (name: string) => written.includes(`describeFileFailure("${name}"`);
  expect(Object.keys(FILE_FAILURES).filter((name) => !given(name))).toEqual([]);
});
