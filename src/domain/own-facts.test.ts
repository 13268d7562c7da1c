import { expect, test } from "vitest";
import { fromFile, givenMetadata, keptFacts, nowGiven, shownMetadata } from "./own-facts.ts";

const file = { title: "Guide", tags: ["a"], date: "2025" };
const given = { tags: ["b"], author: "Ann" };
const stored = { ...file, ...given, ...fromFile(file, given), $revision: 2 };

test("what was given is kept apart from what the file says of itself", () => {
  expect(givenMetadata(stored)).toEqual({ tags: ["b"], author: "Ann" });
  expect(shownMetadata(stored)).toEqual({ ...file, ...given });
});

test("what is given later for the same content is no longer the file's", () => {
  const again = { ...stored, title: "Manual", ...nowGiven(stored, { title: "Manual" }) };
  expect(givenMetadata(again)).toEqual({ title: "Manual", tags: ["b"], author: "Ann" });
  expect(nowGiven(stored, { other: 1 })).toEqual({});
});

test("metadata of a file that says nothing, or of an earlier version, counts as given", () => {
  expect(fromFile({}, given)).toEqual({});
  expect(givenMetadata({ ...given, $revision: 3 })).toEqual(given);
  expect(keptFacts(stored)).toEqual({ $revision: 2 });
});
