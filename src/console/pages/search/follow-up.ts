// A question that only makes sense after the one before it, such as "and in Canada?": it takes the place of the words
// that it contrasts with. "How long is leave in Germany?" becomes "How long is leave in Canada?".
import { isJapanese } from "../../../text/scripts.ts";

const OPENING = /^(?:(?:and|but|or|so|then|ok|okay|also)\b[\s,]*)?(?:(?:what|how) about\b\s*)?/i;
const PREPOSITIONS = "in|for|to|of|with|at|on|from|by|without|during";
const PREPOSITION = new RegExp(`^(${PREPOSITIONS})\\b`, "i");
const PRONOUN = /\b(?:it|they|them|that|this|these|those)\b/i;
const NAME = /(?<=\s)\p{Lu}[\p{L}\p{N}-]*(?: \p{Lu}[\p{L}\p{N}-]*)*/u;
// What the question is about: after its first auxiliary, up to a preposition.
const SUBJECT = new RegExp(
  `(?<=\\b(?:is|are|was|were|does|do|did|can|has|have) )[^?]+?(?= (?:${PREPOSITIONS}) |$)`,
  "i",
);
// A longer question names its subject.
const SHORT_WORDS = 4;

/** The question in full; undefined if it can be understood by itself. */
export function followUp(previous: string, question: string): string | undefined {
  const [before, text] = [trimmed(previous), trimmed(question)];
  if (before === "") return undefined;
  const full = isJapanese(question) ? japanese(before, text) : english(before, text);
  return full && `${full}?`;
}

function trimmed(question: string): string {
  return question.trim().replace(/[?？.。!！\s]+$/u, "");
}

function english(before: string, text: string): string | undefined {
  const rest = text.replace(OPENING, "");
  const [preposition] = PREPOSITION.exec(rest) ?? [];
  const isShort = rest.split(/\s+/).length <= SHORT_WORDS;
  if (PRONOUN.test(rest)) {
    const subject = SUBJECT.exec(before)?.[0];
    return subject && rest.replace(PRONOUN, () => subject);
  }
  if (rest === text && !(preposition && isShort)) return undefined;
  if (preposition) {
    // The last such phrase, of one word: what follows it still belongs to the question.
    const phrase = new RegExp(`\\b${preposition} (?:the |an? )?\\S+(?!.*\\b${preposition} )`, "i");
    return phrase.test(before) ? before.replace(phrase, () => rest) : `${before} ${rest}`;
  }
  const name = NAME.exec(` ${rest}`)?.[0];
  const slot = name !== undefined && NAME.test(before) ? NAME : SUBJECT;
  const value = slot === NAME ? (name ?? rest) : rest;
  return slot.test(before) ? before.replace(slot, () => value) : `${before} ${rest}`;
}

const JA_OPENING = /^(?:では|じゃあ?|それでは|それじゃあ?|ちなみに|あと)[、,\s]*/;
const JA_CLOSING = /(?:の場合)?(?:は|だと|なら)(?:どう|どうですか|いかがですか)?$/;
const JA_TOPIC = /^[^のは]+の([^は]+)/;
const JA_PREDICATE = /^[^は]+?((?:に|で|と)?は.+)$/;

/**
 * 「東京の営業時間は?」「大阪は?」: it contrasts with the part before の; without one, with what the question is about:
 * 「有給休暇は何日ですか?」「育児休業は?」
 */
function japanese(before: string, text: string): string | undefined {
  const opened = text.replace(JA_OPENING, "");
  const rest = opened.replace(JA_CLOSING, "");
  // With a particle it is a whole question: 「大阪の駐車場は?」
  if (rest === text || /[のをがで]/.test(rest)) return undefined;
  const thing = JA_TOPIC.exec(before)?.[1];
  const predicate = JA_PREDICATE.exec(before)?.[1];
  if (thing !== undefined) return `${rest}の${thing}は`;
  return predicate && rest + predicate;
}
