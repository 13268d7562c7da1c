// What the text of a passage alone says about it. It is judged while the model or the store works, where there is time.
import type { EncoderName, Light } from "../../embed/embed.ts";
import { type KnownSentences, openExcessOf } from "./nearest-parts.ts";

/** For one search: each passage is judged once. */
export interface Judge {
  /** The encoder for the passage's language. */
  readonly encoderOf: (passage: string) => EncoderName;
  /** How much nearer to an English question its nearest sentence is than all of them together. */
  readonly excessOf: (passage: string) => number;
  /** Judges the best by words, a little at a time, the likeliest to be needed first. */
  ahead(passages: readonly string[]): Iterable<unknown>;
}

// How much of each end is used to detect the language. One end alone may be a code listing in a foreign text, or a list
// of foreign names in an English one.
const LANGUAGE_CHARACTERS = 160;
// How many of the best by words are judged first: most of these are looked at later, and one or two of those compared
// are among the best. Comparing more would delay what the model and the store return.
const READ_FIRST = 24;
const COMPARED = 4;
// Languages are detected faster than a turn of the event loop takes.
const PER_TURN = 6;

/** What is known of passages from one search to the next: the same ones are found again and again. */
export interface Memory {
  /** By `toKey`. */
  readonly languages: Map<number, EncoderName>;
  readonly sentences: KnownSentences;
}

// A megabyte.
const MOST_LANGUAGES = 16_384;

export function openMemory(): Memory {
  return { languages: new Map(), sentences: new Map() };
}

export function openJudge(
  question: string,
  light: Light | undefined,
  { languages, sentences }: Memory,
): Judge {
  const encoderOf = once((text) => {
    if (!light) return "model";
    const ends = bothEnds(text);
    const key = toKey(ends);
    const encoder = languages.get(key) ?? light.encoderFor(ends);
    if (languages.size >= MOST_LANGUAGES) languages.clear();
    languages.set(key, encoder);
    return encoder;
  });
  const excessOf = light ? once(openExcessOf(question, light, sentences)) : () => 0;
  return {
    encoderOf,
    excessOf,
    *ahead(passages) {
      const detect = function* (from: number, to: number) {
        for (let at = from; at < to; at += PER_TURN) {
          yield passages.slice(at, Math.min(at + PER_TURN, to)).map(encoderOf);
        }
      };
      yield* detect(0, READ_FIRST);
      if (light?.encoderFor(question) === "model") {
        for (const text of passages.slice(0, COMPARED)) {
          if (encoderOf(text) === "model") yield excessOf(text);
        }
      }
      yield* detect(READ_FIRST, passages.length);
    },
  };
}

function once<Result>(judge: (text: string) => Result): (text: string) => Result {
  const known = new Map<string, Result>();
  return (text) => {
    const result = known.get(text) ?? judge(text);
    known.set(text, result);
    return result;
  };
}

const FNV_START = 0x811c9dc5;
const FNV_PRIME = 0x01000193;
const OTHER_PRIME = 0x85ebca6b;

/** 53 bits: no two passages will ever share one. */
function toKey(text: string): number {
  let [one, two] = [FNV_START, text.length];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    one = Math.imul(one ^ code, FNV_PRIME);
    two = Math.imul(two ^ code ^ (two >>> 15), OTHER_PRIME);
  }
  return (one >>> 0) * 2 ** 21 + (two >>> 11);
}

function bothEnds(text: string): string {
  if (text.length <= 2 * LANGUAGE_CHARACTERS) return text;
  return `${text.slice(0, LANGUAGE_CHARACTERS)}\n${text.slice(-LANGUAGE_CHARACTERS)}`;
}
