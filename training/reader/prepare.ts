// Questions on paragraphs → what the reader learns from: each collection in a knowledge base of its own, every question
// asked of the product's search, passages and questions as pieces of the light table.
//   node training/reader/prepare.ts --data DIR --work DIR --sets a,b [--articles N]
import { createWriteStream, mkdirSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { openCollectionBase, toExtracted } from "../../bench/answers/collection-base.ts";
import { type Paragraph, readCollection } from "../../bench/answers/collections.ts";
import { MAX_QUESTION_PIECES, toPieces } from "../../src/answer/reader/input.ts";
import type { Passage } from "../../src/domain/passage.ts";
import { openLight } from "../../src/embed/light/light.ts";

const { values } = parseArgs({
  options: {
    data: { type: "string", default: "../shared/data" },
    work: { type: "string", default: "reader-work" },
    sets: { type: "string", default: "" },
    articles: { type: "string", default: "100000" },
  },
});
const POOL = 12;
mkdirSync(values.work, { recursive: true });
const light = await openLight(join(import.meta.dirname, "../../models/light"));
for (const name of values.sets.split(",")) await prepare(name);

async function prepare(name: string): Promise<void> {
  const paragraphs = firstArticles(readCollection(values.data, name));
  const base = await openCollectionBase(paragraphs);
  const out = createWriteStream(join(values.work, `${name}.jsonl`));
  const write = (row: object) => void out.write(`${JSON.stringify(row)}\n`);
  const toNumber = openNumbers(paragraphs, write);
  for (const [number, paragraph] of paragraphs.entries()) {
    const { language, article, title, questions } = paragraph;
    const shift = toExtracted(paragraph).text.length - paragraph.text.length;
    for (const { question, answers } of questions) {
      const { passages } = await base.search.search({ text: question, limit: POOL });
      const candidates = passages.map((each) => [toNumber(each), each.score]);
      write({
        question,
        pieces: light.pieces(question).slice(0, MAX_QUESTION_PIECES),
        ...{ language, article, title, paragraph: number },
        answers: answers.map(({ start, text }) => ({ start: start + shift, text })),
        candidates,
      });
    }
  }
  await new Promise((done) => out.end(done));
  await base.close();
}

/** Writes a passage when it is first found, and numbers it. */
function openNumbers(paragraphs: readonly Paragraph[], write: (row: object) => void) {
  const numbers = new Map<string, number>();
  return (passage: Passage): number => {
    const given = numbers.get(passage.chunkId);
    if (given !== undefined) return given;
    const number = numbers.size;
    numbers.set(passage.chunkId, number);
    const { pieces, sentenceOf, starts, ends } = toPieces(passage, light.locate);
    const paragraph = Number(passage.documentId.slice(1));
    const article = paragraphs[paragraph]?.article;
    const { text, start } = passage;
    write({ passage: number, paragraph, article, start, text, pieces, sentenceOf, starts, ends });
    return number;
  };
}

function firstArticles(all: readonly Paragraph[]): readonly Paragraph[] {
  const names = [...new Set(all.map(({ article }) => article))].slice(0, Number(values.articles));
  return all.filter(({ article }) => names.includes(article));
}
