// Finds the caption of each sentence: a term it explains, a question it answers, or a heading.
import type { Sentence } from "../../text/sentences.ts";
import { words } from "../../text/words.ts";

export interface Caption {
  readonly kind: "term" | "question" | "heading";
  readonly text: string;
  readonly keys: ReadonlySet<string>;
  /** The caption's position in the passage; absent if it is above the passage. */
  readonly span?: { readonly start: number; readonly end: number };
}

interface Captioned {
  readonly sentence: Sentence;
  /** The line is a term, question or heading, which is not an answer itself. */
  readonly isCaption: boolean;
  readonly caption: Caption | undefined;
  /** The number of sentences between this one and its caption. */
  readonly sinceCaption: number;
}

const LONGEST_TERM = 80;
const MOST_TERM_WORDS = 10;
const ENDED = /[.!?。！？]["'”’)）」』\]]*$/u;
const UNENDED = /[\p{L}\p{N})）\]>"'”’*+=…-]$/u;
/**
 * "-e" and "--edit" are two names for one thing. Other short lines above each other are captions or
 * an address.
 */
const OPTION = /^[-<`$]/u;
/** OCR errors can begin with any character. */
const STARTED = /^[\p{L}\p{N}<`"'“‘「『(（[$*-][^\s]/u;
const ITEM = /^(?:[-*+•・]|\d{1,3}[.)])\s/u;
const ASKED = /[?？]["'”’)）」』\]]*$|(?:です|ます|でしょう)か。$/u;

/** `heading` is the heading above the passage. */
export function withCaptions(
  text: string,
  found: readonly Sentence[],
  heading: string | undefined,
): readonly Captioned[] {
  const placed: Captioned[] = [];
  let caption = heading === undefined ? undefined : toCaption("heading", heading);
  let sinceCaption = 0;
  const terms = findTerms(text, found);
  for (const [at, sentence] of found.entries()) {
    const kind = kindOf(sentence, terms[at] ?? false);
    if (kind === undefined)
      placed.push({ sentence, isCaption: false, caption, sinceCaption: sinceCaption++ });
    else {
      const last = placed.at(-1);
      // Two names for one thing, such as "-e" and "--edit".
      const also =
        kind === "term" && last?.isCaption && caption?.kind === "term" ? caption : undefined;
      caption = toCaption(kind, sentence.text, sentence, also);
      placed.push({ sentence, isCaption: true, caption: undefined, sinceCaption: 0 });
      sinceCaption = 0;
    }
  }
  return placed;
}

function toCaption(kind: Caption["kind"], text: string, own?: Sentence, also?: Caption): Caption {
  const whole = also ? `${also.text}, ${text}` : text.replace(/^#{1,6}\s+/, "");
  const keys = new Set(words(whole).map(({ key }) => key));
  const start = also?.span?.start ?? own?.start;
  return start === undefined || !own
    ? { kind, text: whole, keys }
    : { kind, text: whole, keys, span: { start, end: own.end } };
}

function kindOf({ kind, text }: Sentence, isTerm: boolean): Caption["kind"] | undefined {
  if (kind === "heading") return "heading";
  if (kind !== "prose") return undefined;
  if (ASKED.test(text)) return "question";
  return isTerm ? "term" : undefined;
}

/** Terms are short lines without final punctuation, followed by an explanation. */
function findTerms(text: string, found: readonly Sentence[]): readonly boolean[] {
  const terms: boolean[] = new Array(found.length).fill(false);
  for (let at = found.length - 2; at >= 0; at--) {
    const [own, next] = [found[at], found[at + 1]];
    if (own?.kind !== "prose" || !next || !isBrief(own.text) || !isApart(text, own)) continue;
    terms[at] =
      next.kind === "prose"
        ? explains(next.text, own.text) || (!!terms[at + 1] && OPTION.test(own.text))
        : next.kind !== "heading";
  }
  // The explanation of the last line may be in the next chunk.
  const last = found.at(-1);
  if (last?.kind === "prose" && terms.includes(true) && isBrief(last.text) && isApart(text, last))
    terms[found.length - 1] = true;
  return terms;
}

function isApart(text: string, { start, end }: Sentence): boolean {
  const [before, behind] = [text.slice(Math.max(0, start - 40), start), text.slice(end, end + 40)];
  return /(?:^|\n\s*\n)\s*$/.test(before) && /^[^\S\n]*(?:\n\s*\n|$)/.test(behind);
}

/** An explanation is a sentence; lines of a slide or picture are not. */
function explains(text: string, term: string): boolean {
  return ENDED.test(text) && text.length > term.length;
}

function isBrief(line: string): boolean {
  return (
    line.length <= LONGEST_TERM &&
    STARTED.test(line) &&
    UNENDED.test(line) &&
    !line.includes("\n") &&
    !ITEM.test(line) &&
    line.split(/\s+/).length <= MOST_TERM_WORDS
  );
}
