import { expect, test } from "vitest";
import { passage } from "../../../test/support/passages.ts";
import { hasRequiredForm } from "./required-forms.ts";

const claims = (text: string) => [{ text, passage: passage(text), spans: [] }];

test.each([
  ["What is the phone number of Bluefin?", "12 Harbour Road, Bristol", false],
  ["What is the phone number of Bluefin?", "Call 0117 496 0123.", true],
  ["本社の電話番号は?", "責任担当者: 電話番号", false],
  ["本社の電話番号は?", "電話：０３－１２３４－５６７８", true],
  ["情報システム部の電話番号は?", "内線 4421", true],
  ["What is Robert's email address?", "Robert Hill, London", false],
  ["What is Robert's email address?", "robert@example.com", true],
  ["What did the audit cost?", "The audit took 18 months.", false],
  ["What did the audit cost?", "The audit cost 2 million dollars.", true],
  ["How much does the tour cost?", "The tour is free.", true],
  ["見学の参加費はいくらですか？", "所要時間は約90分です。", false],
  ["水道の使用量はいくらですか？", "使用量: 43㎥", true],
  ["How old is Ana?", "Manager: Ana; Employees: 124", false],
  ["How old is Ana?", "Ana was born in 1980.", true],
  ["How long does the sweep take?", "After that the sweep takes them away.", false],
  ["How long does the sweep take?", "The sweep takes forty minutes.", true],
  ["How long has the mill been closed?", "The mill has been closed since the flood.", true],
  ["Where is Bluefin?", "12 Harbour Road, Bristol", true],
])("%s %s: %s", (query, text, isThere) => {
  expect(hasRequiredForm(query, claims(text))).toBe(isThere);
});
