// Other spellings of Japanese nouns, and nouns with a similar meaning: 締切 and 提出期限 for 締め切り. The list is made by
// training/synonyms/make.ts. It is unpacked when the first question in Japanese needs it.
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { brotliDecompress } from "node:zlib";
import type { Log } from "../observe/log.ts";
import { UNSPACED } from "../text/scripts.ts";
import { segmenter } from "../text/segmenters.ts";

export interface Synonyms {
  /** The words of the text that the list has, each once. */
  readonly wordsIn: (text: string) => readonly string[];
  readonly spellingsOf: (word: string) => readonly string[];
  /** In all their spellings, the nearest first. */
  readonly synonymsOf: (word: string) => readonly string[];
}

export type LoadSynonyms = () => Promise<Synonyms | undefined>;

/** Without a list that can be read, a search works with the words as they are. */
export function openSynonyms(path: string, log: Log): LoadSynonyms {
  let loading: Promise<Synonyms | undefined> | undefined;
  return () => {
    loading ??= readList(path).catch((error: unknown) => {
      log.error("search.no-synonyms", { error });
      return undefined;
    });
    return loading;
  };
}

async function readList(path: string): Promise<Synonyms> {
  return toSynonyms((await promisify(brotliDecompress)(await readFile(path))).toString("utf8"));
}

/** A line is an entry: its spellings, a tab, one spelling of each entry with a similar meaning. */
export function toSynonyms(list: string): Synonyms {
  const lines = list.split("\n");
  const linesOf = new Map<string, number[]>();
  for (const [number, line] of lines.entries()) {
    for (const word of spellingsIn(line)) {
      const numbers = linesOf.get(word);
      if (numbers) numbers.push(number);
      else linesOf.set(word, [number]);
    }
  }
  const entriesOf = (word: string) =>
    (linesOf.get(word) ?? []).map((number) => lines[number] as string);
  const spellingsOf = (word: string) => entriesOf(word).flatMap(spellingsIn);
  return {
    wordsIn: (text) => wordsIn(text, (word) => linesOf.has(word)),
    spellingsOf: (word) => without(word, spellingsOf(word)),
    synonymsOf(word) {
      const near = entriesOf(word).flatMap((line) => split(line.slice(line.indexOf("\t") + 1)));
      return without(
        word,
        near.flatMap((each) => [each, ...spellingsOf(each)]),
      );
    },
  };
}

function spellingsIn(line: string): readonly string[] {
  return split(line.slice(0, line.indexOf("\t")));
}

function split(words: string): readonly string[] {
  return words === "" ? [] : words.split(" ");
}

function without(word: string, words: readonly string[]): readonly string[] {
  return [...new Set(words)].filter((each) => each !== word);
}

const RUN = new RegExp(`[${UNSPACED}]+`, "gu");
// 締め切り may be cut into 締め and 切り.
const MAX_PIECES = 5;

/** The longest words, from left to right. */
function wordsIn(text: string, has: (word: string) => boolean): readonly string[] {
  const found = new Set<string>();
  for (const [run] of text.normalize("NFKC").matchAll(RUN)) {
    const pieces = [...segmenter("word").segment(run)].map(({ segment }) => segment);
    for (let from = 0; from < pieces.length; ) {
      let count = Math.min(MAX_PIECES, pieces.length - from);
      while (count > 0 && !has(pieces.slice(from, from + count).join(""))) count--;
      if (count > 0) found.add(pieces.slice(from, from + count).join(""));
      from += Math.max(count, 1);
    }
  }
  return [...found];
}
