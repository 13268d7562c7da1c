// The shipped table behind the embed room's port: its name is known without loading it; it is loaded once, when first
// needed.
import { setImmediate as letGo } from "node:timers/promises";
import { type EncoderName, type LightEncoder, openLight } from "./light.ts";

/** Encodes at once, in the model's own space. */
export interface LightPort {
  /** Names the table; vectors made with another one are stale. */
  readonly fingerprint: string;
  /** MODEL_UNAVAILABLE when the table is missing or damaged. */
  load(): Promise<Light>;
}

export interface Light
  extends Pick<LightEncoder, "dimensions" | "encode" | "encoderFor" | "information" | "compare"> {
  /** In the order given; the event loop is let go between them. */
  passages(texts: readonly string[], signal?: AbortSignal): Promise<readonly Float32Array[]>;
}

export type { EncoderName };

/** Of models/light/light.bin: hashing it at every start would take as long as loading it. */
export const LIGHT_SHA256 = "e85d3659b241eb09a40795630e76bb68c14ef966bc3fe4b5a015252261c5bb68";

/** Counts the changes of how `encoderFor` decides. */
const READER_RULE = 1;
// Long enough to be worth a turn of the loop, short enough not to be felt.
const TURN_MS = 8;

export function openLightPort(folder: string): LightPort {
  let loading: Promise<Light> | undefined;
  return {
    fingerprint: `light:${LIGHT_SHA256.slice(0, 8)}/${READER_RULE}`,
    load() {
      // A failure is not kept: the file may come back.
      loading ??= openLight(folder)
        .then(toLight)
        .catch((error: unknown) => {
          loading = undefined;
          throw error;
        });
      return loading;
    },
  };
}

function toLight(encoder: LightEncoder): Light {
  return {
    dimensions: encoder.dimensions,
    encode: encoder.encode,
    encoderFor: encoder.encoderFor,
    information: encoder.information,
    compare: encoder.compare,
    async passages(texts, signal) {
      const vectors: Float32Array[] = [];
      let turnEnds = performance.now() + TURN_MS;
      for (const text of texts) {
        vectors.push(encoder.encode(text));
        if (performance.now() < turnEnds) continue;
        await letGo();
        signal?.throwIfAborted();
        turnEnds = performance.now() + TURN_MS;
      }
      return vectors;
    },
  };
}
