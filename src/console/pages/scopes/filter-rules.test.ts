import { expect, test } from "vitest";
import { filterRules } from "./filter-rules.ts";

const rule = (keyword: string, content: string, source_scope = "company") =>
  ({
    category: "git",
    keyword,
    content,
    source_scope,
    source_tier: "GENERAL",
    overridden: [],
  }) as const;

const RULES = [
  rule("commit", "Present tense."),
  rule("push", "Never to main.", "shop"),
  rule("タグ", "バージョンを付ける。"),
];

test.each([
  ["", ["commit", "push", "タグ"]],
  ["PRESENT", ["commit"]],
  ["git/push", ["push"]],
  ["main shop", ["push"]],
  ["company present", ["commit"]],
  ["ﾊﾞｰｼﾞｮﾝ", ["タグ"]],
  ["present never", []],
])("%j leaves %j", (typed, keywords) => {
  expect(filterRules(RULES, typed).map(({ keyword }) => keyword)).toEqual(keywords);
});
