// Extracted text → chunks with their terms and vectors. Yields to the event loop between chunks: analysing a book in one
// go would block every other call.

import { setImmediate as yieldToLoop } from "node:timers/promises";
import { chunkFingerprint, chunks, searchText } from "../../chunk/chunk.ts";
import { defined } from "../../domain/defined.ts";
import type { ExtractedDocument } from "../../domain/document.ts";
import { KnowledgeError } from "../../domain/errors.ts";
import { toMessage } from "../../domain/phrases/messages.ts";
import type { Embed, Light } from "../../embed/embed.ts";
import type { Log } from "../../observe/log.ts";
import type { Encoding, IndexedChunk, NewDocument } from "../../store/store.ts";
import type { IngestOptions } from "../ingest.ts";
import type { Report } from "./add-document.ts";

export interface Analyser {
  readonly fingerprint: string;
  /** The terms of a text, in order, with repeats. */
  terms(text: string): readonly string[];
}

type IndexerOptions = EncodeParts & Pick<IngestOptions, "chunks" | "analyser">;

interface IndexOptions {
  readonly signal: AbortSignal;
  readonly report: Report;
  /** The document's name, which is searchable through its first chunk. */
  readonly name: string;
  readonly known?: KnownVectors;
}

export interface Indexer {
  /** Fingerprint of model, chunker, analyser and light encoder; documents with another one are stale. */
  readonly under: Pick<NewDocument, "fingerprint">;
  /** Without vectors if no encoder is available: the document is then found by its words and encoded later. */
  index(document: ExtractedDocument, options: IndexOptions): Promise<readonly IndexedChunk[]>;
}

// Batch size: enough to keep the model's threads busy, few enough that a short document does not
// wait for a book.
const BATCH = 128;
const NONE: KnownVectors = new Map();

export function openIndexer(options: IndexerOptions): Indexer {
  const { chunks: size, analyser, embed } = options;
  const light = embed.light ? [embed.light.fingerprint] : [];
  const parts = [embed.fingerprint, chunkFingerprint(size), analyser.fingerprint, ...light];
  return {
    under: { fingerprint: parts.join("+") },
    async index(document, { signal, report, name, known = NONE }) {
      const label = toMessage("embedding");
      const { length } = document.text;
      const reportAt = (at: number) => report({ stage: "embedding", label, share: at / length });
      const indexed: IndexedChunk[] = [];
      const encode = await openEncode(options);
      const all = await mapInTurns(chunks(document, size), signal, (chunk) => chunk);
      for (let first = 0; first < all.length; first += BATCH) {
        const batch = all.slice(first, first + BATCH);
        const texts = batch.map((each) => searchText(each, document));
        reportAt(batch[0]?.start ?? 0);
        const onDone = (count: number) => reportAt(batch[count - 1]?.end ?? 0);
        const worded = texts.map((text, at) =>
          wordedText(text, document, batch[at]?.ordinal ? "" : name),
        );
        // Words are analysed on this thread while the model's threads work.
        const [encoded, terms] = await Promise.all([
          encode(texts, { signal, onDone, known }),
          mapInTurns(worded, signal, (text) => analyser.terms(text)),
        ]);
        for (const [at, each] of batch.entries())
          indexed.push({ ...each, terms: terms[at] ?? [], ...encoded[at] });
      }
      return indexed;
    },
  };
}

/** Words of the title count twice, because the title describes the whole document. */
function wordedText(text: string, { title }: ExtractedDocument, name: string): string {
  const titled = title ? `${text}\n${title}` : text;
  return name ? `${titled}\n${name}` : titled;
}

// The vectors of a document's chunks. The light encoder makes them at once, and the model replaces those it can improve:
// later, or here if `refine` is "before". Without the light encoder the model makes all of them here.

/** When the model encodes new documents: after they are findable, or before their task completes. */
export type RefineWhen = "after" | "before";

