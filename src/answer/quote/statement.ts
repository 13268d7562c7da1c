// Whether a sentence can be an answer: it states something, defines the subject, or has the expected shape.
import { type Word, words } from "../../text/words.ts";
import { addressesModel } from "../model/injection.ts";
import type { Question } from "./question.ts";
import type { Line } from "./read-passage.ts";
import type { Under } from "./under.ts";

export function isStatement({ sentence: { kind, text }, isName }: Line): boolean {
  return !isName && kind !== "head" && !addressesModel(text) && !/^\s*(?:```|~~~)\s*$/.test(text);
}

/** Code answers "how", not "what". A line that only repeats the question is not an answer. */
export function saysMore(question: Question, { sentence, words: own, under }: Line): boolean {
  const { keys, procedure, closed, shape } = question;
  if (sentence.kind === "code") return procedure || isProse(sentence.text);
  if (sentence.kind === "prose" && isMarked(sentence.text, 15)) return procedure;
  // "Participants  Accuracy" is a table header that was extracted as text: it has no number.
  const asksNumber = shape === "number" || shape === "time";
  if (asksNumber && !/[.!?。！？]$/u.test(sentence.text) && !own.some(({ number }) => number))
    return false;
  return (
    closed || under?.kind === "term" || own.some(({ key, content }) => content && !keys.has(key))
  );
}

/** Prose in a code block: long lines of sentences with hardly any symbols. */
function isProse(code: string): boolean {
  const lines = code.split("\n").filter((line) => /\S/.test(line) && !/^(?:```|~~~)/.test(line));
  const text = lines.join("\n");
  const isLong = text.length >= lines.length * 40;
  return isLong && /\p{L}{2}[.!?。]["”]?(?:\s|$)/mu.test(text) && !isMarked(text, 50);
}

/** Source code, or the synopsis of a command: "show [-n] <name>". */
function isMarked(text: string, share: number): boolean {
  return (text.match(/[{}()[\];=<>$|\\#_]|--/g)?.length ?? 0) > Math.max(5, text.length / share);
}

/** The sentence starts with the subject and defines it ("X is …", "Xとは…"), or is the explanation of that term. */
export function isDefinition(
  { subject }: Question,
  { sentence: { text }, under, after: from }: Line,
) {
  if (subject === "") return false;
  if (from === 0 && under?.kind === "term" && isSame(subject, under)) return true;
  const plain = (given: string) => given.toLowerCase().replace(/[-_\s]/g, " ");
  const bare = text.replace(/^[\s>*\-•#]+/u, "").replace(/\*\*|`/g, "");
  const at = plain(bare).indexOf(plain(subject));
  if (at < 0 || at > 12) return false;
  const after = bare.slice(at + subject.length, at + subject.length + 40);
  return /^[^.。]{0,16}?(?:\b(?:is|are|was|were|refers? to|means|allows|lets|stands for)\b|とは|は)|^\s*(?:\([^)]*\))?\s*[-–—:：]/u.test(
    after,
  );
}

function isSame(subject: string, { keys }: Under): boolean {
  const wanted = words(subject).map(({ key }) => key);
  return wanted.length === keys.size && wanted.every((key) => keys.has(key));
}

const MONTH =
  /\b(?:January|February|March|April|May|June|July|August|September|October|November|December)\b|[年月日時]/u;
const REASON =
  /\b(?:because|due to|since|so that|in order to|as a result|caus\w+|reason\w*|thus|therefore|to)\b|ため|から|ので|により/iu;

export function hasShape(
  { shape, keys, japanese }: Question,
  { words: found, sentence }: Line,
): boolean {
  const fresh = (test: (word: Word) => boolean) =>
    found.some((word) => !keys.has(word.key) && test(word));
  switch (shape) {
    case "number":
      return fresh(({ number }) => number);
    case "time":
      return fresh(({ number, text }) => number && /\d{3}/.test(text)) || MONTH.test(sentence.text);
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
