import { appendFile, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tempFolder } from "../../test/support/temp-folder.ts";
import type { ExtractedDocument } from "../domain/document.ts";
import type { Passage } from "../domain/passage.ts";
import { type CheckParts, openCheck } from "./check.ts";
import { makeQuestions } from "./make-questions.ts";
import { openOtherWords } from "./other-words.ts";

const TEXT = `# Refund policy

Customers may return an unopened item within thirty days of the day on which it arrived.

A rebate is a partial refund that is paid after the purchase of several identical items.

| Country | Fee | Days |
|---|---|---|
| Norway | 12 crowns | 5 |
`;
const at = (part: string) => TEXT.indexOf(part);
const DOCUMENT: ExtractedDocument = {
  format: "md",
  method: "text_extraction",
  text: TEXT,
  pages: [],
  warnings: [],
  blocks: [
    { kind: "heading", start: 0, end: at("\n\nCustomers"), place: {}, level: 1 },
    { kind: "paragraph", start: at("Customers"), end: at("\n\nA rebate"), place: {} },
    { kind: "paragraph", start: at("A rebate"), end: at("\n\n| Country"), place: {} },
    {
      kind: "table",
      start: at("| Country"),
      end: TEXT.length,
      headerEnd: at("| Norway"),
      place: {},
    },
  ],
};
const plainly = { frequencies: new Map<string, number>(), otherWord: () => undefined };

test("questions are made from headings, cells, definitions and sentences", () => {
  const made = makeQuestions(DOCUMENT, plainly);
  expect(made.map(({ kind, question }) => [kind, question])).toEqual([
    ["heading", "Refund policy"],
    ["cell", "Norway Fee"],
    ["sentence", expect.stringMatching(/^(?!.*Customers may return an unopened).*days/)],
    ["definition", "What is rebate?"],
  ]);
});

test("a question says other words of the documents where they mean the same", () => {
  const vectors = new Map([
    ["fluid", [1, 0.1]],
    ["liquid", [1, 0]],
    ["fluids", [1, 0.1]],
    ["tax", [0, 1]],
  ]);
  const encode = (word: string) => Float32Array.from(vectors.get(word) ?? [0, 0]);
  const counts = new Map([...vectors.keys()].map((word) => [word, 2]));
  const otherWord = openOtherWords(encode, counts);
  expect(otherWord("Fluid")).toBe("liquid");
  expect(otherWord("tax")).toBeUndefined();
});

interface Found {
  readonly text: string;
  readonly documentId: string;
  readonly strength?: Passage["strength"];
  readonly parts?: Passage["parts"];
}

const passage = ({ strength = "strong", parts = {}, ...found }: Found) =>
  ({ headings: [], strength, parts, ...found }) as unknown as Passage;

/** A search whose results the test decides: `shallow` for the first ten, `deep` for two hundred. */
function open(shallow: readonly Found[], { deep = [] as readonly Found[], stored = "" } = {}) {
  const path = join(tempFolder("check"), "checks.jsonl");
  const state = { shallow, deep, stored };
  const documents = {
    get: async (id: string) => (id === "gone" ? undefined : { id, filename: `${id}.md` }),
    chunksOf: async () => [{ text: state.stored, headings: [] }],
  };
  const parts = {
    path,
    documents,
    topK: 10,
    shown: (found: readonly Passage[]) => found.filter(({ strength }) => strength !== "weak"),
    search: {
      search: async ({ limit }: { readonly limit: number }) => ({
        mode: "hybrid" as const,
        passages: (limit > 10 ? state.deep : state.shallow).map(passage),
      }),
    },
  } as unknown as CheckParts;
  return { check: openCheck(parts), state, path };
}

const { signal } = new AbortController();
const run = { signal, onProgress: () => {} };
const PIN = {
  question: "when are refunds paid",
  documentId: "a",
  phrase: "refunds are paid monthly",
};
const HIT: Found = { text: "All refunds are paid monthly.", documentId: "a" };

test("a question that was found and is not found any more is a loss until it is found or accepted", async () => {
  const { check, state } = open([{ text: "Other.", documentId: "b" }, HIT], {
    stored: HIT.text,
  });
  await check.pin(PIN);
  expect(await check.run(run)).toMatchObject({ asked: 1, found: 1, lost: [] });
  state.shallow = [];
  for (const before of [1 / Math.log2(3), 0]) {
    const report = await check.run(run);
    expect(report).toMatchObject({ found: 0, score: 0, lost: [{ isLoss: true }] });
    expect(report.before).toBeCloseTo(before);
  }
  expect((await check.run({ ...run, accept: true })).lost).toMatchObject([{ isLoss: false }]);
  state.shallow = [HIT];
  expect(await check.run(run)).toMatchObject({ found: 1, score: 1, lost: [] });
});

test.each([
  ["not-indexed", { shallow: [], stored: "Nothing of it." }],
  ["not-recalled", { shallow: [], stored: HIT.text }],
  ["not-by-words", { deep: [{ ...HIT, parts: { vectorRank: 90 } }], stored: HIT.text }],
  ["not-by-meaning", { deep: [{ ...HIT, parts: { lexicalRank: 90 } }], stored: HIT.text }],
  [
    "ranked-below",
    { deep: [{ ...HIT, parts: { lexicalRank: 40, vectorRank: 50 } }], stored: HIT.text },
  ],
  ["left-out-as-weak", { shallow: [{ ...HIT, strength: "weak" as const }], stored: HIT.text }],
] as const)(
  "a loss names its step: %s",
  async (step, {
    shallow = [],
    ...rest
  }: {
    readonly shallow?: readonly Found[];
    readonly deep?: readonly Found[];
    readonly stored?: string;
  }) => {
    const { check } = open(shallow, rest);
    await check.pin(PIN);
    expect((await check.run(run)).lost).toMatchObject([{ step, isLoss: true }]);
  },
);

test("half a line and a line of a later version are skipped, and nothing after them is lost", async () => {
  const { check, path } = open([HIT], { stored: HIT.text });
  await check.pin(PIN);
  await appendFile(path, '{"add":[{"id":"x"');
  await check.pin({ ...PIN, question: "when is money paid back" });
  await appendFile(path, '{"later":true}\n');
  const { questions } = await check.state();
  expect(questions.map(({ question }) => question)).toEqual([
    PIN.question,
    "when is money paid back",
  ]);
  expect(await check.remove([questions[0]?.id ?? "", "unknown"])).toBe(1);
  expect((await check.state()).questions).toHaveLength(1);
  expect(await readFile(path, "utf8")).toContain("refunds are paid monthly");
});

test("a document that is not there cannot be pinned", async () => {
  const { check } = open([]);
  await expect(check.pin({ ...PIN, documentId: "gone" })).rejects.toThrow("not in this knowledge");
});
