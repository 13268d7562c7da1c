import fc from "fast-check";
import { expect, test } from "vitest";
import { keysAmong, words } from "./words.ts";

const LINES = [
  "Two estimates of 1,200 pages were related, as the flies' flight is.",
  "BXJSクラスでは、スライドをbxjsslideで作る。東京都の2店舗",
  "Relational paging (CR4.LA57): the 3rd bit",
  "（納品書）Weightは184 kgです",
  "She eyed 5km of ties, the ﬁrst tying “rational” relations’ possibilities o'clock.",
  "",
];

test("finds which of the wanted keys are words of a text", () => {
  const text = fc
    .array(fc.constantFrom(...LINES, ..."・ .,:x９".split("")), { maxLength: 8 })
    .map((parts) => parts.join("\n"));
  fc.assert(
    fc.property(text, text, (one, other) => {
      const wanted = new Set([...words(one), ...words("two flies 都")].map(({ key }) => key));
      const held = other.split("\n").flatMap((line) => words(line).map(({ key }) => key));
      const expected = [...wanted].filter((key) => held.includes(key));
      expect([...keysAmong(other, wanted)].sort()).toEqual(expected.sort());
    }),
  );
});
