import { isJapanese } from "../../text/scripts.ts";
import type { AnswerOutcome } from "../answer.ts";

/** Says, in the question's language, that there is no answer here. */
export function refuse(query: string, by: AnswerOutcome["by"]): AnswerOutcome {
  const answer = isJapanese(query)
    ? "ナレッジベースには、この質問への答えを裏付ける情報がありません。"
    : "The knowledge base does not hold the answer to this question.";
  return { answer, citations: [], grounded: false, by };
}
