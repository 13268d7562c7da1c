// What held before and what holds now, asked through the tool.
import { describe, expect, test } from "vitest";
import { answerConfig, call, noReading, quietLog } from "../../../test/support/answers.ts";
import { fixedSearch, passage } from "../../../test/support/passages.ts";
import type { Passage } from "../../domain/passage.ts";
import { openAnswer } from "../answer.ts";

async function ask(query: string, found: readonly Passage[]): Promise<string> {
  const { search } = fixedSearch(found);
  const parts = { search, reading: async () => noReading, log: quietLog };
  const { payload } = await call(openAnswer(answerConfig(), parts), { query });
  return (payload as { answer: string }).answer;
}

describe.each([
  [
    "dates",
    "Until March 2024 the daily travel allowance was 40 euros. Since April 2024 the daily travel allowance is 55 euros.",
    "What is the daily travel allowance?",
    "Since April 2024 the daily travel allowance is 55 euros. [1]",
  ],
  [
    "'used to'",
    "Backups of the Larch cluster used to run at 02:00 every night. Backups of the Larch cluster now run at 04:30 every night.",
    "When do backups of the Larch cluster run?",
    "Backups of the Larch cluster now run at 04:30 every night. [1]",
  ],
  [
    "'previous'",
    "The previous head of team Heron was Marta Quill. The head of team Heron is Jonas Feld.",
    "Who is the head of team Heron?",
    "The head of team Heron is Jonas Feld. [1]",
  ],
  [
    "versions",
    "As of version 3 the relay service listens on port 9443. Before version 3 the relay service listened on port 8080.",
    "On which port does the relay service listen?",
    "As of version 3 the relay service listens on port 9443. [1]",
  ],
  [
    "headings",
    "## Old prices (no longer valid)\n\nA day ticket for the pool costs 4 euros.\n\n## Prices\n\nA day ticket for the pool costs 6 euros.",
    "How much does a day ticket for the pool cost?",
    "A day ticket for the pool costs 6 euros. [1]",
  ],
  [
    "Japanese",
    "2023年度までの日当は3,000円でした。2024年度からの日当は4,500円です。",
    "日当はいくらですか？",
    "2024年度からの日当は4,500円です。 [1]",
  ],
])("by %s", (_, text, query, answer) => {
  test("only what holds now is quoted", async () => {
    expect(await ask(query, [passage(text)])).toBe(answer);
  });
});

test("a document that is marked as superseded gives way to another one", async () => {
  const rule = (months: number, title: string) =>
    passage(`The inspection interval of the Ravel pump is ${months} months.`, {
      title,
      chunkId: title,
    });
  const found = [rule(12, "Pump rules 2019 (superseded)"), rule(6, "Pump rules 2024")];
  const answer = await ask("What is the inspection interval of the Ravel pump?", found);
  expect(answer).toBe("The inspection interval of the Ravel pump is 6 months. [1]");
});

test("what held before is quoted if the question asks for it", async () => {
  const text =
    "The previous head of team Heron was Marta Quill. The head of team Heron is Jonas Feld.";
  expect(await ask("Who was the previous head of team Heron?", [passage(text)])).toBe(
    "The previous head of team Heron was Marta Quill. [1]",
  );
});

test("what held before is quoted if nothing says what holds now", async () => {
  const text = "Until March 2024 the daily travel allowance was 40 euros. Receipts are kept.";
  expect(await ask("What is the daily travel allowance?", [passage(text)])).toContain("40 euros");
});

test("a sentence that continues with what holds now is quoted with it", async () => {
  const text = "Formerly, the maximum upload size was 10 MB. It is now 50 MB. Others are refused.";
  expect(await ask("What is the maximum upload size?", [passage(text)])).toBe(
    "Formerly, the maximum upload size was 10 MB. It is now 50 MB. [1]",
  );
});

test.each([
  [
    "The pecten is used to preen feathers. The pecten is a comb on the bill.",
    "What is the pecten used to preen?",
    "preen feathers",
  ],
  [
    "The old bridge of Tarn was painted by Ines Faro. The new bridge of Tarn is painted by hand.",
    "Who painted the old bridge of Tarn?",
    "Ines Faro",
  ],
])("%s: nothing here is over", async (text, query, gold) => {
  expect(await ask(query, [passage(text)])).toContain(gold);
});

test.each([
  [
    "a verb that begins like a month",
    "Before decoding, the header of the message is validated by the relay. The header of the message is signed by the relay.",
    "When is the header of the message validated?",
    "Before decoding, the header of the message is validated",
  ],
  [
    "a deadline",
    "Applications for the grant must be submitted before March 31. Applications for the grant are read by the board.",
    "When must applications for the grant be submitted?",
    "must be submitted before March 31",
  ],
  [
    "a limit of versions",
    "Tokens of the relay are accepted up to version 3. Tokens of the relay are issued by the portal.",
    "Up to which version are tokens of the relay accepted?",
    "are accepted up to version 3",
  ],
  [
    "what was added before",
    "Previously added files of the archive are kept for a year. New files of the archive are kept for a month.",
    "How long are previously added files of the archive kept?",
    "are kept for a year",
  ],
])("%s is not taken for what held before", async (_, text, query, part) => {
  expect(await ask(query, [passage(text)])).toContain(part);
});
