// Sentences that the reader chose → statements with the spans that they quote.
import type { Sentence } from "../../text/sentences.ts";
import type { Claim } from "../citations.ts";
import { addressesModel } from "../model/injection.ts";
import type { ReadSentence } from "../reader/reader.ts";
import { completeQuote, ITEM } from "./complete-quote.ts";
import { toWording } from "./wording.ts";

/** A second sentence is shown with the first if the reader gives it at least this. */
const MIN_SECOND = 0.1;

/** The likeliest sentence, with the next one if that may be the answer as well; none of it speaks to a model. */
export function chooseSentences(sentences: readonly ReadSentence[]): readonly ReadSentence[] {
  const [first, ...others] = sentences.filter(({ sentence }) => canAnswer(sentence));
  if (first === undefined) return [];
  const second = others.find(
    ({ likely, sentence }) => likely >= MIN_SECOND && sentence.text !== first.sentence.text,
  );
  return second ? [first, second] : [first];
}

/**
 * "~a" and the like are OCR errors. A row is looked up or shown as a passage: whether it answers depends on the table's
 * other rows, which the reader does not see.
 */
function canAnswer({ text, kind }: Sentence): boolean {
  return kind !== "row" && /\p{L}{2}|\p{N}|\p{Lo}/u.test(text) && !addressesModel(text);
}

/** As the documents say it: passages by their best sentence, sentences within a passage as written. */
export function toClaims(chosen: readonly ReadSentence[]): readonly Claim[] {
  const passages = [...new Set(chosen.map(({ passage }) => passage))];
  return passages.flatMap((passage) => {
    const own = chosen.filter((each) => each.passage === passage);
    const numbers = new Set(own.flatMap(({ all, at }) => completeQuote(all, at)));
    return [...numbers]
      .sort((a, b) => a - b)
      .map((number) => toClaim(own[0] as ReadSentence, number, own));
  });
}

function toClaim(
  { passage, all }: ReadSentence,
  number: number,
  chosen: readonly ReadSentence[],
): Claim {
  const sentence = all[number] as Sentence;
  const { start, end, kind, text } = sentence;
  const span = chosen.find(({ at }) => at === number)?.span;
  return {
    text: toWording(sentence),
    passage,
    spans: [{ start, end }],
    ownLine: kind === "code" || ITEM.test(text),
    ...(span && { likely: span }),
  };
}
