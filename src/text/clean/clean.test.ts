import { expect, test } from "vitest";
import { clean, oneLine, tidy } from "./clean.ts";

test.each([
  ["zero-width and joiners", "pass\u200bword\u200d", "password"],
  ["bidi overrides", "\u202etxt.exe\u202c", "txt.exe"],
  ["tag characters", "safe\u{e0041}\u{e0042}", "safe"],
  ["variation selectors", "葛\u{e0100}", "葛"],
  ["NUL and control characters", "a\u0000b\u0007c", "abc"],
  ["lone surrogates", "a\ud800b", "a\ufffdb"],
  ["decomposed letters", "e\u0301", "é"],
  ["odd spaces and line ends", "a\u00a0b\r\nc\u2028d", "a b\nc\nd"],
  ["ligatures", "eﬃcient ﬂow", "efficient flow"],
])("%s do not come through", (_, dirty, cleaned) => {
  expect(clean(dirty)).toBe(cleaned);
});

test("lines keep their breaks in paragraphs and lose them in cells", () => {
  expect(tidy("a  \n\n\n\nb \n")).toBe("a\n\nb");
  expect(oneLine(" a\n b ")).toBe("a b");
});
