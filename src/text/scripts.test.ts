import { expect, test } from "vitest";
import { sharesScript } from "./scripts.ts";

test.each([
  ["How long is the warranty?", "保証期間は24か月です。", false],
  ["保証期間は？", "La garantie dure 24 mois.", false],
  ["保证期多长？", "保証期間は24か月です。", true],
  ["How long is the warranty?", "La garantie dure 24 mois.", true],
  ["OAuth の設定方法", "To configure OAuth, open the settings.", true],
  ["2026-01", "保証期間", true],
])("%s and %s share a script: %s", (one, other, shared) => {
  expect(sharesScript(one, other)).toBe(shared);
});
