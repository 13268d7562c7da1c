// How well each sentence of the found passages fits the question.
import type { Passage } from "../../domain/passage.ts";
import { rarity } from "../../text/rarity.ts";
import { type Sentence, sentences } from "../../text/sentences.ts";
import { keysAmong, type Word, words } from "../../text/words.ts";
import { addressesModel } from "../model/injection.ts";
import { readValue } from "../table/grid/cell-value.ts";
import { cellsOf } from "../table/grid/grid.ts";
import { compoundKeys } from "./compounds.ts";
import type { Question } from "./question.ts";
import { placeUnder, type Under } from "./under.ts";

/** A passage, read. */
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
  /** With those of the term that it explains. */
  readonly keys: ReadonlySet<string>;
  readonly isName: boolean;
  readonly under: Under | undefined;
  readonly after: number;
}

export interface Evidence {
  readonly source: Source;
  /** The source's rank among the passages found. */
  readonly rank: number;
  readonly at: number;
  readonly line: Line;
  /** The weighted share of the question's words in the sentence; only around it; only elsewhere. */
  readonly covered: number;
  readonly near: number;
  readonly far: number;
  /** The share that the heading, term or question says that it is under, less the further below it. */
  readonly headed: number;
  /** It has something of the expected shape that the question itself does not say. */
  readonly shaped: boolean;
  /** The cosine of question and sentence. */
  readonly alike: number;
  /** It says what the thing is, where that is asked. */
  readonly defines: boolean;
  readonly score: number;
}

/** The cosine of the question and a text, in whatever languages they are. */
export type Likeness = (text: string) => number;

/**
 * Fitted on the sentences of half of a public set's articles, as parts of what a question's own words count. An
 * encoder's cosine put the right sentence first for 81 instead of 80 of 100 questions, among the first three for 93
 * instead of 92.
 */
const ALIKE = 1.1;
const SHAPED = 0.35;
const NEAR = 0.1;
const PASSAGE = 1.6;
const DEFINES = 0.5;
const HEADED = 0.8;
/** The usual cosine of a question and its answer; used as a neutral value if there is no encoder. */
export const UNKNOWN = 0.5;

export type Weights = ReadonlyMap<string, number>;

