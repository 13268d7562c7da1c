// The language model on this machine, as the settings page looks for it, tries it and chooses it.
import { z } from "zod";
import { KnowledgeError } from "../domain/errors.ts";
import { describeIssues } from "../domain/input-issue.ts";
import type { Operations } from "../tools/operations.ts";

const CHOICE = z.strictObject({
  program: z.string().min(1).max(40),
  model: z.string().min(1).max(200),
});
const QUESTIONS = z.array(z.string().min(1).max(500)).min(1).max(3);
const MODEL_CALL = z.discriminatedUnion("act", [
  z.strictObject({ act: z.literal("find") }),
  z.strictObject({ act: z.literal("try"), choice: CHOICE, questions: QUESTIONS }),
  z.strictObject({ act: z.literal("choose"), choice: CHOICE.optional() }),
]);

export async function answerModelCall(
  value: unknown,
  operations: Operations,
  signal: AbortSignal,
): Promise<object> {
  const parsed = MODEL_CALL.safeParse(value);
  if (!parsed.success)
    throw new KnowledgeError("INVALID_PARAMETER", describeIssues(parsed.error.issues));
  const wanted = parsed.data;
  switch (wanted.act) {
    case "find":
      return { found: await operations.findModels(signal) };
    case "try":
      return { tried: await operations.tryModel(wanted.choice, wanted.questions, signal) };
    case "choose":
      await operations.chooseModel(wanted.choice);
      return operations.model();
  }
}
