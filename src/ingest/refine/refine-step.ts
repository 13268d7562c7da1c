// One step: encodes some claimed chunks with the encoder that reads them best.
import { searchText } from "../../chunk/chunk.ts";
import type { Embed, Light } from "../../embed/embed.ts";
import type { Log } from "../../observe/log.ts";
import type {
  ClaimedChunk,
  ClaimedDocument,
  RefinedChunk,
  RefinedDocument,
} from "../../store/store.ts";
import { toLight, unlessUnavailable } from "../add/encode.ts";

export interface StepParts {
  readonly embed: Embed;
  readonly light: Light;
  readonly signal: AbortSignal;
  readonly log: Log;
}

export interface Step {
  readonly documents: readonly RefinedDocument[];
  /** False if the model is unavailable; chunks for the model are then left unchanged. */
  readonly hasModel: boolean;
}

interface Read {
  readonly chunk: ClaimedChunk;
  readonly text: string;
  readonly encoder: "model" | "light";
}

export async function refineStep(
  claimed: readonly ClaimedDocument[],
  parts: StepParts,
): Promise<Step> {
  const { embed, light, signal, log } = parts;
  const read = new Map<number, Read>();
  for (const document of claimed) {
    for (const chunk of document.chunks) {
      const text = searchText(chunk, document);
      read.set(chunk.key, { chunk, text, encoder: light.encoderFor(text) });
    }
  }
  const texts = [...read.values()].filter(isForModel);
  const vectors =
    texts.length === 0
      ? []
      : await unlessUnavailable(
          embed.passages(
            texts.map(({ text }) => text),
            { signal },
          ),
          log,
        );
  const made = new Map(texts.map(({ chunk }, at) => [chunk.key, vectors?.[at]]));
  const documents = claimed.map(({ id, chunks }) => ({
    id,
    chunks: chunks.flatMap(({ key }) => settled(read.get(key) as Read, made.get(key), light)),
  }));
  return { documents, hasModel: vectors !== undefined };
}

function isForModel({ chunk, encoder }: Read): boolean {
  return encoder === "model" && chunk.madeBy !== "model";
}

function settled(
  { chunk, text, encoder }: Read,
  vector: Float32Array | undefined,
  light: Light,
): readonly RefinedChunk[] {
  const { key, madeBy, isUnchecked } = chunk;
  if (encoder === "light") return [{ key, ...toRefined(light, text, "light") }];
  if (madeBy === "model") return [{ key, encoding: "model" }];
  if (vector) return [{ key, encoding: "model", vector }];
  // Marked as waiting until the model is available.
  return isUnchecked ? [{ key, ...toRefined(light, text, "waiting") }] : [];
}

function toRefined(light: Light, text: string, encoding: "light" | "waiting") {
  const { vector } = toLight(light.encode(text), encoding);
  return vector ? { encoding, vector } : { encoding };
}