interface EncodeOptions {
  readonly signal: AbortSignal;
  /** How many texts are done. */
  readonly onDone: (count: number) => void;
  /** The model's vectors for texts that it has already encoded. */
  readonly known: KnownVectors;
}

export type KnownVectors = ReadonlyMap<string, Float32Array>;

interface Encoded {
  readonly vector?: Float32Array;
  readonly encoding?: Encoding;
}

type Encode = (texts: readonly string[], options: EncodeOptions) => Promise<readonly Encoded[]>;

type EncodeParts = Pick<IngestOptions, "embed" | "refine" | "log">;

/** Opened once per document, so that an unavailable encoder is not tried again for each part. */
async function openEncode({ embed, refine, log }: EncodeParts): Promise<Encode> {
  const state = { hasModel: true };
  const light = await loadLight(embed, log);
  const byModel = async (texts: readonly string[], options: Pick<EncodeOptions, "signal">) => {
    if (!state.hasModel || texts.length === 0) return undefined;
    const vectors = await unlessUnavailable(embed.passages(texts, options), log);
    state.hasModel = vectors !== undefined;
    return vectors;
  };
  if (!light) {
    return async (texts, options) => {
      const vectors = await byModel(texts, options);
      return texts.map((_, at) => defined({ vector: vectors?.[at] }));
    };
  }
  return async (texts, { signal, onDone, known }) => {
    const quick = await encodeLightly(light, texts, { signal, known });
    if (refine === "after") return quick;
    const places = [...quick.keys()].filter((at) => quick[at]?.encoding === "waiting");
    const waiting = places.map((at) => texts[at] ?? "");
    const vectors = await byModel(waiting, { signal });
    onDone(texts.length);
    if (!vectors) return quick;
    const refined = new Map(places.map((at, place) => [at, vectors[place]]));
    return quick.map((each, at) => toModel(refined.get(at)) ?? each);
  };
}

async function loadLight(embed: Embed, log: Log): Promise<Light | undefined> {
  return embed.light && unlessUnavailable(embed.light.load(), log);
}

function encodeLightly(
  light: Light,
  texts: readonly string[],
  { signal, known }: Pick<EncodeOptions, "signal" | "known">,
): Promise<readonly Encoded[]> {
  return mapInTurns(texts, signal, (text) => {
    const vector = light.encode(text);
    if (light.encoderFor(text) === "light") return toLight(vector, "light");
    return toModel(known.get(text)) ?? toLight(vector, "waiting");
  });
}

function toModel(vector: Float32Array | undefined): Encoded | undefined {
  return vector && { vector, encoding: "model" };
}

/** Undefined for a zero vector, which has no direction. */
function toLight(vector: Float32Array | undefined, encoding: Encoding): Encoded {
  return vector?.some((value) => value !== 0) ? { vector, encoding } : { encoding };
}

/** Undefined if the encoder is unavailable: the document is then found by its words and encoded later. */
export async function unlessUnavailable<Result>(
  made: Result | Promise<Result>,
  log: Log,
): Promise<Result | undefined> {
  try {
    return await made;
  } catch (error) {
    if (!(error instanceof KnowledgeError) || error.code !== "MODEL_UNAVAILABLE") throw error;
    log.warn("ingest.encoder-unavailable", { reason: error.message });
    return undefined;
  }
}

// Much longer than a turn of the event loop itself. It is no longer than this because several documents are processed
// at once, with two such jobs each, and the event loop waits for a turn of every job.
const TURN_MS = 4;

/** Splits long work on the main thread into turns, so other calls are served in between. */
async function mapInTurns<Item, Result>(
  items: Iterable<Item>,
  signal: AbortSignal,
  map: (item: Item) => Result,
): Promise<readonly Result[]> {
  const made: Result[] = [];
  let endsAt = performance.now() + TURN_MS;
  for (const item of items) {
    made.push(map(item));
    if (performance.now() < endsAt) continue;
    await yieldToLoop();
    signal.throwIfAborted();
    endsAt = performance.now() + TURN_MS;
  }
  return made;
}
