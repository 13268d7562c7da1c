// Extracted text → chunks with their terms and vectors. Yields to the event loop between chunks: analysing a book in one
// go would block every other call.

import { type ChunkOptions, chunkFingerprint, chunks, searchText } from "../../chunk/chunk.ts";
import type { Chunk, ExtractedDocument } from "../../domain/document.ts";
import { toMessage } from "../../domain/phrases/messages.ts";
import type { Embed } from "../../embed/embed.ts";
import type { Log } from "../../observe/log.ts";
import type { IndexedChunk, NewDocument } from "../../store/store.ts";
import { type KnownVectors, openEncode, type RefineWhen } from "./encode.ts";
import type { Report } from "./steps.ts";
import { openTurns } from "./turns.ts";

export interface Analyser {
  readonly fingerprint: string;
  /** The terms of a text, in order, with repeats. */
  terms(text: string): readonly string[];
}

export interface IndexerOptions {
  readonly chunks: ChunkOptions;
  readonly analyser: Analyser;
  readonly embed: Embed;
  readonly refine: RefineWhen;
  readonly log: Log;
}

interface IndexOptions {
  readonly signal: AbortSignal;
  readonly report: Report;
  /** The document's name, which is searchable through its first chunk. */
  readonly name: string;
  readonly known?: KnownVectors;
}

export interface Indexer {
  /** Fingerprint of model, chunker and analyser; documents with another one are stale. */
  readonly under: Pick<NewDocument, "fingerprint" | "encoders">;
  /** Without vectors if no encoder is available: the document is then found by its words and encoded later. */
  index(document: ExtractedDocument, options: IndexOptions): Promise<readonly IndexedChunk[]>;
}

// Batch size: enough to keep the model's threads busy, few enough that a short document does not
// wait for a book.
const BATCH = 128;
const NONE: KnownVectors = new Map();

export function openIndexer(options: IndexerOptions): Indexer {
  const { chunks: size, analyser, embed } = options;
  const fingerprint = [embed.fingerprint, chunkFingerprint(size), analyser.fingerprint].join("+");
  return {
    under: { fingerprint, ...(embed.light ? { encoders: embed.light.fingerprint } : {}) },
    async index(document, { signal, report, name, known = NONE }) {
      const reportAt = (at: number) =>
        report({
          stage: "embedding",
          label: toMessage("embedding"),
          share: at / document.text.length,
        });
      const indexed: IndexedChunk[] = [];
      const encode = await openEncode(options);
      for await (const batch of batches(chunks(document, size), signal)) {
        const texts = batch.map((each) => searchText(each, document));
        reportAt(batch[0]?.start ?? 0);
        const onDone = (count: number) => reportAt(batch[count - 1]?.end ?? 0);
        const worded = texts.map((text, at) =>
          wordedText(text, { chunk: batch[at], document, name }),
        );
        // Words are analysed on this thread while the model's threads work.
        const [encoded, terms] = await Promise.all([
          encode(texts, { signal, onDone, known }),
          analyse(worded, analyser, signal),
        ]);
        for (const [at, each] of batch.entries())
          indexed.push({ ...each, terms: terms[at] ?? [], ...encoded[at] });
      }
      return indexed;
    },
  };
}

interface Worded {
  readonly chunk: Chunk | undefined;
  readonly document: ExtractedDocument;
  readonly name: string;
}

/** Words of the title count twice, because the title describes the whole document. */
function wordedText(text: string, { chunk, document, name }: Worded): string {
  const titled = document.title ? `${text}\n${document.title}` : text;
  return chunk?.ordinal === 0 ? `${titled}\n${name}` : titled;
}

async function analyse(texts: readonly string[], analyser: Analyser, signal: AbortSignal) {
  const terms: (readonly string[])[] = [];
  const turns = openTurns(signal);
  for (const text of texts) {
    terms.push(analyser.terms(text));
    await turns.pass();
  }
  return terms;
}

/** Yields to the event loop in between, because chunks are cut one at a time and a row or paragraph may be long. */
async function* batches(
  made: Iterable<Chunk>,
  signal: AbortSignal,
): AsyncGenerator<readonly Chunk[]> {
  let batch: Chunk[] = [];
  const turns = openTurns(signal);
  for (const one of made) {
    batch.push(one);
    await turns.pass();
    if (batch.length < BATCH) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
