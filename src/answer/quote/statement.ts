// Whether a sentence can be an answer: it states something, defines the subject, or has the expected shape.
import { type Word, words } from "../../text/words.ts";
import { counts, hasUnit, quantities } from "../asked/quantity.ts";
import type { Question } from "../asked/question.ts";
import { addressesModel } from "../model/injection.ts";
import type { Caption } from "./captions.ts";
import type { Line } from "./read-passage.ts";

export function isStatement({ sentence: { kind, text }, isCaption }: Line): boolean {
  // "~a" and the like are OCR errors.
  const isText = /\p{L}{2}|\p{N}|\p{Lo}/u.test(text) && !/^\s*(?:```|~~~)\s*$/.test(text);
  // A table of contents may list questions.
  const isAsked = kind === "row" && /[?？]["'”’)）」』\]]*[\s|]*$/u.test(text);
  return !isCaption && !isAsked && kind !== "head" && isText && !addressesModel(text);
}

/** Code answers "how", not "what". A line that only repeats the question is not an answer. */
export function saysMore(question: Question, { sentence, words: own, caption }: Line): boolean {
  const { keys, procedure, closed, shape } = question;
  if (sentence.kind === "code") return procedure || isProse(sentence.text);
  if (sentence.kind === "prose" && isMarked(sentence.text, 15)) return procedure;
  // "Participants  Accuracy" is a table header that was extracted as text: it has no number.
  const asksNumber = shape === "number" || shape === "time";
  if (asksNumber && !/[.!?。！？]$/u.test(sentence.text) && !own.some(({ number }) => number))
    return false;
  return (
    closed || caption?.kind === "term" || own.some(({ key, content }) => content && !keys.has(key))
  );
}

/** Prose in a code block has long lines of sentences with hardly any symbols. */
function isProse(code: string): boolean {
  const lines = code.split("\n").filter((line) => /\S/.test(line) && !/^(?:```|~~~)/.test(line));
  const text = lines.join("\n");
  const isLong = text.length >= lines.length * 40;
  return isLong && /\p{L}{2}[.!?。]["”]?(?:\s|$)/mu.test(text) && !isMarked(text, 50);
}

/** True for source code and for the synopsis of a command: "show [-n] <name>". */
function isMarked(text: string, share: number): boolean {
  return (text.match(/[{}()[\];=<>$|\\#_]|--/g)?.length ?? 0) > Math.max(5, text.length / share);
}

/** The sentence starts with the subject and defines it ("X is …", "Xとは…"), or is the explanation of that term. */
export function isDefinition(
  { subject }: Question,
  { sentence: { text }, caption, sinceCaption }: Line,
) {
  if (subject === "") return false;
  if (sinceCaption === 0 && caption?.kind === "term" && isSame(subject, caption)) return true;
  const plain = (given: string) => given.toLowerCase().replace(/[-_\s]/g, " ");
  if (isIntroduced(plain(subject), plain(text))) return true;
  const bare = text.replace(/^[\s>*\-•#]+/u, "").replace(/\*\*|`/g, "");
  const at = plain(bare).indexOf(plain(subject));
  if (at < 0 || at > 12) return false;
  const after = bare.slice(at + subject.length, at + subject.length + 40);
  return /^[^.。]{0,16}?(?:\b(?:is|are|was|were|refers? to|means|allows|lets|stands for)\b|とは|は)|^\s*(?:\([^)]*\))?\s*[-–—:：]/u.test(
    after,
  );
}

/** Matches "… a comb-like structure called a pecten" and "protected health information (PHI)". */
function isIntroduced(subject: string, text: string): boolean {
  const at = text.indexOf(subject);
  if (at < 0) return false;
  const [before, after] = [text.slice(Math.max(0, at - 30), at), text.slice(at + subject.length)];
  if (/\p{L}[)\]]?\s?[(（]["“'‘]?$/u.test(before) && /^["”'’]?[)）]/u.test(after)) return true;
  return /\b(?:called|known as|termed|named)\s(?:an?\s|the\s)?["“'‘]?$/u.test(before);
}

function isSame(subject: string, { keys }: Caption): boolean {
  const wanted = words(subject).map(({ key }) => key);
  return wanted.length === keys.size && wanted.every((key) => keys.has(key));
}

const YEAR = /^(?:1\d\d\d|20\d\d|\d{3,4}s)$/u;
const TIME =
  /\b(?:Jan(?:uary)?|Feb(?:ruary)?|March|April|May|June|July|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day)s?\b|[年月日時]|\d[:/.-]\d\d(?!\d)|\b(?:centur(?:y|ies)|(?:minutes?|hours?|days?|weeks?|months?|years?|seconds?)|noon|midnight|[ap]\.m\.|o['’]clock|today|tomorrow|daily|nightly|BC|AD)\b/u;
const REASON =
  /\b(?:because|due to|since|so that|in order to|as a result|caus\w+|reason\w*|thus|therefore|to)\b|ため|から|ので|により/iu;

/** True if the sentence has a quantity that is not in the question, with the unit asked for. */
export function holdsNumber({ text, keys }: Question, { words: found, sentence }: Line): boolean {
  const isNew = ({ key }: Word) => !keys.has(key);
  return hasUnit(text, sentence.text) && quantities(sentence.text, found).some(isNew);
}

export function hasShape(
  { text, shape, keys, japanese, asked, counts: isCount }: Question,
  { words: found, sentence }: Line,
): boolean {
  const fresh = (test: (word: Word) => boolean) =>
    found.some((word) => !keys.has(word.key) && test(word));
  const numbersOf = () =>
    isCount && sentence.kind === "prose"
      ? counts(sentence.text, found, new Set(asked.map(({ key }) => key)))
      : quantities(sentence.text, found);
  switch (shape) {
    case "number":
      return hasUnit(text, sentence.text) && numbersOf().some(({ key }) => !keys.has(key));
    case "time":
      return fresh(({ number, text: own }) => number && YEAR.test(own)) || TIME.test(sentence.text);
    case "person":
    case "place":
      // Japanese names cannot be recognised by capital letters.
      return japanese || fresh(({ proper, content }) => proper && content);
    case "reason":
      return REASON.test(sentence.text);
    case "thing":
      return true;
  }
}
