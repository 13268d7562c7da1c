import { expect, test } from "vitest";
import { highlights, queryWords } from "./highlights.ts";

test.each([
  ["How do refunds work?", ["refunds", "work"]],
  ["5-level paging", ["5-level", "paging"]],
  ["資料が見つからない", ["資料", "見"]],
  ["APIキーの作成方法", ["API", "キー", "作成", "方法"]],
  ["申請してください", ["申請"]],
  ["what is it", ["what", "is", "it"]],
  ["?!", []],
])("the words of %s", (query, words) => {
  expect(queryWords(query)).toEqual(words);
});

test.each([
  ["refund", "Refunds are paid; unrefundable ones are not.", ["Refunds"]],
  ["refunds", "A refund is paid.", ["refund"]],
  ["state of the art", "The state of art", ["state", "art"]],
  ["5-level paging", "5-level paging adds one level.", ["5-level", "paging"]],
  ["休暇の申請", "有給休暇は、申請書で申請します。", ["休暇", "申請", "申請"]],
  ["API", "このAPIキーとapis", ["API", "apis"]],
  ["C++ (draft)", "c++ and C", ["c++"]],
  ["…", "anything", []],
])("%s is marked in %s", (query, text, found) => {
  expect(highlights(text, query).map(({ start, end }) => text.slice(start, end))).toEqual(found);
});
