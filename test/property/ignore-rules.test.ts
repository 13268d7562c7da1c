// Our ignore rules decide as the package `ignore` does, for generated rules and paths.
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  isDisputed,
  judgeByOurs,
  judgeByPackage,
  pathsNear,
} from "../../stress/fuzz/ignore-oracle.ts";

const PIECES = [
  ...[
    "a",
    "b",
    "B",
    "é",
    "É",
    "ſ",
    "K",
    "k",
    "ß",
    "😀",
    ".",
    "-",
    "#",
    "!",
    " ",
    "{",
    "+",
    "$",
    "(",
  ],
  ...["*", "**", "***", "?", "\\*", "\\a", "\\\\", "\\[", "\\?", "\\ ", "\\!", "\\", "\\/"],
  ...["[ab]", "[!a]", "[^b]", "[a-c]", "[c-a]", "[]a]", "[\\]]", "[a-]", "[-a]", "[--0]", "[a/b]"],
  ...["[[:alpha:]]", "[[:upper:]x]", "[[:none:]]", "[é-ü]", "[K]", "[", "]", "[a", "[[:", "[!]]"],
];
const piece = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(...PIECES) },
  { weight: 2, arbitrary: fc.constant("/") },
  { weight: 1, arbitrary: fc.string({ maxLength: 3, unit: fc.constantFrom(..."ab*?[]!-\\/ .") }) },
);
const rule = fc
  .tuple(
    fc.constantFrom("", "", "", "!", "/", "**/", "\uFEFF"),
    fc.array(piece, { minLength: 1, maxLength: 7 }),
    fc.constantFrom("", "", "/", "/**", " ", "  ", "/*", "**", "\r"),
  )
  .map(([start, pieces, end]) => start + pieces.join("") + end)
  .filter((line) => !isDisputed(line));
const name = fc
  .string({ minLength: 1, maxLength: 4, unit: fc.constantFrom(..."aabbBc*?[]!-\\ .éÉxX#ſKkß") })
  .filter((text) => text !== "." && text !== "..");
const path = fc.array(name, { minLength: 1, maxLength: 5 }).map((parts) => parts.join("/"));

test("each path is ignored or not as by the package", () => {
  const rules = fc.array(rule, { minLength: 1, maxLength: 4 });
  const paths = fc.array(path, { minLength: 5, maxLength: 10 });
  fc.assert(
    fc.property(rules, paths, (lines, any) => {
      const near = lines.flatMap(pathsNear);
      const all = [...near, ...any, ...any.map((each) => `${each}/`)];
      const [ours, theirs] = [judgeByOurs(lines), judgeByPackage(lines)];
      const differ = all.filter((each) => ours.isIgnored(each) !== theirs.isIgnored(each));
      expect(differ).toEqual([]);
    }),
    { numRuns: 3_000 },
  );
});

test.each([
  ["a\\/**", "a/b/c", true],
  ["a\\/**", "a", false],
  ["**/x", "new\nline/x", true],
])("%s on %s follows git, not the package: %s", (line, at, isIgnored) => {
  expect(judgeByOurs([line]).isIgnored(at)).toBe(isIgnored);
});
