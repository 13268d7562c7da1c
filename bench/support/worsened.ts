// Ways to make a search worse on purpose: what is stored, what is recalled, how it is weighed.
import { type ChunkOptions, DEFAULT_CHUNKS } from "../../src/chunk/chunk.ts";
import type { Embed, Light } from "../../src/embed/embed.ts";
import { WEIGHTS } from "../../src/search/fuse.ts";
import { openAnalyser } from "../../src/search/search.ts";
import type { DocumentStore, IndexedChunk } from "../../src/store/store.ts";

export interface Worsening {
  readonly name: string;
  readonly size?: ChunkOptions;
  readonly change?: (chunk: IndexedChunk, document: string) => IndexedChunk | undefined;
  readonly store?: (store: DocumentStore) => DocumentStore;
  readonly embed?: (embed: Embed) => Embed;
  /** Weight of the words; the vectors get the rest. */
  readonly words?: number;
}

/** The same number for the same text: 0 to 1. */
function chance(text: string): number {
  let hash = 2_166_136_261;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 16_777_619);
  hash ^= hash >>> 15;
  return ((Math.imul(hash, 2_246_822_519) >>> 0) % 100_000) / 100_000;
}

const analyser = openAnalyser();

const cut = (characters: number) => (chunk: IndexedChunk) => {
  const text = chunk.text.slice(0, characters);
  return { ...chunk, text, end: chunk.start + text.length, terms: analyser.terms(text) };
};

const noisy = (amount: number) => (chunk: IndexedChunk) => {
  const { vector, text } = chunk;
  if (vector === undefined) return chunk;
  const size = amount * Math.sqrt(12 / vector.length);
  const mixed = vector.map((value, at) => value + size * (chance(`${text} ${at}`) - 0.5));
  const length = Math.hypot(...mixed);
  return { ...chunk, vector: mixed.map((value) => value / length) };
};

const without = (share: number) => (chunk: IndexedChunk, document: string) =>
  chance(document) < share ? undefined : chunk;

const forgetful = (share: number) => (chunk: IndexedChunk) => ({
  ...chunk,
  terms: chunk.terms.filter((term) => chance(`${chunk.text} ${term}`) >= share),
});

const noWords = (store: DocumentStore): DocumentStore => ({
  ...store,
  lexical: async (query, signal) => ({ ...(await store.lexical(query, signal)), hits: [] }),
});
const noVectors = (store: DocumentStore): DocumentStore => ({
  ...store,
  nearest: async () => [],
  nearestWithChunks: async () => ({ hits: [], chunks: [] }),
});

export function worsenings(light: Light): readonly Worsening[] {
  const zeroed = (chunk: IndexedChunk, share: number) =>
    chance(chunk.text) < share ? { ...chunk, vector: light.encode("unrelated text") } : chunk;
  return [
    { name: "no vectors", store: noVectors },
    { name: "no words", store: noWords },
    {
      name: "light vectors only",
      change: (chunk) => ({ ...chunk, vector: light.encode(chunk.text) }),
      embed: (embed) => ({ ...embed, query: async (text) => light.encode(text) }),
    },
    ...[1, 2, 4].map((amount) => ({ name: `vectors with noise ${amount}`, change: noisy(amount) })),
    ...[0.3, 0.7].map((share) => ({
      name: `${share} of the vectors wrong`,
      change: (chunk: IndexedChunk) => zeroed(chunk, share),
    })),
    ...[400, 200, 80].map((most) => ({ name: `chunks cut to ${most}`, change: cut(most) })),
    ...[0.1, 0.3, 0.6].map((share) => ({
      name: `${share} of the documents missing`,
      change: without(share),
    })),
    ...[0.3, 0.6, 0.9].map((share) => ({
      name: `${share} of the terms missing`,
      change: forgetful(share),
    })),
    ...[0.05, 0.95].map((words) => ({ name: `words weigh ${words}`, words })),
    {
      name: "no words, vectors with noise 2",
      store: noWords,
      change: noisy(2),
    },
    {
      name: "no vectors, 0.5 of the terms missing",
      store: noVectors,
      change: forgetful(0.5),
    },
    { name: "tiny chunks", size: { ...DEFAULT_CHUNKS, size: Math.ceil(DEFAULT_CHUNKS.size / 8) } },
  ];
}

/** Puts the weights back when it is called. */
export function weigh(words: number | undefined): () => void {
  const all = Object.values(WEIGHTS).flatMap((each) => Object.values(each));
  const before = all.map((each) => ({ ...each }));
  if (words !== undefined)
    for (const each of all) Object.assign(each, { words, vector: 1 - words });
  return () => {
    for (const [at, each] of all.entries()) Object.assign(each, before[at]);
  };
}