export function read(passage: Passage): Source {
  const { text, headings } = passage;
  const found = placeUnder(text, withSubHeaders(sentences(text)), headings.at(-1));
  const lines = found.map((placed): Line => {
    const { text: said } = placed.sentence;
    const own = words(said);
    const keys = new Set([...keysOf(own), ...compoundKeys(said, own)]);
    const { under } = placed;
    return {
      ...placed,
      words: own,
      keys: under?.kind === "term" ? union([keys, under.keys]) : keys,
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

/** Of what is not quoted from, only the question's own words are looked for. */
export function glance({ keys }: Question, passage: Passage): ReadonlySet<string> {
  const text = `${titlesOf(passage)}\n${passage.text}`;
  const compounds = [...keys].filter((key) => /^\d[^-]*-./.test(key));
  if (compounds.length === 0) return keysAmong(text, keys);
  const found = compoundKeys(text, words(text)).filter((key) => keys.has(key));
  return new Set([...keysAmong(text, keys), ...found]);
}

/** A second row of labels under merged ones is part of the header, and a header is no answer. */
function withSubHeaders(found: readonly Sentence[]): readonly Sentence[] {
  return found.map((sentence, at) => {
    const above = found[at - 1];
    if (sentence.kind !== "row" || above?.kind !== "head") return sentence;
    const cells = cellsOf(sentence.text);
    const labels = cells.every((cell) => !readValue(cell) || /^(?:19|20)\d\d$/.test(cell));
    const merged = cellsOf(above.text).some(
      (cell, column) => cell === "" || cell === cells[column],
    );
    return labels && merged ? { ...sentence, kind: "head" as const } : sentence;
  });
}

/**
 * A word in few of the sources says more than one in all of them: what they share is the topic,
 * which the search has already found. The floor keeps the topic's words from counting nothing.
 */
export function weigh(question: Question, held: readonly ReadonlySet<string>[]): Weights {
  return new Map(
    question.terms.map(({ key }) => {
      const holding = held.filter((keys) => keys.has(key)).length;
      return [key, 0.3 + rarity(holding, held.length)];
    }),
  );
}

export interface Gathering {
  readonly weights: Weights;
  readonly likeness?: Likeness | undefined;
}

export function gather(
  question: Question,
  sources: readonly Source[],
  { weights, likeness }: Gathering,
): readonly Evidence[] {
  const best = Math.max(1e-6, ...sources.map(({ passage }) => passage.score));
  const found: Evidence[] = [];
  for (const [rank, source] of sources.entries()) {
    for (const [at, line] of source.lines.entries()) {
      if (!isStatement(line) || !saysMore(question, line)) continue;
      const shares = share(question, weights, source, at);
      const headed = headedBy(question, weights, line);
      const shaped = hasShape(question, line);
      const defines = isDefinition(question, line);
      const alike = likeness?.(line.sentence.text) ?? UNKNOWN;
      const score =
        shares.covered +
        NEAR * shares.near +
        HEADED * headed +
        ALIKE * alike +
        (shaped ? SHAPED : 0) +
        (defines ? DEFINES : 0) +
        PASSAGE * (source.passage.score / best);
      found.push({ source, rank, at, line, ...shares, headed, shaped, alike, defines, score });
    }
  }
  return found.sort((a, b) => b.score - a.score);
}

/** "X is …", "Xとは…": the sentence begins with what is asked about and says what it is, or explains it as a term. */
function isDefinition({ subject }: Question, { sentence: { text }, under, after: from }: Line) {
  if (subject === "") return false;
  if (from === 0 && under?.kind === "term" && isSame(subject, under)) return true;
  const plain = (given: string) => given.toLowerCase().replace(/[-_\s]/g, " ");
  const bare = text.replace(/^[\s>*\-•#]+/u, "").replace(/\*\*|`/g, "");
  const at = plain(bare).indexOf(plain(subject));
  if (at < 0 || at > 12) return false;
  const after = bare.slice(at + subject.length, at + subject.length + 40);
  return /^[^.。]{0,16}?(?:\b(?:is|are|was|were|refers? to|means|allows|lets|st[a]nds for)\b|とは|は)|^\s*(?:\([^)]*\))?\s*[-–—:：]/u.test(
    after,
  );
}

function isSame(subject: string, { keys }: Under): boolean {
  const wanted = words(subject).map(({ key }) => key);
  return wanted.length === keys.size && wanted.every((key) => keys.has(key));
}

export function isStatement({ sentence: { kind, text }, isName }: Line): boolean {
  return !isName && kind !== "head" && !addressesModel(text) && !/^\s*(?:```|~~~)\s*$/.test(text);
}

/** Text that was only set like code: long lines of sentences, and next to none of a program's marks. */
function isProse(code: string): boolean {
  const lines = code.split("\n").filter((line) => /\S/.test(line) && !/^(?:```|~~~)/.test(line));
  const text = lines.join("\n");
  const isLong = text.length >= lines.length * 40;
  return isLong && /\p{L}{2}[.!?。]["”]?(?:\s|$)/mu.test(text) && !isMarked(text, 50);
}

/** A program, or how a command is called: "show [-n] <name>". */
function isMarked(text: string, share: number): boolean {
  return (text.match(/[{}()[\];=<>$|\\#_]|--/g)?.length ?? 0) > Math.max(5, text.length / share);
}

/** Code answers how, not what; and a line of nothing but the question's own words is no answer. */
function saysMore(question: Question, { sentence, words: own, under }: Line): boolean {
  const { keys, procedure, closed, shape } = question;
  if (sentence.kind === "code") return procedure || isProse(sentence.text);
  if (sentence.kind === "prose" && isMarked(sentence.text, 15)) return procedure;
  // "Participants  Accuracy": the head of a table that was read as text has no number.
  const asksNumber = shape === "number" || shape === "time";
  if (asksNumber && !/[.!?。！？]$/u.test(sentence.text) && !own.some(({ number }) => number))
    return false;
  return (
    closed || under?.kind === "term" || own.some(({ key, content }) => content && !keys.has(key))
  );
}

function headedBy({ terms }: Question, weights: Weights, { under, after }: Line): number {
  if (under === undefined) return 0;
  const weigh = (list: readonly Word[]) =>
    list.reduce((sum, { key }) => sum + (weights.get(key) ?? 0), 0);
  const said = weigh(terms.filter(({ key }) => under.keys.has(key))) / weigh(terms);
  return said / (1 + after / 2);
}

function share(question: Question, weights: Weights, source: Source, at: number) {
  const sums = { covered: 0, near: 0, far: 0 };
  let total = 0;
  for (const { key } of question.terms) {
    const weight = weights.get(key) ?? 0;
    total += weight;
    if (source.lines[at]?.keys.has(key)) sums.covered += weight;
    else if (isNear(source, at, key)) sums.near += weight;
    else if (source.keys.has(key)) sums.far += weight;
  }
  return { covered: sums.covered / total, near: sums.near / total, far: sums.far / total };
}

function isNear({ lines, above }: Source, at: number, key: string): boolean {
  return above.has(key) || !!lines[at - 1]?.keys.has(key) || !!lines[at + 1]?.keys.has(key);
}

const MONTH =
  /\b(?:January|February|March|April|May|June|July|August|September|October|November|December)\b|[年月日時]/u;
const REASON =
  /\b(?:because|due to|since|so that|in order to|as a result|caus\w+|reason\w*|thus|therefore|to)\b|ため|から|ので|により/iu;

function hasShape({ shape, keys, japanese }: Question, { words: found, sentence }: Line): boolean {
  const fresh = (test: (word: Word) => boolean) =>
    found.some((word) => !keys.has(word.key) && test(word));
  switch (shape) {
    case "number":
      return fresh(({ number }) => number);
    case "time":
      return fresh(({ number, text }) => number && /\d{3}/.test(text)) || MONTH.test(sentence.text);
    case "person":
    case "place":
      // Japanese names have no upper case to know them by.
      return japanese || fresh(({ proper, content }) => proper && content);
    case "reason":
      return REASON.test(sentence.text);
    case "thing":
      return true;
  }
}

function union(sets: readonly ReadonlySet<string>[]): ReadonlySet<string> {
  return new Set(sets.flatMap((set) => [...set]));
}

function keysOf(found: readonly Word[]): ReadonlySet<string> {
  return new Set(found.map(({ key }) => key));
}
