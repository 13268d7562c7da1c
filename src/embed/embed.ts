// The port: text → unit vectors. A text's vector never depends on what else is embedded with it.
import { type EndpointEmbedOptions, openEndpointEmbed } from "./endpoint.ts";
import { type LocalEmbedOptions, openLocalEmbed } from "./local.ts";

export interface Embed {
  readonly model: string;
  readonly dimensions: number;
  /** What the model was trained on: outside of it its vectors say little. */
  readonly languages: "english" | "any";
  /** Names model and weights; data embedded under another one is stale. */
  readonly fingerprint: string;
  /** Goes before waiting passages. */
  query(text: string, signal?: AbortSignal): Promise<Float32Array>;
  /** In the order given. `onDone` is told how many are ready. */
  passages(
    texts: readonly string[],
    options?: { readonly signal?: AbortSignal; readonly onDone?: (count: number) => void },
  ): Promise<readonly Float32Array[]>;
  /** `failed`: the model can't be used; search goes on lexically. */
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
