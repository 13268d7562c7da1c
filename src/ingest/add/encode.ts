// The vectors of a document's chunks. The light encoder makes them at once, and the model replaces those it can improve:
// later, or here if `refine` is "before". Without the light encoder the model makes all of them here.
import { KnowledgeError } from "../../domain/errors.ts";
import type { Embed, Light } from "../../embed/embed.ts";
import type { Log } from "../../observe/log.ts";
import type { Encoding } from "../../store/store.ts";
import { openTurns } from "./turns.ts";

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

export interface Encoded {
  readonly vector?: Float32Array;
  readonly encoding?: Encoding;
}

export type Encode = (
  texts: readonly string[],
  options: EncodeOptions,
) => Promise<readonly Encoded[]>;

export interface EncodeParts {
  readonly embed: Embed;
  readonly refine: RefineWhen;
  readonly log: Log;
}

/** Opened once per document, so that an unavailable encoder is not tried again for each part. */
export async function openEncode({ embed, refine, log }: EncodeParts): Promise<Encode> {
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
      return texts.map((_, at) => (vectors?.[at] ? { vector: vectors[at] } : {}));
    };
  }
  return async (texts, { signal, onDone, known }) => {
    const quick = await encodeLightly(light, texts, { signal, known });
    if (refine === "after") return quick;
    const places = [...quick.keys()].filter((at) => quick[at]?.encoding === "waiting");
    const vectors = await byModel(
      places.map((at) => texts[at] ?? ""),
      { signal },
    );
    onDone(texts.length);
    if (!vectors) return quick;
    const refined = new Map(places.map((at, place) => [at, vectors[place]]));
    return quick.map((each, at) => toModel(refined.get(at)) ?? each);
  };
}

export async function loadLight(embed: Embed, log: Log): Promise<Light | undefined> {
  return embed.light && unlessUnavailable(embed.light.load(), log);
}

async function encodeLightly(
  light: Light,
  texts: readonly string[],
  { signal, known }: Pick<EncodeOptions, "signal" | "known">,
): Promise<readonly Encoded[]> {
  const encoded: Encoded[] = [];
  const turns = openTurns(signal);
  for (const text of texts) {
    const vector = light.encode(text);
    const encoder = light.encoderFor(text);
    const before = encoder === "model" ? toModel(known.get(text)) : undefined;
    encoded.push(before ?? toLight(vector, encoder === "model" ? "waiting" : "light"));
    await turns.pass();
  }
  return encoded;
}

function toModel(vector: Float32Array | undefined): Encoded | undefined {
  return vector && { vector, encoding: "model" };
}

/** Undefined for a zero vector, which has no direction. */
export function toLight(vector: Float32Array | undefined, encoding: Encoding): Encoded {
  return vector?.some((value) => value !== 0) ? { vector, encoding } : { encoding };
}

/** Undefined if the encoder is unavailable: the document is then found by its words and encoded later. */
export async function unlessUnavailable<Result>(
  made: Promise<Result>,
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
