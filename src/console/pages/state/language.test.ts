import { expect, test } from "vitest";
import { i18n } from "./language.ts";

test("numbers are grouped, and their noun has the right form", () => {
  const { t } = i18n("en");
  expect(t("results", 1, 1, 8)).toBe("1 passage in 1 document · 8 ms");
  expect(t("results", 2_000, 12, 8)).toBe("2,000 passages in 12 documents · 8 ms");
  expect(i18n("ja").t("results", 2, 1, 8)).toBe("1 件の文書に 2 か所(8 ミリ秒)");
});
