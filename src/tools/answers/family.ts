// Answers with citations: the tool, the same as a prompt, and its checks for `doctor`.
import type { Answerer } from "../../answer/answer.ts";
import type { CheckOutcome, ToolFamily } from "../family.ts";
import { answerPrompt } from "./answer-prompt.ts";
import { kbAnswer } from "./kb-answer.ts";

export function answersFamily(answerer: Answerer): ToolFamily {
  return {
    name: "answers",
    instructions:
      "kb_answer: answers a question with the passages that support it, or says that there is no answer.",
    source: () => answerer.describe().kind,
    tools: [kbAnswer(answerer)],
    prompts: [answerPrompt],
    checks: [{ name: "answers", run: async () => check(answerer) }],
  };
}

function check(answerer: Answerer): CheckOutcome {
  const source = answerer.describe();
  switch (source.kind) {
    case "bedrock":
      return {
        state: "ok",
        detail: `Bedrock knowledge base ${source.knowledgeBaseId} in ${source.region}; credentials are checked by the first question`,
      };
    case "local":
      return {
        state: "ok",
        detail: `from your documents, phrased by ${source.endpoint ?? "the client's model if it supports sampling"}`,
      };
    case "broken":
      return {
        state: "fail",
        detail: source.reason,
        remedy: "Set both BEDROCK_KB_ID and BEDROCK_MODEL_ARN, or KNOWLEDGE_ANSWER=local.",
      };
  }
}
