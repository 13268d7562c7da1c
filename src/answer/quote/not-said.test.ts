// The subject is there, but not what is asked for: passages are shown, and no answer.

import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { noReading } from "../../../test/support/answers.ts";
import { passage } from "../../../test/support/passages.ts";
import { openLight } from "../../embed/light/light.ts";
import { answerFromPassages, type Reading } from "../answer-from-passages.ts";

let reading: Reading = noReading;
beforeAll(async () => {
  const folder = join(import.meta.dirname, "..", "..", "..", "models", "light");
  reading = { ...noReading, encode: (await openLight(folder)).encode };
});
const ask = async (query: string, text: string) =>
  answerFromPassages({ query, found: [passage(text)], maxResults: 4 }, reading);

const PLACES = ["Alder Mill", "Birch Tower", "Cedar Bridge"];

describe.each(PLACES)("%s", (name) => {
  const text = `${name} is open to visitors from May to September. It was painted red by Ines Faro after the storm.`;

  test.each([
    `What is the height of ${name}?`,
    `How many windows does ${name} have?`,
    `Who is the owner of ${name}?`,
    `How tall is ${name}?`,
    `What is ${name}'s weight?`,
    `Who invented ${name}?`,
    `What did ${name} cost?`,
  ])("%s is not answered", async (query) => {
    expect(await ask(query, text)).toMatchObject({ outcome: "related", grounded: false });
  });

  test.each([
    [`When is ${name} open to visitors?`, "from May to September"],
    [`Who painted ${name} red?`, "Ines Faro"],
  ])("%s is answered", async (query, gold) => {
    const { outcome, answer } = await ask(query, text);
    expect({ outcome, answer }).toEqual({
      outcome: "answered",
      answer: expect.stringContaining(gold),
    });
  });
});

test.each([
  [
    "青葉工場の従業員は何人ですか？",
    "青葉工場の従業員は2019年4月1日に新しい制服を受け取りました。",
  ],
  ["How many users does Plankton have?", "Plankton and Harbour 365 let users edit the same file."],
])("%s needs a number that counts", async (query, text) => {
  expect(await ask(query, text)).toMatchObject({ grounded: false });
});

test("'how many' quotes the sentence with the number, not the one with most words", async () => {
  const text =
    "The users of the reading room like the users' desks. In all, 340 users have a card.";
  expect((await ask("How many users does the reading room have?", text)).answer).toContain("340");
});

test("a row is no answer if neither its columns nor its cells say what is asked for", async () => {
  const text =
    "| Part | Stock | Supplier |\n| --- | --- | --- |\n| Ball valve BV-20 | 120 | Norvalve |";
  expect(await ask("What colour is the ball valve BV-20?", text)).toMatchObject({
    grounded: false,
  });
  expect(await ask("Who is the supplier of the ball valve BV-20?", text)).toMatchObject({
    grounded: true,
  });
});
