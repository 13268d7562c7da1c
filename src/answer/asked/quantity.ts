// Numbers in a sentence that can be a quantity: not a year, a reference, a list's marker or part of a name.
import type { Word } from "../../text/words.ts";

/** "[5]", "gpt-4", "#3": digits that do not count anything. */
const INSIDE_NAME = /[\p{Script=Latin}\p{N}_#[.§^-]$|(?<!\*)\*$/u;
const YEAR = /^(?:1[5-9]|20)\d\d$/u;

/** Number words that the word reader does not already turn into numbers. */
const NAMED =
  /^(?:(?:thir|four|fif|six|seven|eigh|nine)teen|(?:twen|thir|for|fif|six|seven|eigh|nine)ty|hundreds?|thousands?|[mb]illions?|dozens?|half|quarter|third|thirds|fourth|fifth|once|twice|both|several|single)$/iu;
/** In "how many parameters", a number this many words away counts something else. */
const FURTHEST = 6;

/** Finds the words of `text` that are quantities. */
export function quantities(text: string, found: readonly Word[]): readonly Word[] {
  return found.filter(
    (word, at) => !isOfName(text, found[at - 1], word) && isQuantity(text, word, found[at + 1]),
  );
}

/** "Microsoft 365" and "Section 4" are names. */
function isOfName(text: string, before: Word | undefined, { text: own, start }: Word): boolean {
  if (!before?.proper || !before.content || !/^\p{N}/u.test(own)) return false;
  return text.slice(before.end, start) === " ";
}

/**
 * Finds quantities that may count what `keys` name: near one of these words if the sentence has
 * any, and neither a share nor a price.
 */
export function counts(
  text: string,
  found: readonly Word[],
  keys: ReadonlySet<string>,
): readonly Word[] {
  const places = found.flatMap(({ key }, at) => (keys.has(key) ? [at] : []));
  return quantities(text, found).filter((word) => {
    if (/^\s?[%％]/u.test(text.slice(word.end)) || /[$€£¥]\s?$/u.test(text.slice(0, word.start)))
      return false;
    const at = found.indexOf(word);
    return places.length === 0 || places.some((place) => Math.abs(place - at) <= FURTHEST);
  });
}

/** "Each one", "this one", "one of them": the word refers to something without counting it. */
const PRONOUN = /\b(?:each|every|any|no|this|that|which|another|the) $/iu;
/** "1.2 Extent of the service" begins with a section's number. */
const SECTION = /^\p{N}+(?:\.\p{N}+)+$/u;

function isMeant(text: string, { text: own, start, end }: Word): boolean {
  if (/^one$/iu.test(own))
    return !PRONOUN.test(text.slice(0, start)) && !/^ of\b/iu.test(text.slice(end));
  const isTitle = /^\.?\s+\p{Lu}/u.test(text.slice(end));
  return !(SECTION.test(own) && /^[\s#§]*$/u.test(text.slice(0, start)) && isTitle);
}

function isQuantity(text: string, word: Word, next?: Word): boolean {
  const { text: own, number, start, end } = word;
  if (NAMED.test(own)) return true;
  if (!isMeant(text, word)) return false;
  if (!number || (/\p{N}/u.test(own) && !/^\p{N}/u.test(own))) return false;
  const before = text.slice(Math.max(0, start - 2), start);
  if (/\p{N}/u.test(own) && INSIDE_NAME.test(before)) return false;
  if (start === 0 && /^[.)]\s/u.test(text.slice(end, end + 2))) return false;
  if (!YEAR.test(own)) return true;
  // "2000 examples" is a quantity, but "in 2000 the" and "the 2000 Amendments" are not.
  const gap = next ? text.slice(end, next.start) : "";
  return (
    next !== undefined && /^\s?$/u.test(gap) && next.content && /^\p{Ll}|^\p{Lo}/u.test(next.text)
  );
}

const TIME =
  "years?|months?|weeks?|days?|hours?|minutes?|min|seconds?|sec|decades?|centur(?:y|ies)|nights?";
const LENGTH =
  "km|kilomet(?:er|re)s?|miles?|m|met(?:er|re)s?|cm|mm|feet|foot|ft|inch(?:es)?|yards?";
/**
 * For questions such as "how long" or "how old": the unit after a number, or a phrase used instead
 * of a number.
 */
const UNITS: readonly (readonly [RegExp, RegExp])[] = [
  [/\bhow long\b/iu, new RegExp(`\\b(?:${TIME}|${LENGTH}|pages?|until|forever)\\b`, "iu")],
  [/\bhow old\b/iu, new RegExp(`\\b(?:${TIME}|aged?|old|born)\\b`, "iu")],
  [
    /\bhow (?:far|tall|high|deep|wide)\b/iu,
    new RegExp(`\\b(?:${LENGTH}|stor(?:e?ys|ies)|floors?|degrees)\\b|[%°"]`, "iu"),
  ],
  [
    /\bhow heavy\b|\bweigh\b/iu,
    /\b(?:kg|kilos?|kilograms?|g|grams?|lbs?|pounds?|tons?|tonnes?|t|oz|ounces?)\b/iu,
  ],
  [/\bhow fast\b/iu, new RegExp(`\\b(?:${TIME}|km/h|mph|knots?|per|a second|an hour)\\b|/s`, "iu")],
];

/** An answer to 何人 or 何社 has the same counter. */
const COUNTER = /何(ページ|時間|[人名社校件個枚台本冊回歳円分日年月])/u;
const COUNTERS: Readonly<Record<string, string>> = {
  人: "[人名]",
  名: "[人名]",
  ページ: "(?:ページ|頁|p)",
  日: "(?:日|曜)",
};

/** Whether a sentence has the unit that the question's adjective or counter asks for; true if it asks for none. */
export function hasUnit(question: string, sentence: string): boolean {
  const counter = COUNTER.exec(question)?.[1];
  if (counter !== undefined) {
    const unit = COUNTERS[counter] ?? counter;
    const counted = new RegExp(
      `[\\d一二三四五六七八九十百千万億]\\s?(?:[十百千万億]|か|カ|ヶ)?${unit}`,
      "iu",
    );
    if (!counted.test(sentence.normalize("NFKC"))) return false;
  }
  return UNITS.every(([asks, unit]) => !asks.test(question) || unit.test(sentence));
}
