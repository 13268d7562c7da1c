// Extracted text → chunks with their terms and vectors. The event loop is let go between chunks: a book's worth
// of analysis in one go would hold up every other call.
import { setImmediate as letGo } from "node:timers/promises";
import { type ChunkOptions, chunkFingerprint, chunks, searchText } from "../../chunk/chunk.ts";
import type { Chunk, ExtractedDocument } from "../../domain/document.ts";
import { KnowledgeError } from "../../domain/errors.ts";
import type { Embed } from "../../embed/embed.ts";
import type { Log } from "../../observe/log.ts";
import type { IndexedChunk } from "../../store/store.ts";
import type { Report } from "./steps.ts";

export interface Analyser {
  readonly fingerprint: string;
  /** The terms of a text, in order, repeats kept. */
  terms(text: string): readonly string[];
}

export interface IndexerOptions {
  readonly chunks: ChunkOptions;
  readonly analyser: Analyser;
  readonly embed: Embed;
  readonly log: Log;
}

export interface IndexOptions {
  readonly signal: AbortSignal;
  readonly report: Report;
}

export interface Indexer {
  /** Of model, chunker and analyser: documents indexed under another one are stale. */
  readonly fingerprint: string;
  /** Without vectors when the model is unavailable: the document is then found by its words and embedded later. */
  index(document: ExtractedDocument, options: IndexOptions): Promise<readonly IndexedChunk[]>;
}

// Long enough to be worth a turn of the loop, short enough not to be felt.
const TURN_MS = 8;
// Texts handed to the model at once: enough to keep its threads busy, few enough that a short document does not
// wait for a book.
const BATCH = 128;

export function openIndexer({ chunks: size, analyser, embed, log }: IndexerOptions): Indexer {
  const analyse = async (texts: readonly string[], signal: AbortSignal) => {
    const terms: (readonly string[])[] = [];
    let turnEnds = performance.now() + TURN_MS;
    for (const text of texts) {
      terms.push(analyser.terms(text));
      if (performance.now() < turnEnds) continue;
      await letGo();
      signal.throwIfAborted();
      turnEnds = performance.now() + TURN_MS;
    }
    return terms;
  };

  const embedTexts = async (texts: readonly string[], options: PassageOptions) => {
    try {
      return await embed.passages(texts, options);
    } catch (error) {
      if (!(error instanceof KnowledgeError) || error.code !== "MODEL_UNAVAILABLE") throw error;
      log.warn("ingest.without-vectors", { reason: error.message });
      return undefined;
    }
  };

  return {
    fingerprint: [embed.fingerprint, chunkFingerprint(size), analyser.fingerprint].join("+"),
    async index(document, { signal, report }) {
      const tell = (at: number) =>
        report({
          stage: "embedding",
          label: "Generating embeddings",
          share: at / document.text.length,
        });
      // A word of the title counts twice: it says what the whole document is about.
      const titled = (text: string) => (document.title ? `${text}\n${document.title}` : text);
      const indexed: IndexedChunk[] = [];
      let hasModel = true;
      for (const batch of batches(chunks(document, size))) {
        const texts = batch.map((each) => searchText(each, document));
        tell(batch[0]?.start ?? 0);
        const onDone = (count: number) => tell(batch[count - 1]?.end ?? 0);
        // The words are analysed here while the model's threads are at work.
        const [vectors, terms]: Indexed = await Promise.all([
          hasModel ? embedTexts(texts, { signal, onDone }) : undefined,
          analyse(texts.map(titled), signal),
        ]);
        hasModel = vectors !== undefined;
        indexed.push(
          ...batch.map((each, i) => ({
            ...each,
            terms: terms[i] ?? [],
            ...vectorOf(vectors?.[i]),
          })),
        );
      }
      return hasModel ? indexed : indexed.map(({ vector: _, ...rest }) => rest);
    },
  };
}

function* batches(made: Iterable<Chunk>): Generator<readonly Chunk[]> {
  let batch: Chunk[] = [];
  for (const one of made) {
    batch.push(one);
    if (batch.length < BATCH) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

type Indexed = readonly [readonly Float32Array[] | undefined, readonly (readonly string[])[]];
type PassageOptions = Parameters<Embed["passages"]>[1];

function vectorOf(vector: Float32Array | undefined): Pick<IndexedChunk, "vector"> {
  return vector === undefined ? {} : { vector };
}
