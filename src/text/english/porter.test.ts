import { expect, test } from "vitest";
import { stem } from "./porter.ts";

// Porter's own examples, rule by rule.
test.each(
  Object.entries({
    caresses: "caress",
    ponies: "poni",
    cats: "cat",
    feed: "feed",
    agreed: "agre",
    plastered: "plaster",
    motoring: "motor",
    sing: "sing",
    conflated: "conflat",
    troubled: "troubl",
    sized: "size",
    hopping: "hop",
    falling: "fall",
    filing: "file",
    happy: "happi",
    sky: "sky",
    relational: "relat",
    vietnamization: "vietnam",
    sensibiliti: "sensibl",
    triplicate: "triplic",
    formative: "form",
    goodness: "good",
    revival: "reviv",
    adjustable: "adjust",
    replacement: "replac",
    adoption: "adopt",
    probate: "probat",
    rate: "rate",
    controll: "control",
    roll: "roll",
    generalizations: "gener",
    is: "is",
    yes: "ye",
  }),
)("%s becomes %s", (word, expected) => {
  expect(stem(word)).toBe(expected);
});
