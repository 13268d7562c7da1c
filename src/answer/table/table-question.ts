// A question as tables and forms read it.
import { isJapanese } from "../../text/scripts.ts";
import { type Word, words } from "../../text/words.ts";
import { type Asked, askedWords } from "../asked/asked-words.ts";
import { type Ask, readAsk } from "./ask/ask.ts";
import { foldInPlace } from "./comparable-text.ts";

export interface TableQuestion {
  readonly text: string;
  readonly folded: string;
  readonly japanese: boolean;
  readonly ask: Ask;
  /** The content words, including those for the computation. */
  readonly terms: readonly Word[];
  /** The words that name what is asked for. */
  readonly asked: Asked;
}

export function readTableQuestion(text: string): TableQuestion {
  const all = words(text);
  return {
    text,
    folded: foldInPlace(text),
    japanese: isJapanese(text),
    ask: readAsk(text),
    terms: all.filter(({ content }) => content),
    asked: askedWords(text),
  };
}
