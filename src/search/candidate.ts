// A found chunk on its way to becoming a passage: its text, and what its score is made of.
import { setImmediate as yieldToLoop } from "node:timers/promises";
import { readInternalMetadata, visibleMetadata } from "../domain/internal-metadata.ts";
import type { Passage, ScoreParts } from "../domain/passage.ts";
import type { DocumentStore, Hit, StoredChunk } from "../store/store.ts";
import type { PassageSignals } from "./rescore/passage-signals.ts";
import { toStrength } from "./score.ts";

export interface Candidate {
  readonly score: number;
  readonly parts: ScoreParts;
  readonly chunk: StoredChunk;
}

/** The passages of one search, each read once. */
export interface ChunkCache {
  /** Reads the best of `found` and judges them until `meaning` is known: first the model takes time, then the store. */
  readAhead(
    found: Promise<{ readonly hits: readonly Hit[] }>,
    meaning: Promise<unknown>,
  ): Promise<void>;
  /** Like the store's `nearest`, but also reads the best chunks that it finds. */
  readonly nearest: DocumentStore["nearest"];
  /** In the order of the hits; a chunk that was removed in between is left out. */
  candidates(
    hits: readonly Hit[],
    parts: ReadonlyMap<number, ScoreParts>,
  ): Promise<readonly Candidate[]>;
}

/** This many of the best hits of each side are read ahead. */
export const RESCORED = 60;

type ReadStore = Pick<DocumentStore, "chunks" | "nearestWithChunks">;

export function openChunkCache(
  store: ReadStore,
  judge: Pick<PassageSignals, "judgeAhead">,
): ChunkCache {
  const known = new Map<number, StoredChunk>();
  const asked = new Set<number>();
  const read = async (keys: readonly number[]) => {
    const missing = keys.filter((key) => !asked.has(key));
    for (const key of missing) asked.add(key);
    const chunks = missing.length === 0 ? [] : await store.chunks(missing);
    for (const chunk of chunks) known.set(chunk.key, chunk);
    return chunks;
  };
  return {
    async readAhead(found, meaning) {
      const waiting = { isOver: false };
      const end = () => {
        waiting.isOver = true;
      };
      meaning.then(end, end);
      const { hits } = await found;
      if (waiting.isOver) return;
      const chunks = await read(hits.slice(0, RESCORED).map(({ key }) => key));
      for (const _ of judge.judgeAhead(chunks.map(({ text }) => text))) {
        // Yields, so that the model's vector goes to the store as soon as it is ready.
        await yieldToLoop();
        if (waiting.isOver) return;
      }
    },
    async nearest(query, signal) {
      const along = { best: RESCORED, except: asked };
      const { hits, chunks } = await store.nearestWithChunks(query, along, signal);
      for (const chunk of chunks) {
        asked.add(chunk.key);
        known.set(chunk.key, chunk);
      }
      return hits;
    },
    async candidates(hits, parts) {
      await read(hits.map(({ key }) => key));
      return toCandidates(hits, known, parts);
    },
  };
}

function toCandidates(
  hits: readonly Hit[],
  chunks: ReadonlyMap<number, StoredChunk>,
  parts: ReadonlyMap<number, ScoreParts>,
): readonly Candidate[] {
  return hits.flatMap(({ key, score }) => {
    const chunk = chunks.get(key);
    return chunk ? [{ score, parts: parts.get(key) ?? {}, chunk }] : [];
  });
}

/** Keys follow the order in which chunks were stored, so equal scores always come in the same order. */
export function byScore(a: Candidate, b: Candidate): number {
  return b.score - a.score || a.chunk.key - b.chunk.key;
}

export function toPassage({ parts, chunk: stored }: Candidate, relevance: number): Passage {
  const { key: _, id, document, ...chunk } = stored;
  // Accessed once, because a store may parse it on access.
  const { metadata } = document;
  const { revision, page, modified } = readInternalMetadata(metadata);
  return {
    ...chunk,
    documentId: document.id,
    ...(document.scope !== undefined && { scope: document.scope }),
    chunkId: id,
    filename: document.filename,
    format: document.format,
    ...(document.title !== undefined && { title: document.title }),
    dateAdded: document.dateAdded,
    metadata: visibleMetadata(metadata),
    ...(revision > 1 && { revision }),
    ...(page && { url: page.url }),
    ...(modified !== undefined && { modified }),
    score: relevance,
    strength: toStrength(relevance),
    parts,
  };
}
