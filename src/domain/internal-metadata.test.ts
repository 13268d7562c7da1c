import { expect, test } from "vitest";
import {
  contentFacts,
  givenMetadata,
  markFromFile,
  unmarkFromFile,
  visibleMetadata,
} from "./internal-metadata.ts";

const file = { title: "Guide", tags: ["a"], date: "2025" };
const given = { tags: ["b"], author: "Ann" };
const stored = { ...file, ...given, ...markFromFile(file, given), $revision: 2 };

test("given metadata is kept apart from the file's own", () => {
  expect(givenMetadata(stored)).toEqual({ tags: ["b"], author: "Ann" });
  expect(visibleMetadata(stored)).toEqual({ ...file, ...given });
});

test("metadata given later for the same content replaces the file's own", () => {
  const again = { ...stored, title: "Manual", ...unmarkFromFile(stored, { title: "Manual" }) };
  expect(givenMetadata(again)).toEqual({ title: "Manual", tags: ["b"], author: "Ann" });
  expect(unmarkFromFile(stored, { other: 1 })).toEqual({});
});

test("metadata counts as given if the file has none or an earlier version stored it", () => {
  expect(markFromFile({}, given)).toEqual({});
  expect(givenMetadata({ ...given, $revision: 3 })).toEqual(given);
  expect(contentFacts(stored)).toEqual({ $revision: 2 });
});
