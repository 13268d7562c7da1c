// Caches what depends on documents alone: sentences and their vectors, tables, form fields. Bounded, because knowledge
// bases may be large.
import type { ExtractedDocument } from "../domain/document.ts";
import type { Passage } from "../domain/passage.ts";

/** The result of `make`, cached by its key. */
type Recall = <Value>(key: string, make: () => Value) => Value;

/** A document with cached results from earlier questions. */
export interface KnownDocument {
  readonly document: ExtractedDocument;
  readonly recall: Recall;
}

export interface ReadingCache {
  /** The result of `make` for this chunk and text, cached under `name`. */
  passage<Value>(passage: Passage, name: string, make: (passage: Passage) => Value): Value;
  document(
    passage: Passage,
    read: () => Promise<ExtractedDocument | undefined>,
  ): Promise<KnownDocument | undefined>;
  vector(text: string, encode: (text: string) => Float32Array): Float32Array;
  /** The same for single words, which are so many that they would evict the sentences. */
  word(text: string, encode: (text: string) => Float32Array): Float32Array;
}

const MOST_PASSAGES = 400;
const MOST_VECTORS = 4_000;
const MOST_WORDS = 4_000;
const MOST_DOCUMENTS = 16;
/** Longer documents are not cached: sixteen of them would use too much memory. */
const LONGEST_KEPT = 400_000;

export function openReadingCache(): ReadingCache {
  const passages = new Map<string, { readonly text: string; readonly recall: Recall }>();
  const documents = new Map<string, KnownDocument>();
  const vectors = new Map<string, Float32Array>();
  const wordVectors = new Map<string, Float32Array>();
  return {
    passage<Value>(passage: Passage, name: string, make: (passage: Passage) => Value): Value {
      const { chunkId, text } = passage;
      const old = passages.get(chunkId);
      const known = old?.text === text ? old : { text, recall: openRecall() };
      keep(passages, chunkId, known, MOST_PASSAGES);
      return known.recall(name, () => make(passage));
    },
    async document(passage, read) {
      const known = documents.get(passage.documentId);
      if (known && isCurrent(known.document, passage)) {
        keep(documents, passage.documentId, known, MOST_DOCUMENTS);
        return known;
      }
      const document = await read();
      if (!document) return undefined;
      const fresh = { document, recall: openRecall() };
      if (document.text.length <= LONGEST_KEPT)
        keep(documents, passage.documentId, fresh, MOST_DOCUMENTS);
      return fresh;
    },
    vector(text, encode) {
      const vector = vectors.get(text) ?? encode(text);
      keep(vectors, text, vector, MOST_VECTORS);
      return vector;
    },
    word(text, encode) {
      const vector = wordVectors.get(text) ?? encode(text);
      keep(wordVectors, text, vector, MOST_WORDS);
      return vector;
    },
  };
}

/** A replaced document keeps its id, so the cached text is compared with the passage just found. */
function isCurrent({ text }: ExtractedDocument, passage: Passage): boolean {
  return text.slice(passage.start, passage.end) === passage.text;
}

function openRecall(): Recall {
  const made = new Map<string, unknown>();
  return <Value>(key: string, make: () => Value): Value => {
    if (!made.has(key)) made.set(key, make());
    return made.get(key) as Value;
  };
}

/** Evicts the least recently used entry. */
function keep<Value>(all: Map<string, Value>, key: string, value: Value, most: number): void {
  all.delete(key);
  all.set(key, value);
  const [oldest] = all.keys();
  if (all.size > most && oldest !== undefined) all.delete(oldest);
}
