import { expect, test } from "vitest";
import { ago, i18n } from "./language.ts";

const FOUND = "{0|passage|passages} in {1|document|documents} · {2} ms";

test("numbers are grouped, and their noun has the right form", () => {
  const { t } = i18n("en");
  expect(t(FOUND, 1, 1, 8)).toBe("1 passage in 1 document · 8 ms");
  expect(t(FOUND, 2_000, 12, 8)).toBe("2,000 passages in 12 documents · 8 ms");
  expect(i18n("ja").t(FOUND, 2, 1, 8)).toBe("1 件の文書に 2 か所(8 ミリ秒)");
});

const NOW = Date.parse("2026-03-10T12:00:00Z");
const MINUTE = 60_000;

test.each([
  [0, "just now", "たった今"],
  [-5 * MINUTE, "just now", "たった今"],
  [2 * MINUTE, "2 min ago", "2 分前"],
  [3 * 60 * MINUTE, "3 hr ago", "3 時間前"],
  [26 * 60 * MINUTE, "yesterday", "昨日"],
  [9 * 1_440 * MINUTE, "Mar 1", "3月1日"],
  [400 * 1_440 * MINUTE, "Feb 3, 2025", "2025年2月3日"],
])("%d ms ago is shown in words", (passed, en, ja) => {
  expect(ago(NOW - passed, NOW, "en")).toBe(en);
  expect(ago(NOW - passed, NOW, "ja")).toBe(ja);
});
