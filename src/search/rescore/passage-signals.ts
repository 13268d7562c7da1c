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
// How many of the best by words are compared ahead: one or two of them are among the best in the end, and comparing more
// would delay the results of the model and the store.
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
  const encoderOf = (text: string) => {
    if (!light) return "model";
    const ends = bothEnds(text);
    const key = hash("sha256", ends, "base64");
    const encoder = languages.get(key) ?? light.encoderFor(ends);
    languages.set(key, encoder);
    return encoder;
  };
  const excessOf = light ? openExcessOf(question, light, sentences) : () => 0;
  return {
    encoderOf,
    excessOf,
    *judgeAhead(passages) {
      const isEnglish = light?.encoderFor(question) === "model";
      for (const [at, text] of passages.entries()) {
        const isCompared = encoderOf(text) === "model" && isEnglish && at < COMPARED;
        if (isCompared) excessOf(text);
        if (isCompared || at % PER_TURN === 0) yield;
      }
    },
  };
}

function bothEnds(text: string): string {
  if (text.length <= 2 * LANGUAGE_CHARACTERS) return text;
  return `${text.slice(0, LANGUAGE_CHARACTERS)}\n${text.slice(-LANGUAGE_CHARACTERS)}`;
}
