// Manuals: options and terms with what they mean, questions with their answers, headings.
import { expect, test } from "vitest";
import { noReading } from "../../../test/support/answers.ts";
import { passage } from "../../../test/support/passages.ts";
import { answerFromPassages } from "../answer-from-passages.ts";

const ask = (query: string, text: string, headings: readonly string[] = []) =>
  answerFromPassages({ query, found: [passage(text, { headings })], maxResults: 4 }, noReading);

const OPTIONS =
  "## Options\n\n-p\n\n--pretend\n\nPrint what would be sent, but do not send anything.\n\n-q\n\nSay nothing unless something failed.\n\n--seal";

test("an option is quoted with its names, as one statement", async () => {
  const { answer, outcome } = await ask("Which option prints what would be sent?", OPTIONS);
  expect({ answer, outcome }).toEqual({
    outcome: "answered",
    answer: "-p, --pretend: Print what would be sent, but do not send anything. [1]",
  });
});

test("names and text of an option are both marked in the citation", async () => {
  const { citations } = await ask("Which option prints what would be sent?", OPTIONS);
  const quotes = citations[0]?.location["quotes"] as { start: number; end: number }[];
  const words = quotes.map(({ start, end }) => OPTIONS.slice(start, end));
  expect(words).toEqual(["-p\n\n--pretend", "Print what would be sent, but do not send anything."]);
});

test("a term alone is not an answer, even if its explanation is in the next chunk", async () => {
  const { answer } = await ask("What does --seal do?", OPTIONS);
  expect(answer).not.toContain("--seal");
});

test("a term's first sentence defines it", async () => {
  const text =
    "bollard\n\nA post on the quay to which lines are made fast.\n\nlighter\n\nA flat barge that carries cargo between a quay and a ship.";
  const { answer } = await ask("What is a lighter?", text);
  expect(answer).toBe("lighter: A flat barge that carries cargo between a quay and a ship. [1]");
});

test("a question in the text is answered by what follows it", async () => {
  const text =
    "What should you do when you tag a wrong commit? If you never pushed anything, just tag it again. Others may have it already.";
  const { answer } = await ask("What should I do when I tag a wrong commit?", text);
  expect(answer).toContain("just tag it again");
  expect(answer).not.toContain("?");
});

test("a heading that matches the question leads to the text below it", async () => {
  const text =
    "## Can two computers share one vault?\n\nYes, if each of them has a folder of its own.";
  const { answer, outcome } = await ask("Can two computers share a vault?", text);
  expect(outcome).toBe("answered");
  expect(answer).toContain("Yes, if each of them has a folder of its own.");
  expect(answer).not.toContain("vault?");
});

test("a line that only repeats the question is not an answer", async () => {
  const { outcome } = await ask("When was the sample taken?", "Laboratory\n\nSample taken");
  expect(outcome).not.toBe("answered");
});

test("code answers how, not what", async () => {
  const text = "It needs Python 3.10 or newer.\n\n```sh\npip install rivet-queue\n```";
  const { answer } = await ask("Which Python version is needed?", text);
  expect(answer).toBe("It needs Python 3.10 or newer. [1]");
});

test("steps are quoted to the last one", async () => {
  const text =
    "## Removing a page break\n\n1. Put the cursor behind the page break.\n2. Press the backspace key.\n3. Save.\n\nThe text moves up.";
  const { answer } = await ask("How do I remove a page break?", text);
  expect(answer).toContain(
    "Put the cursor behind the page break.\nPress the backspace key.\nSave.",
  );
});

test("captions and recognition errors above a sentence are not terms", async () => {
  const text =
    "Heron at the weir\n\nYoung heron asleep\n\nHerons eat fish, frogs and small birds.\n\n~a\n\nThey nest in tall trees.";
  const { answer } = await ask("What do herons eat?", text);
  expect(answer).toContain("Herons eat fish, frogs and small birds.");
  expect(answer).not.toMatch(/weir|~a/);
});
