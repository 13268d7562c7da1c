// Questions from a document's own headings, definitions, tables and sentences. Nobody has to write them, and a language
// model is not needed.
import type { Block, ExtractedDocument } from "../domain/document.ts";
import { isJapanese } from "../text/scripts.ts";
import { sentences } from "../text/sentences.ts";
import { type Word, words } from "../text/words.ts";
import type { OtherWord } from "./other-words.ts";
import type { Question } from "./question.ts";

export type MadeQuestion = Pick<Question, "question" | "kind" | "phrase">;

export interface Vocabulary {
  readonly frequencies: Frequencies;
  readonly otherWord: OtherWord;
}

/** In how many documents a word occurs. */
export type Frequencies = ReadonlyMap<string, number>;

export function countDocuments(documents: readonly ExtractedDocument[]): Frequencies {
  const counts = new Map<string, number>();
  for (const { text } of documents) {
    const content = words(text.slice(0, READ_CHARACTERS)).filter((word) => word.content);
    for (const word of new Set(content.map(({ text: each }) => each.toLowerCase())))
      counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return counts;
}

// More of a book adds nothing: a few questions are taken from each document.
const READ_CHARACTERS = 200_000;
const PHRASE_CHARACTERS = 120;
const MIN_WORDS = 2;

/** In the order of the kinds; the caller chooses among them. */
export function makeQuestions(
  { text, blocks, title }: ExtractedDocument,
  vocabulary: Vocabulary,
): readonly MadeQuestion[] {
  const read = text.slice(0, READ_CHARACTERS);
  const kept = blocks.filter(({ end }) => end <= READ_CHARACTERS);
  const asked = (heading: string) => someWords(heading, vocabulary) ?? heading;
  return [
    ...(title && isTelling(title)
      ? [{ question: asked(tidy(title)), kind: "heading" as const }]
      : []),
    ...kept
      .flatMap((block, at) => fromHeading(read, block, kept[at + 1]))
      .map((made) => ({ ...made, question: asked(made.question) })),
    ...kept.flatMap((block) => fromTable(read, block)),
    ...fromProse(read, vocabulary),
  ];
}

function fromHeading(text: string, block: Block, next: Block | undefined): readonly MadeQuestion[] {
  if (block.kind !== "heading" || next === undefined || next.kind === "heading") return [];
  const question = tidy(text.slice(block.start, block.end));
  const phrase = phraseOf(text.slice(next.start, next.end));
  return isTelling(question) && phrase !== "" ? [{ question, kind: "heading", phrase }] : [];
}

// Rows to choose from; a sheet may have thousands.
const ROWS = 50;

/** Asks for a cell by its row and column. */
function fromTable(text: string, { kind, start, end, headerEnd }: Block): readonly MadeQuestion[] {
  if (kind !== "table" || headerEnd === undefined) return [];
  const columns = cellsOf(text.slice(start, headerEnd).split("\n", 1)[0] ?? "");
  const rows = text.slice(headerEnd, end).split("\n", ROWS).map(cellsOf);
  return rows.flatMap((cells, number) => {
    const [name = ""] = cells;
    const filled = cells.flatMap((cell, at) => (at > 0 && cell && columns[at] ? [at] : []));
    const at = filled[number % Math.max(1, filled.length)];
    if (at === undefined || !/\p{L}/u.test(name)) return [];
    const column = columns[at] ?? "";
    const question = isJapanese(name + column) ? `${name}の${column}` : `${name} ${column}`;
    return [{ question, kind: "cell" as const, phrase: phraseOf(`${name} ${cells[at]}`) }];
  });
}

function cellsOf(row: string): readonly string[] {
  return row.split("|").slice(1, -1).map(tidy);
}

// "A rebate is a …", "リベートとは…".
const DEFINITION =
  /^(?:(?:An?|The)\s)?((?:[\p{L}\p{N}-]+\s){1,4})(?:is|are|means|refers to)\s(?:an?|the|any|one)\s/u;
const JAPANESE_DEFINITION = /^([^、。\s]{2,20})とは/u;
const MIN_CONTENT = 6;
const MAX_SENTENCE = 400;

function fromProse(text: string, vocabulary: Vocabulary): readonly MadeQuestion[] {
  const prose = sentences(text).filter(
    ({ kind, text: each }) => kind === "prose" && each.length <= MAX_SENTENCE,
  );
  return prose.flatMap(({ text: sentence }, at): readonly MadeQuestion[] => {
    const phrase = phraseOf(sentence);
    const name = (JAPANESE_DEFINITION.exec(sentence) ?? DEFINITION.exec(sentence))?.[1]?.trim();
    if (name !== undefined && words(name).some(({ content }) => content)) {
      const question = isJapanese(name) ? `${name}とは何ですか` : `What is ${name}?`;
      return [{ question, kind: "definition", phrase }];
    }
    const question = someWords(sentence, at % 2 > 0 ? vocabulary : inOwnWords(vocabulary));
    return question === undefined ? [] : [{ question, kind: "sentence", phrase }];
  });
}

/** Some people know a document's words. With other words in every question, a search by words alone would look useless. */
function inOwnWords({ frequencies }: Vocabulary): Vocabulary {
  return { frequencies, otherWord: () => undefined };
}

// A question has some of the words of its answer, seldom its rarest ones, and other words for the rest.
const RAREST = 0.34;
const MAX_ASKED = 14;

function someWords(sentence: string, { frequencies, otherWord }: Vocabulary): string | undefined {
  const all = words(sentence).slice(0, MAX_ASKED);
  const content = all.filter((word) => word.content);
  if (content.length < MIN_CONTENT) return undefined;
  const rarity = ({ text }: Word) => frequencies.get(text.toLowerCase()) ?? 0;
  const left = new Map(
    content.map((word, at) => [word, at % 2 > 0 || word.number ? undefined : otherWord(word.text)]),
  );
  const own = content.filter((word) => left.get(word) === undefined);
  const rarest = own.toSorted((a, b) => rarity(a) - rarity(b));
  const dropped = new Set(rarest.slice(0, Math.round(own.length * RAREST)));
  const asked = all.filter((word) => !dropped.has(word));
  return asked.map((word) => left.get(word) ?? word.text).join(isJapanese(sentence) ? "" : " ");
}

function isTelling(text: string): boolean {
  return words(text).filter(({ content }) => content).length >= MIN_WORDS;
}

function tidy(text: string): string {
  return text.replace(/^#{1,6}\s+|[*_`\\]/g, "").trim();
}

function phraseOf(text: string): string {
  return tidy(text).slice(0, PHRASE_CHARACTERS).trim();
}
