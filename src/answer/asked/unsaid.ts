// Whether a table or a form explains the attribute that a question asks for.
import type { Word } from "../../text/words.ts";
import type { Asked } from "./asked-words.ts";

/** 1 if the question asks for an attribute ("the area of", "how many doors") that is not among the explained words. */
export function toUnsaid({ attribute }: Asked, said: Iterable<Word>): number {
  if (!attribute) return 0;
  return [...said].some(({ start }) => start === attribute.start) ? 0 : 1;
}
