// Answers from search results without a language model: a cell of a table that the question names, or the sentences
// that the reader is sure of. Below that, passages with the likely words marked; below the common cutoff, nothing.

import type { Chunk, ExtractedDocument } from "../domain/document.ts";
import type { Passage } from "../domain/passage.ts";
import type { AnswerOutcome } from "./answer.ts";
import { type Claim, cite } from "./citations.ts";
import { dateOf, findDiffering } from "./differ.ts";
import { byReader, markLikely, withoutAnswer } from "./likely-passages.ts";
import type { PageSource } from "./mark-ocr.ts";
import { noteDiffering, noteOtherLanguage } from "./phrases.ts";
import { chooseSentences, toClaims } from "./quote/quote.ts";
import type { LikelySentence, Reader, ReaderResult } from "./reader/reader.ts";
import { lookUp } from "./table/look-up.ts";

/** What answers need in addition to the passages. */
export interface ReadingParts {
  readonly documents: DocumentReader;
  /** Absent if its model is not installed: then passages are shown, but no answers. */
  readonly reader?: Reader | undefined;
}

export interface FoundPassages {
  readonly query: string;
  readonly found: readonly Passage[];
  readonly maxResults: number;
}

/** A cell that a question names exactly is right as often as the table is read rightly. */
const NAMED_CELL = 0.95;

/** `already`: what the reader made of the passages, if they have been read already. */
export async function answerFromPassages(
  asked: FoundPassages,
  { documents, reader }: ReadingParts,
  already?: ReaderResult,
): Promise<AnswerOutcome> {
  const { query, found } = asked;
  const [read, cell] = await Promise.all([
    already ?? reader?.read(query, found),
    lookUp(query, found, documents),
  ]);
  if (cell.length > 0) {
    return toAnswer(asked, read, { claims: cell, kind: "table", probability: NAMED_CELL });
  }
  const chosen = read ? chooseSentences(read.sentences) : [];
  const probability = read?.probabilityOf(chosen) ?? 0;
  const [best] = chosen;
  if (!read || !best || probability < read.answered) {
    const shown = byReader(found, read);
    return { ...withoutAnswer(query, shown, read, asked.maxResults), kind: "quote" };
  }
  const differing = findDiffering(best, read.sentences);
  const claims = toClaims(differing.length > 0 ? [best, ...differing] : chosen);
  const answer = toAnswer(asked, read, { claims, kind: "quote", probability });
  const noted = differing.length > 0 ? noteDiffering(query, datesOf([best, ...differing])) : "";
  return { ...answer, answer: answer.answer + noted };
}

function datesOf(sentences: readonly LikelySentence[]) {
  return sentences.map(({ passage }) => ({ filename: passage.filename, date: dateOf(passage) }));
}

interface Answered extends Pick<AnswerOutcome, "kind"> {
  readonly claims: readonly Claim[];
  readonly probability: number;
}

function toAnswer(
  { query, found, maxResults }: FoundPassages,
  read: ReaderResult | undefined,
  { claims, kind, probability }: Answered,
): AnswerOutcome {
  const { answer, citations } = cite(fromFirst(claims, maxResults));
  const cited = new Set(citations.map(({ location }) => location["chunk_id"]));
  return {
    answer: read?.group === "across" ? noteOtherLanguage(query, answer) : answer,
    citations,
    related: found
      .slice(0, maxResults)
      .filter(({ chunkId }) => !cited.has(chunkId))
      .slice(0, Math.max(0, maxResults - citations.length))
      .map((passage) => markLikely(passage, read)),
    outcome: "answered",
    grounded: true,
    probability: Number(probability.toFixed(2)),
    kind,
  };
}

/** The claims from the first sources, all of each: a list of steps is not cut off. */
function fromFirst(claims: readonly Claim[], maxSources: number): readonly Claim[] {
  const sources = [...new Set(claims.map(({ passage }) => passage.chunkId))].slice(0, maxSources);
  return claims.filter(({ passage }) => sources.includes(passage.chunkId));
}

/** Reads whole documents from the store, for answers that need more than the found passages. */
export interface DocumentReader extends PageSource {
  extracted(id: string): Promise<ExtractedDocument | undefined>;
  chunksOf(id: string): Promise<readonly (Chunk & { readonly id: string })[]>;
}
