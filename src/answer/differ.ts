// Sources that give different values for the same thing: two sentences alike but for their numbers.
import type { Passage } from "../domain/passage.ts";
import { keysOf, type Word, words } from "../text/words.ts";
import type { LikelySentence } from "./reader/reader.ts";

/** This share of the other words must be the same. */
const MIN_ALIKE = 0.6;
/** The reader must consider the other sentence at least this likely, relative to the first. */
const MIN_LIKELY = 0.02;
const MAX_OTHERS = 2;

/** Sentences of other documents that say the same with another value, the most recent document first. */
export function findDiffering(
  best: LikelySentence,
  sentences: readonly LikelySentence[],
): readonly LikelySentence[] {
  const own = toStatement(best);
  if (own.values.size === 0) return [];
  const documents = new Set([best.passage.documentId]);
  const others = sentences.filter((each) => {
    if (documents.has(each.passage.documentId)) return false;
    if (each.likely < best.likely * MIN_LIKELY || !differs(own, toStatement(each))) return false;
    documents.add(each.passage.documentId);
    return true;
  });
  return others.slice(0, MAX_OTHERS);
}

/** The day a source's content is from. */
export function dateOf({ metadata, modified, dateAdded }: Passage): string {
  const own = modified ?? metadata["modified"];
  return (typeof own === "string" ? own : dateAdded).slice(0, "2026-01-01".length);
}

interface Statement {
  readonly values: ReadonlySet<string>;
  readonly others: ReadonlySet<string>;
}

/** Of the likely words the numbers, and all content words but numbers. */
function toStatement({ sentence, span, passage }: LikelySentence): Statement {
  const numbers = (found: readonly Word[]) => found.filter(({ text }) => /\p{N}/u.test(text));
  const all = words(sentence.text);
  const own = numbers(words(passage.text.slice(span.start, span.end)));
  return {
    values: keysOf(own),
    others: keysOf(all.filter(({ content, text }) => content && !/\p{N}/u.test(text))),
  };
}

function differs(one: Statement, other: Statement): boolean {
  if (other.values.size === 0 || [...one.values].some((value) => other.values.has(value))) {
    return false;
  }
  const shared = [...one.others].filter((key) => other.others.has(key)).length;
  return shared >= MIN_ALIKE * Math.max(1, one.others.size, other.others.size);
}
