// Metadata that speaks to a model: nobody reads a document's keywords, so instructions in them are meant for programs.
import type { Writer } from "../writer.ts";

const INSTRUCTIONS: readonly RegExp[] = [
  /\b(?:ignore|disregard|forget|override|bypass)\b[^.]{0,60}\b(?:instructions?|prompts?|rules|guidelines|messages?|context)\b/i,
  /\b(?:you are|act as|dear|attention|note to|if you are)\b[^.]{0,20}\b(?:AI|assistant|language model|LLM|chatbot)s?\b/i,
  /\b(?:system prompt|AI (?:agents?|assistants?|models?)|assistants?|LLMs?|language models?)\b[^.]{0,12}\b(?:must|should|shall|please)\b/i,
  /(?:指示|命令|プロンプト)を?(?:すべて|全て)?(?:無視|忘れ)/,
];
// Enough to say what to do, and bounded for the patterns.
const MAX_LENGTH = 20_000;

export function isInstruction(text: string): boolean {
  const bounded = text.slice(0, MAX_LENGTH);
  return INSTRUCTIONS.some((pattern) => pattern.test(bounded));
}

export function hideInstructions(out: Writer, fields: readonly string[]): void {
  for (const field of fields) if (isInstruction(field)) out.hide("metadata", field);
}
