import { expect, test } from "vitest";
import { words } from "../../text/words.ts";
import { counts, hasUnit, quantities } from "./quantity.ts";

const found = (text: string) => quantities(text, words(text)).map(({ text: own }) => own);

test.each([
  ["The tool has 40 users.", ["40"]],
  ["Files stay for thirty days.", ["thirty"]],
  ["原稿を最大50枚までセットできます。", ["50"]],
  ["Sholes patented it in 1868.", []],
  ["We used 2000 examples.", ["2000"]],
  ["The 2000 Amendments changed it.", []],
  ["Untuned gpt-4 was slower.", []],
  ["Ducks fly south.[12]", []],
  ["3. Restart the server.", []],
  ["1.2 Extent of the service.", []],
  ["Each one has a number, and one of them is red.", []],
  ["It takes one hour.", ["one"]],
  ["It lasts **24** months.", ["24"]],
])("%s", (text, expected) => {
  expect(found(text)).toEqual(expected);
});

test("a share, a price and a distant number do not count what is asked for", () => {
  const keys = new Set(words("parameters").map(({ key }) => key));
  const counted = (text: string) => counts(text, words(text), keys).map(({ text: own }) => own);
  expect(counted("It has 12 parameters.")).toEqual(["12"]);
  expect(counted("Tuning the parameters improved it by 20%.")).toEqual([]);
  expect(counted("Tuning the parameters costs $12.")).toEqual([]);
  expect(
    counted("Its parameters are set by the person who runs it once in about 30 days."),
  ).toEqual([]);
});

test.each([
  ["How long do herons live?", "They live for up to 25 years.", true],
  ["How long do herons live?", "25 herons live there.", false],
  ["How tall is the tower?", "The tower is 40 m tall.", true],
  ["How tall is the tower?", "The tower has 40 windows.", false],
  ["How much does the parcel weigh?", "It weighs 3 kg.", true],
  ["How many herons are there?", "There are 25.", true],
])("%s %s", (question, sentence, expected) => {
  expect(hasUnit(question, sentence)).toBe(expected);
});
