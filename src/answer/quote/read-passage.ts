// Splits a passage into sentences with their words, and finds the caption of each.
import type { Passage } from "../../domain/passage.ts";
import { type Sentence, sentences } from "../../text/sentences.ts";
import { keysAmong, type Word, words } from "../../text/words.ts";
import { compoundKeys } from "../asked/compounds.ts";
import type { Question } from "../asked/question.ts";
import { isLabel } from "../table/grid/header.ts";
import { cellsOf } from "../table/grid/table-lines.ts";
import { type Caption, withCaptions } from "./captions.ts";

export interface Source {
  readonly passage: Passage;
  readonly lines: readonly Line[];
  /** Every word of the passage and of its titles and headings. */
  readonly keys: ReadonlySet<string>;
  readonly above: ReadonlySet<string>;
}

export interface Line {
  readonly sentence: Sentence;
  readonly words: readonly Word[];
  /** Includes the words of the term that the sentence explains. */
  readonly keys: ReadonlySet<string>;
  readonly isCaption: boolean;
  readonly caption: Caption | undefined;
  /** The number of sentences between this one and its caption. */
  readonly sinceCaption: number;
}

export function readPassage(passage: Passage): Source {
  const { text, headings } = passage;
  const found = withCaptions(text, withSubHeaders(sentences(text)), headings.at(-1));
  const lines = found.map((placed): Line => {
    const { text: said } = placed.sentence;
    const own = words(said);
    const keys = new Set([...keysOf(own), ...compoundKeys(said, own)]);
    const { caption } = placed;
    return {
      ...placed,
      words: own,
      keys: caption?.kind === "term" ? union([keys, caption.keys]) : keys,
    };
  });
  const heads = lines.filter(
    ({ sentence }) => sentence.kind === "head" || sentence.kind === "heading",
  );
  const above = union([keysOf(words(titlesOf(passage))), ...heads.map(({ keys }) => keys)]);
  return { passage, lines, above, keys: union([above, ...lines.map(({ keys }) => keys)]) };
}

function titlesOf({ title, headings, tableHeader }: Passage): string {
  return [title ?? "", ...headings, tableHeader ?? ""].join("\n");
}

/** A cheaper way to read passages that are not quoted: finds only the question's words. */
export function questionWordsIn({ keys }: Question, passage: Passage): ReadonlySet<string> {
  const text = `${titlesOf(passage)}\n${passage.text}`;
  const compounds = [...keys].filter((key) => /^\d[^-]*-./.test(key));
  if (compounds.length === 0) return keysAmong(text, keys);
  const found = compoundKeys(text, words(text)).filter((key) => keys.has(key));
  return new Set([...keysAmong(text, keys), ...found]);
}

/** Marks a second header row below merged labels as a header, because headers are not quoted. */
function withSubHeaders(found: readonly Sentence[]): readonly Sentence[] {
  return found.map((sentence, at) => {
    const above = found[at - 1];
    if (sentence.kind !== "row" || above?.kind !== "head") return sentence;
    const cells = cellsOf(sentence.text);
    const merged = cellsOf(above.text).some(
      (cell, column) => cell === "" || cell === cells[column],
    );
    return merged && cells.every(isLabel) ? { ...sentence, kind: "head" as const } : sentence;
  });
}

function union(sets: readonly ReadonlySet<string>[]): ReadonlySet<string> {
  return new Set(sets.flatMap((set) => [...set]));
}

function keysOf(found: readonly Word[]): ReadonlySet<string> {
  return new Set(found.map(({ key }) => key));
}
