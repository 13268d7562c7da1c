// Leaves out what was true before if another sentence says what is true now: "Until March it was 40. Since April it is 55."
import type { Question } from "../asked/question.ts";
import type { Line } from "./read-passage.ts";
import type { ScoredSentence } from "./score-sentences.ts";

const MONTH =
  "(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)\\b";
const DATE = `(?:the )?(?:(?:end|start|beginning) of |early |late |mid-)?(?:\\d{1,2}(?:st|nd|rd|th)? )?(?:\\d{4}|${MONTH}|spring|summer|autumn|winter|last|recently|then|version|release|v\\d)`;
/**
 * Counts only with the past tense, and about the whole sentence: not "formerly forested land" or
 * "Old English".
 */
const BEFORE = new RegExp(
  [
    "^\\W*(?:formerly|previously|originally|in the past)\\b",
    "(?<!\\b(?:which|that|who) )\\b(?:was|were|had) (?:formerly|previously|originally)\\b",
    `\\b(?:until|till|before|prior to|up to) ${DATE}`,
    "^\\W*(?:(?:the|our|its|their|his|her|an?) )?(?:old|former|previous|earlier) \\p{L}",
  ].join("|"),
  "iu",
);
/** Matches "listened", but not "is accepted", "previously added files" or "speed". */
const PAST =
  /\b(?:was|were|had|did)\b|(?<!\b(?:is|are|be|been|being|formerly|previously|originally) (?:\p{L}+ly )?)\b\p{L}{3,}(?<!e)ed\b/iu;
/** Matches "They used to meet", but not "is used to" or "the key used to open it is". */
const USED_TO =
  /(?<!\b(?:be|been|being|is|are|was|were|also|often) )\bused to \p{Ll}+(?!.{0,200}\b(?:is|are|was|were)\b)/u;
const BEFORE_IN_JAPANESE =
  /以前|かつて|従来|旧\p{L}|(?:変更|改定|改訂|改正)前|(?:年度?|月|日|版)末?まで[のは、]/u;
const PAST_IN_JAPANESE = /(?:でし|だっ|まし|てい)た[。\s]*$/u;
/** A heading needs no past tense. */
const BEFORE_OVER =
  /\b(?:old|former|previous|superseded|obsolete|outdated|deprecated|archived?|withdrawn|expired|no longer|(?:until|before) (?:\d{4}|version))\b|旧\p{L}|以前|従来|廃止|失効|(?:変更|改定|改訂|改正)前/iu;
const NOW =
  /\b(?:now|currently|today|nowadays|at present|since|as of|from .{1,40} on(?:wards)?)\b|現在|今は|(?:年度?|月|日|版)(?:以降|から)/iu;
/** The question asks about something that is over. */
const ASKS_BEFORE =
  /\b(?:old|former(?:ly)?|previous(?:ly)?|original(?:ly)?|used to|superseded|obsolete|in the past)\b|以前|かつて|従来|旧\p{L}|(?:変更|改定|改訂|改正)前/iu;
/** The question may be about something that is over. */
const ASKS_PAST =
  /\b(?:was|were|did|had|until|before|earlier|prior|ago)\b|(?:でし|まし|だっ)たか/iu;
/** Sentences that contrast two values share the rest of their words. */
const LEAST_SHARED = 0.5;

/** `able` and the result are sorted by score. */
export function withoutSuperseded(
  { text }: Question,
  able: readonly ScoredSentence[],
): readonly ScoredSentence[] {
  const asksBefore = ASKS_BEFORE.test(text);
  if (!asksBefore && ASKS_PAST.test(text)) return able;
  const before = able.filter(saysBefore);
  if (before.length === 0) return able;
  const current = able.filter((each) => !before.includes(each) && isOfToday(each.line));
  const dropped = new Set(
    before.flatMap((old) => {
      const replacing = current.filter((each) => replaces(each, old));
      return asksBefore || replacing.length === 0 ? replacing : [old];
    }),
  );
  return able.filter((each) => !dropped.has(each));
}

function replaces(current: ScoredSentence, old: ScoredSentence): boolean {
  if (old.shaped && !current.shaped) return false;
  const [one, other] = [contentOf(old.line), contentOf(current.line)];
  const shared = [...one].filter((key) => other.has(key)).length;
  return shared > 1 && shared >= LEAST_SHARED * Math.min(one.size, other.size);
}

function contentOf({ words }: Line): ReadonlySet<string> {
  return new Set(words.flatMap(({ key, content, number }) => (content && !number ? [key] : [])));
}

function saysBefore({ line, source: { passage } }: ScoredSentence): boolean {
  // A heading inside the passage replaces the one that the passage starts under.
  const headings = line.caption?.span ? passage.headings.slice(0, -1) : passage.headings;
  const over = [line.caption?.text ?? "", ...headings, passage.title ?? ""];
  return over.some((title) => BEFORE_OVER.test(title)) || isOver(line);
}

function isOver({ sentence: { text } }: Line): boolean {
  if (USED_TO.test(text) || (BEFORE.test(text) && PAST.test(text))) return true;
  return BEFORE_IN_JAPANESE.test(text) && PAST_IN_JAPANESE.test(text);
}

function isOfToday({ sentence: { text } }: Line): boolean {
  return NOW.test(text) || !(/\b(?:was|were|had|did)\b/u.test(text) || PAST_IN_JAPANESE.test(text));
}

const CONTINUES = /^(?:it|they|this|these|that|now|today|currently|since|現在|今は)(?:\b|、)/iu;

/** "Formerly it was 10 MB. It is now 50 MB.": the second sentence gets its subject from the first. */
export function isContinued(before: Line, after: Line): boolean {
  const { text } = after.sentence;
  return isOver(before) && !isOver(after) && CONTINUES.test(text) && NOW.test(text);
}
