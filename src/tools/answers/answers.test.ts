import { expect, test } from "vitest";
import * as z from "zod";
import {
  answerConfig,
  call,
  noDocuments,
  noSearch,
  quietLog,
  withReader,
} from "../../../test/support/answers.ts";
import { callContext } from "../../../test/support/call-context.ts";
import { fixedSearch, passage } from "../../../test/support/passages.ts";
import { openAnswer } from "../../answer/answer.ts";
import { toEnglish } from "../../domain/phrases/messages.ts";
import { runTool } from "../run-tool.ts";
import { answersFamily } from "./family.ts";
import { kbAnswer } from "./kb-answer.ts";

const PUMP = passage("The warranty of the pump lasts 24 months.", { metadata: { team: "sales" } });
const local = (overrides = {}) => {
  const { search, asked } = fixedSearch([PUMP]);
  return {
    asked,
    answerer: openAnswer(answerConfig(overrides), {
      search,
      reading: withReader,
      log: quietLog,
    }),
  };
};

test("the tool takes a query and, by default, four results", () => {
  const { name, input } = kbAnswer(local().answerer, noDocuments());
  const { properties, required } = z.toJSONSchema(input, { io: "input" });
  expect(name).toBe("kb_answer");
  expect(required).toEqual(["query"]);
  expect(properties).toMatchObject({
    query: { type: "string" },
    max_results: { type: "integer", default: 4, minimum: 1, maximum: 100 },
  });
});

test("the text is the contract's payload, and the structured content fits the tool's schema", async () => {
  const { answerer } = local();
  const { payload, structured } = await call(answerer, {
    query: "How long is the pump's warranty?",
  });
  expect(Object.keys(payload as object)).toEqual(["answer", "citations"]);
  expect(structured).toMatchObject({ grounded: true, ...(payload as object) });
  expect(kbAnswer(answerer, noDocuments()).output?.success.parse(structured)).toEqual(structured);
});

test("a metadata filter narrows the search of the local documents", async () => {
  const { answerer, asked } = local();
  await call(answerer, {
    query: "warranty",
    metadata_filter: { team: "sales", year: [2025, 2026] },
  });
  expect(asked[0]?.filter).toEqual({ metadata: { team: ["sales"], year: [2025, 2026] } });
});

test("filters are those of a search, and combine with a metadata filter", async () => {
  const { answerer, asked } = local();
  const filters = { format: "pdf", tags: "pumps" };
  await call(answerer, { query: "warranty", filters, metadata_filter: { team: "sales" } });
  expect(asked[0]?.filter).toEqual({
    formats: ["pdf"],
    metadata: { tags: ["pumps"], team: ["sales"] },
  });
  await call(answerer, { query: "warranty", filters: {} });
  expect(asked[1]?.filter).toBeUndefined();
  const { isError, payload } = await call(answerer, { query: "x", filters: { format: "odd" } });
  expect([isError, payload]).toMatchObject([true, { error_type: "ValidationError" }]);
});

test("KNOWLEDGE_ANSWER=local answers from the documents although Bedrock is configured", async () => {
  const { answerer } = local({ answer: "local", bedrockKbId: "x", bedrockModelArn: "y" });
  const { payload } = await call(answerer, { query: "How long is the pump's warranty?" });
  expect(payload).toMatchObject({ answer: "The warranty of the pump lasts 24 months. [1]" });
});

test("a search that fails is a ServiceError without the cause's text", async () => {
  const answerer = openAnswer(answerConfig(), noSearch());
  const { payload, isError } = await call(answerer, { query: "warranty" });
  expect(isError).toBe(true);
  expect(payload).toMatchObject({ error: true, error_type: "ServiceError" });
  expect(JSON.stringify(payload)).not.toContain("must not be asked");
});

test.each([
  [{}, "ok", /your documents/],
  [{ bedrockKbId: "KB1", bedrockModelArn: "arn" }, "ok", /KB1 in ap-northeast-1/],
  [{ bedrockKbId: "KB1" }, "fail", /BEDROCK_MODEL_ARN/],
] as const)("the check of %j is %s", async (overrides, state, detail) => {
  const [check] = answersFamily(local(overrides).answerer, noDocuments()).checks ?? [];
  const outcome = await check?.run(new AbortController().signal);
  expect(outcome?.state).toBe(state);
  expect(outcome && toEnglish(outcome.detail)).toMatch(detail);
});

test("the prompt contains the question unchanged", async () => {
  const [prompt] = answersFamily(local().answerer, noDocuments()).prompts ?? [];
  const messages = await prompt?.render({ question: "保証期間は？" }, callContext());
  expect(messages?.[0]?.text).toContain("kb_answer");
  expect(messages?.[0]?.text).toContain("Question: 保証期間は？");
});

test("a note says in words whether the answer is grounded", async () => {
  const { notes } = await call(local().answerer, { query: "How long is the pump's warranty?" });
  expect(notes).toEqual([
    expect.stringMatching(/^Grounded: the citations support this answer\. Probability 0\.\d+\.$/),
  ]);
  const other = await call(local().answerer, { query: "Who painted the ceiling of the chapel?" });
  expect(other.notes?.[0]).toMatch(/^Not grounded: /);
});

test("where nothing answers, documents that are still being read are counted", async () => {
  const { search } = fixedSearch([PUMP]);
  const answerer = openAnswer(answerConfig(), { search, reading: withReader, log: quietLog });
  const ask = async (query: string) => {
    const tool = kbAnswer(answerer, noDocuments(2));
    return (await runTool(tool, { query }, callContext())).structured as Record<string, unknown>;
  };
  expect(await ask("Who composed the opera?")).toMatchObject({
    grounded: false,
    warning: expect.stringContaining("still being read, and not searched yet: 2"),
    warning_code: { code: "stillReading", values: ["2"] },
  });
  expect(await ask("How long is the pump's warranty?")).not.toHaveProperty("warning");
});
