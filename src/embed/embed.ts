// The port: text → unit vectors. A text's vector never depends on what else is embedded with it.

export interface Embed {
  readonly model: string;
  readonly dimensions: number;
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
