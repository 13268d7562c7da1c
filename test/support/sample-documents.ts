// Small documents with made-up vectors: enough to test a store without a model.
import { randomUUID } from "node:crypto";
import type { Chunk, ExtractedDocument } from "../../src/domain/document.ts";
import type { DocumentStore, IndexedChunk, NewDocument } from "../../src/store/store.ts";

export const DIMENSIONS = 32;
export const FINGERPRINT = "model-1";

/** A minimal analyser. */
export function plainTerms(text: string): string[] {
  return text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((term) => term !== "");
}

/** A deterministic unit vector for a seed, different for each. */
export function sampleVector(seed: string | number, dimensions = DIMENSIONS): Float32Array {
  let state = 2166136261;
  for (const character of String(seed)) {
    state = Math.imul(state ^ character.charCodeAt(0), 16777619);
  }
  const vector = Float32Array.from({ length: dimensions }, () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state / 2 ** 31;
  });
  const norm = Math.hypot(...vector);
  return vector.map((value) => value / norm);
}

export interface SampleOptions extends Partial<Omit<NewDocument, "extracted">> {
  readonly withVectors?: boolean;
}

/** Each text is a chunk; the document's text is all of them, a blank line between. */
export function sampleDocument(
  texts: readonly string[],
  options: SampleOptions = {},
): { document: NewDocument; chunks: IndexedChunk[] } {
  const { withVectors = true, ...fields } = options;
  const text = texts.join("\n\n");
  const id = fields.id ?? randomUUID();
  const extracted: ExtractedDocument = {
    format: fields.format ?? "txt",
    method: "text_extraction",
    text,
    blocks: [{ kind: "paragraph", start: 0, end: text.length, place: { page: 1 } }],
    pages: [{ place: { page: 1 }, method: "text", characters: text.length }],
    warnings: [],
  };
  const document: NewDocument = {
    filename: `${id}.txt`,
    contentHash: sampleHash(id),
    format: "txt",
    sizeBytes: text.length,
    metadata: {},
    fingerprint: FINGERPRINT,
    ...fields,
    id,
    extracted,
  };
  return { document, chunks: sampleChunks(texts, withVectors) };
}

export function sampleChunks(texts: readonly string[], withVectors = true): IndexedChunk[] {
  let start = 0;
  return texts.map((text, ordinal) => {
    const chunk: Chunk = {
      ordinal,
      start,
      end: start + text.length,
      text,
      place: { page: ordinal + 1 },
      headings: ["Sample"],
    };
    start = chunk.end + 2;
    const terms = plainTerms(text);
    return withVectors ? { ...chunk, terms, vector: sampleVector(text) } : { ...chunk, terms };
  });
}

export function sampleHash(seed: string): string {
  return Buffer.from(`${seed}-`.repeat(32)).toString("hex").slice(0, 64);
}

export async function addSample(
  documents: DocumentStore,
  texts: readonly string[],
  options: SampleOptions = {},
): Promise<string> {
  const { document, chunks } = sampleDocument(texts, options);
  await documents.put(document, chunks);
  return document.id;
}

/** The texts of the hits for a query of plain words. */
export async function foundTexts(documents: DocumentStore, words: string): Promise<string[]> {
  const terms = plainTerms(words).map((term) => ({ term, weight: 1 }));
  const { hits } = await documents.lexical({ terms, limit: 50 });
  const chunks = await documents.chunks(hits.map((hit) => hit.key));
  return chunks.map((chunk) => chunk.text);
}
