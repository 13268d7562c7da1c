// The shipped table behind the embed room's port: its name is known without loading it; it is loaded once, when first
// needed.
import { type EncoderName, type LightEncoder, openLight } from "./light.ts";

/** Encodes synchronously, in the model's own space. */
export interface LightPort {
  /** Identifies the table; vectors made with another one are stale. */
  readonly fingerprint: string;
  /** Fails with MODEL_UNAVAILABLE if the table is missing or damaged. */
  load(): Promise<Light & LightPieces>;
}

/** For a reader that works piece by piece. */
export type LightPieces = Pick<LightEncoder, "locate" | "copyRow">;

export type Light = Omit<LightEncoder, "pieces" | keyof LightPieces>;

export type { EncoderName };

/** The hash of models/light/light.bin, stored because hashing it at every start would take as long as loading it. */
export const LIGHT_SHA256 = "e85d3659b241eb09a40795630e76bb68c14ef966bc3fe4b5a015252261c5bb68";

/** Increase it whenever `encoderFor` decides differently. */
const RULE_VERSION = 1;

export function openLightPort(folder: string): LightPort {
  let loading: Promise<Light & LightPieces> | undefined;
  return {
    fingerprint: `light:${LIGHT_SHA256.slice(0, 8)}/${RULE_VERSION}`,
    load() {
      // A failure is not cached, because the file may come back.
      loading ??= openLight(folder).catch((error: unknown) => {
        loading = undefined;
        throw error;
      });
      return loading;
    },
  };
}
