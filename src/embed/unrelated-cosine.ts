// Measures a model's cosine on unrelated texts, because its meaning differs from model to model.
import type { Embed } from "./embed.ts";
import { dot } from "./unit-vectors.ts";

const UNRELATED = [
  "The invoice is due thirty days after delivery.",
  "Whales breathe through a hole on top of their heads.",
  "Restart the router if the lamp stays red.",
  "The choir sang in the old cathedral on Sunday evening.",
  "Whisk the eggs with sugar until the mixture is pale.",
  "A quadratic equation has at most two real roots.",
  "The striker scored twice in the final minutes of the match.",
  "Glaciers carve deep valleys as they move downhill.",
];

/** Measured on first use, and again after a failure. */
export function openUnrelatedCosine(passages: Embed["passages"]): () => Promise<number> {
  let measured: Promise<number> | undefined;
  return () => {
    measured ??= passages(UNRELATED)
      .then(meanCosine)
      .catch((error: unknown) => {
        measured = undefined;
        throw error;
      });
    return measured;
  };
}

function meanCosine(vectors: readonly Float32Array[]): number {
  let [sum, pairs] = [0, 0];
  for (const [at, a] of vectors.entries()) {
    for (const b of vectors.slice(at + 1)) {
      sum += dot(a, b);
      pairs++;
    }
  }
  return Math.max(0, sum / pairs);
}
