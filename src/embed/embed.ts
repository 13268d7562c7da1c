// The port: text → unit vectors. A text's vector never depends on what else is embedded with it.
import { KnowledgeError, toKnowledgeError } from "../domain/errors.ts";
import { type EndpointEmbedOptions, openEndpointEmbed } from "./endpoint.ts";
import type { LightPort } from "./light/port.ts";
import { type LocalEmbedOptions, openLocalEmbed } from "./onnx/local.ts";
import { describeModel } from "./onnx/profile.ts";

export type { EncoderName, Light, LightPieces } from "./light/port.ts";
export { sha256Of } from "./onnx/profile.ts";
export { dot } from "./unit-vectors.ts";

export interface Embed {
  readonly model: string;
  readonly dimensions: number;
  /** What the model was trained on; for other text its vectors mean little. */
  readonly languages: "english" | "any";
  /**
   * Identifies the model and its weights, and so the space of its vectors; data embedded under another one is stale.
   */
  readonly fingerprint: string;
  /** Encodes many languages into the same space; absent if the model has a different space. */
  readonly light?: LightPort;
  /** Takes precedence over waiting passages. */
  query(text: string, signal?: AbortSignal): Promise<Float32Array>;
  /** In the order given. `onDone` gets the number of finished texts. */
  passages(
    texts: readonly string[],
    options?: { readonly signal?: AbortSignal; readonly onDone?: (count: number) => void },
  ): Promise<readonly Float32Array[]>;
  /** The cosine of texts that have nothing in common: about 0 for some models, .7 for others. */
  unrelatedCosine(): Promise<number>;
  /** `failed`: the model can't be used; the light encoder replaces it, or search uses keywords only. */
  state(): EmbedState;
  close(): Promise<void>;
}

export type EmbedState =
  | { readonly kind: "cold" | "loading" | "ready" }
  | { readonly kind: "failed"; readonly reason: string };

export type EmbedOptions = LocalEmbedOptions | EndpointEmbedOptions;

/** Nothing is loaded or called before the first text. */
export function openEmbed(options: EmbedOptions): Embed {
  return options.kind === "local" ? openLocalEmbed(options) : openEndpointEmbed(options);
}

/** The part of the configuration that embedding needs. */
export interface EmbedConfig {
  readonly embedUrl?: string | undefined;
  readonly embedModel?: string | undefined;
  readonly embedKey?: string | undefined;
  readonly modelDir?: string | undefined;
}

/** A model in a folder whose content is known. */
export interface KnownModel {
  readonly folder: string;
  /** File → sha256, checked before the model is used. */
  readonly files: Readonly<Record<string, string>>;
}

export type EmbedParts = Pick<EndpointEmbedOptions, "traceHeaders" | "log"> &
  Pick<LocalEmbedOptions, "lightDir" | "workerUrl"> & {
    /** The shipped model. */
    readonly modelDir: string;
  };

// Each keeps a core busy.
const WORKERS = 2;
const IDLE_MS = 5 * 60_000;

/** The endpoint or the folder that is configured, else the chosen model, else the shipped one. */
export async function chooseEmbed(
  config: EmbedConfig,
  parts: EmbedParts,
  chosen?: KnownModel,
): Promise<Embed> {
  const { embedUrl: url, embedModel: model, embedKey: key, modelDir = chosen?.folder } = config;
  if (url === undefined) {
    const shipped = { ...parts, kind: "local", workers: WORKERS, idleMs: IDLE_MS } as const;
    if (modelDir === undefined) return openEmbed(shipped);
    const files = config.modelDir === undefined ? chosen?.files : undefined;
    return openOwnEmbed({ ...shipped, modelDir }, files);
  }
  if (model === undefined) {
    throw new KnowledgeError("CONFIG_INVALID", "KNOWLEDGE_EMBED_URL needs KNOWLEDGE_EMBED_MODEL.");
  }
  const { traceHeaders, log } = parts;
  return openEmbed({ kind: "endpoint", url, model, key, traceHeaders, log });
}

/** The model in the user's folder. An unusable folder gives a port that reports why: search works by keyword. */
export async function openOwnEmbed(
  options: LocalEmbedOptions,
  files?: KnownModel["files"],
): Promise<Embed> {
  try {
    return openLocalEmbed({ ...options, profile: await describeModel(options.modelDir, files) });
  } catch (thrown) {
    const error = toKnowledgeError(thrown);
    options.log.error("embed.unavailable", { reason: error.message });
    return openFailedEmbed(error);
  }
}

function openFailedEmbed(error: KnowledgeError): Embed {
  const refuse = () => Promise.reject(error);
  return {
    model: "none",
    dimensions: 0,
    languages: "any",
    fingerprint: "none",
    query: refuse,
    passages: refuse,
    unrelatedCosine: refuse,
    state: () => ({ kind: "failed", reason: error.message }),
    close: async () => {},
  };
}
