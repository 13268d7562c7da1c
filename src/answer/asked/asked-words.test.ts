import { describe, expect, test } from "vitest";
import { askedWords } from "./asked-words.ts";

const texts = (question: string) => askedWords(question).words.map(({ text }) => text);
const attributeOf = (question: string) => askedWords(question).attribute?.text;

describe("the attribute of a subject is what is asked for", () => {
  const SUBJECTS = ["Maria Silva", "Harbour Mill", "Project Heron"];
  const ATTRIBUTES = ["salary", "blood type", "date of birth", "opening hour", "tax number"];
  test.each(SUBJECTS.flatMap((subject) => ATTRIBUTES.map((name) => [subject, name] as const)))(
    "%s, %s",
    (subject, name) => {
      const words = name.split(" of ")[0]?.split(" ") ?? [];
      const asked = words.filter((word) => word !== "date" && word !== "number");
      expect(texts(`What is ${subject}'s ${name}?`)).toEqual(expect.arrayContaining(asked));
      expect(texts(`What is ${subject}'s ${name}?`)).not.toContain(subject.split(" ")[0]);
      if (name.includes(" of ")) return;
      expect(attributeOf(`What is the ${name} of ${subject}?`)).toBe(asked.at(-1));
    },
  );
});

test.each([
  ["How many users does the tool have?", "users"],
  ["What colour is the valve?", "colour"],
  ["Who is the mayor of Porto?", "mayor"],
  ["梅田店の営業時間は何時までですか？", "時間"],
  ["SN-40の価格はいくらですか？", "価格"],
])("%s asks for %s", (question, noun) => {
  expect(attributeOf(question)).toBe(noun);
});

test.each([
  ["Who founded Harbour Mill?", ["founded"]],
  ["When was Harbour Mill built?", ["built"]],
  ["Which president signed the Mill Act?", ["president", "signed"]],
  ["第二工場はいつ建てられましたか？", ["建て"]],
])("%s: the verb counts, but is no attribute", (question, words) => {
  expect(texts(question)).toEqual(words);
  expect(attributeOf(question)).toBeUndefined();
});

test.each([
  ["In which year did it open?", ["open"]],
  ["What happens to a parked job?", ["parked", "job"]],
  ["What kind of connection is used?", ["connection"]],
  ["How do I restart the server?", []],
])("%s: words that answers do not repeat are left out", (question, words) => {
  expect(texts(question)).toEqual(expect.arrayContaining(words));
  expect(texts(question)).not.toEqual(
    expect.arrayContaining([expect.stringMatching(/^(?:year|happens|kind)$/)]),
  );
});
