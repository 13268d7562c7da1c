// What answers need besides the search: the shipped reader.
import { join } from "node:path";
import type { DocumentReader, ReadingParts } from "../../src/answer/answer-from-passages.ts";
import { chooseSentences, toClaims } from "../../src/answer/quote/quote.ts";
import { openReader } from "../../src/answer/reader/reader.ts";
import type { Passage } from "../../src/domain/passage.ts";
import { openLight } from "../../src/embed/light/light.ts";

const MODELS = join(import.meta.dirname, "../../models");

export async function openReading(
  documents: DocumentReader,
  models = join(MODELS, "reader"),
): Promise<ReadingParts> {
  const light = await openLight(join(MODELS, "light"));
  return { documents, reader: await openReader(models, light) };
}

export interface Best {
  readonly probability: number;
  readonly text: string;
}

/** What would be shown if any probability were enough. */
export async function bestOf(
  query: string,
  found: readonly Passage[],
  { reader }: ReadingParts,
): Promise<Best | undefined> {
  const read = await reader?.read(query, found);
  const chosen = read ? chooseSentences(read.sentences) : [];
  if (!read || chosen.length === 0) return undefined;
  const text = toClaims(chosen)
    .map((claim) => claim.text)
    .join("\n");
  return { probability: read.probabilityOf(chosen), text };
}
