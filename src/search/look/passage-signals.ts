// What the text of a passage alone says about it. It is judged while the model or the store works, where there is time.
import { hash } from "node:crypto";
import { Cache } from "../../domain/cache.ts";
import type { EncoderName, Light } from "../../embed/embed.ts";
import { type KnownSentences, openExcessOf } from "./nearest-parts.ts";

/** Judges passages for one search, each of them once. */
export interface PassageSignals {
  /** The encoder for the passage's language. */
  readonly encoderOf: (passage: string) => EncoderName;
  /** How much nearer to an English question the passage's nearest sentence is than all its sentences together. */
  readonly excessOf: (passage: string) => number;
  /** Judges the best passages by words in small steps, those most likely to be needed first. */
  judgeAhead(passages: readonly string[]): Iterable<unknown>;
}

// How much of each end is used to detect the language. One end alone may be a code listing in a foreign text, or a list
// of foreign names in an English one.
const LANGUAGE_CHARACTERS = 160;
// How many of the best by words are judged first, and how many are compared: most of the former are scored again later,
// and one or two of the latter are among the best. Comparing more would delay the results of the model and the store.
const READ_FIRST = 24;
const COMPARED = 4;
// Detecting one language takes less time than a turn of the event loop.
const PER_TURN = 6;

/** Kept from one search to the next, because searches often find the same passages. */
export interface Memory {
  /** By the hash of the passage's two ends. */
  readonly languages: Cache<string, EncoderName>;
  readonly sentences: KnownSentences;
}

// About two megabytes each.
const MAX_LANGUAGES = 16_384;
const MAX_SENTENCES = 256;

export function openMemory(): Memory {
  return { languages: new Cache(MAX_LANGUAGES), sentences: new Cache(MAX_SENTENCES) };
}

export function openJudge(
  question: string,
  light: Light | undefined,
  { languages, sentences }: Memory,
): PassageSignals {
  const encoderOf = once((text) => {
    if (!light) return "model";
    const ends = bothEnds(text);
    const key = hash("sha256", ends, "base64");
    const encoder = languages.get(key) ?? light.encoderFor(ends);
    languages.set(key, encoder);
    return encoder;
  });
  const excessOf = light ? once(openExcessOf(question, light, sentences)) : () => 0;
  return {
    encoderOf,
    excessOf,
    *judgeAhead(passages) {
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

function bothEnds(text: string): string {
  if (text.length <= 2 * LANGUAGE_CHARACTERS) return text;
  return `${text.slice(0, LANGUAGE_CHARACTERS)}\n${text.slice(-LANGUAGE_CHARACTERS)}`;
}
