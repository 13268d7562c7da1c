import { expect, test } from "vitest";
import { queryPattern, queryWords } from "./query-words.ts";

test.each([
  ["How do refunds work?", ["How", "do", "refunds", "work"]],
  ["資料が見つからない", ["資料", "見"]],
  ["APIキーの作成方法", ["API", "キー", "作成", "方法"]],
  ["申請してください", ["申請"]],
  ["?!", []],
])("the words of %s", (query, words) => {
  expect(queryWords(query)).toEqual(words);
});

test.each([
  ["refund", "Refunds are paid; unrefundable ones are not.", ["Refunds"]],
  ["休暇の申請", "有給休暇は、申請書で申請します。", ["休暇", "申請", "申請"]],
  ["API", "このAPIキーとapis", ["API", "apis"]],
])("%s is marked in %s", (query, text, found) => {
  expect(text.match(queryPattern(query) ?? /$^/)).toEqual(found);
});

test("a query without words marks nothing", () => {
  expect(queryPattern("…")).toBeUndefined();
});
