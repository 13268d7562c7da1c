import { expect, test } from "vitest";
import { followUp } from "./follow-up.ts";

test.each([
  [
    "How long is parental leave in Germany?",
    "and in Canada?",
    "How long is parental leave in Canada?",
  ],
  ["What does delivery to Kanto cost?", "And to Okinawa?", "What does delivery to Okinawa cost?"],
  [
    "How much does the Basic plan cost?",
    "what about Business?",
    "How much does the Business plan cost?",
  ],
  ["Where is the laser printer?", "and the plotter?", "Where is the plotter?"],
  ["How long is parental leave in Canada?", "and sick pay?", "How long is sick pay in Canada?"],
  ["Where is the laser printer?", "How fast is it?", "How fast is the laser printer?"],
  ["How long is the warranty?", "for batteries?", "How long is the warranty for batteries?"],
  ["東京オフィスの営業時間は?", "大阪は?", "大阪の営業時間は?"],
  ["東京オフィスの電話番号は?", "では札幌倉庫の場合は?", "札幌倉庫の電話番号は?"],
  ["大会議室の利用料はいくらですか?", "じゃあ小会議室は?", "小会議室の利用料は?"],
  ["小会議室の定員は何名ですか?", "和室はどうですか?", "和室の定員は?"],
])("%s – %s", (previous, question, full) => {
  expect(followUp(previous, question)).toBe(full);
});

const TOPICS = ["有給休暇", "育児休業", "RTO"];
const PREDICATES = ["は何日ですか", "には何日かかりますか", "とは何ですか", "では誰が担当しますか"];

test.each(TOPICS.flatMap((topic) => PREDICATES.map((predicate) => [topic, predicate] as const)))(
  "%s%s: the next topic takes the place of this one",
  (topic, predicate) => {
    for (const next of TOPICS.filter((each) => each !== topic))
      for (const ending of ["は?", "の場合は?", "はどうですか?"])
        expect(followUp(`${topic}${predicate}?`, `${next}${ending}`)).toBe(`${next}${predicate}?`);
  },
);

test.each([
  ["有給休暇", "育児休業は?"],
  ["", "and in Canada?"],
  ["How long is parental leave?", "How much does the Basic plan cost?"],
  ["How long is parental leave?", "In which cases is the price refunded?"],
  ["大会議室の定員は?", "大阪オフィスの営業時間を教えてください。"],
  ["大会議室の定員は?", "大阪オフィスの営業時間は?"],
])(
  "a question that can be understood by itself is asked as it is: %s – %s",
  (previous, question) => {
    expect(followUp(previous, question)).toBeUndefined();
  },
);
