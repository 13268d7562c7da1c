// A found chunk on its way to becoming a passage: its text, and what its score is made of.
import { ownFacts, shownMetadata } from "../domain/own-facts.ts";
import type { Passage, ScoreParts } from "../domain/passage.ts";
import type { DocumentStore, Hit, StoredChunk } from "../store/store.ts";
import { toStrength } from "./score.ts";

export interface Candidate {
  readonly score: number;
  readonly parts: ScoreParts;
  readonly chunk: StoredChunk;
}

/** In the order of the hits; a chunk that was removed in between is left out. */
export async function readCandidates(
  store: Pick<DocumentStore, "chunks">,
  hits: readonly Hit[],
  parts: ReadonlyMap<number, ScoreParts>,
): Promise<readonly Candidate[]> {
  const read = hits.length === 0 ? [] : await store.chunks(hits.map(({ key }) => key));
  const chunks = new Map(read.map((chunk) => [chunk.key, chunk]));
  return hits.flatMap(({ key, score }) => {
    const chunk = chunks.get(key);
    return chunk ? [{ score, parts: parts.get(key) ?? {}, chunk }] : [];
  });
}

/** Chunks are numbered as they are stored, so equal scores keep one order. */
export function byScore(a: Candidate, b: Candidate): number {
  return b.score - a.score || a.chunk.key - b.chunk.key;
}

export function toPassage({ parts, chunk: stored }: Candidate, relevance: number): Passage {
  const { key: _, id, document, ...chunk } = stored;
  const { revision, page } = ownFacts(document.metadata);
  return {
    ...chunk,
    documentId: document.id,
    chunkId: id,
    filename: document.filename,
    format: document.format,
    ...(document.title !== undefined && { title: document.title }),
    dateAdded: document.dateAdded,
    metadata: shownMetadata(document.metadata),
    ...(revision > 1 && { revision }),
    ...(page && { url: page.url }),
    score: relevance,
    strength: toStrength(relevance),
    parts,
  };
}
