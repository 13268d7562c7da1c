// One loaded model: text → unit vector. `run` blocks its thread, so it lives in a worker.
import { join } from "node:path";
import type { InferenceSession, Tensor } from "onnxruntime-node";
import { toUnit } from "../unit.ts";
import type { ModelProfile } from "./profile.ts";
import { loadTokenizer } from "./tokenizer.ts";

export interface LoadedModel {
  embed(text: string): Promise<Float32Array>;
  release(): Promise<void>;
}

// One thread without spinning: two workers with one thread each embed more per CPU-second than any other split.
const SESSION: InferenceSession.SessionOptions = {
  // The package leaves out the GPU libraries.
  executionProviders: ["cpu"],
  intraOpNumThreads: 1,
  interOpNumThreads: 1,
  executionMode: "sequential",
  graphOptimizationLevel: "all",
  logSeverityLevel: 3,
  extra: { session: { intra_op: { allow_spinning: "0" } } },
};

// The name of the output if a model does the pooling itself.
const POOLED = "sentence_embedding";

export async function loadModel(modelDir: string, profile: ModelProfile): Promise<LoadedModel> {
  // This is a CommonJS package: bundled or not, its names are on the default export.
  const { default: runtime } = await import("onnxruntime-node");
  const { InferenceSession, Tensor } = runtime;
  const tokenizer = await loadTokenizer(modelDir);
  const session = await InferenceSession.create(join(modelDir, profile.onnxFile), SESSION);
  const { inputNames, outputNames } = session;
  const takesTypes = inputNames.includes("token_type_ids");
  const output = outputNames.includes(POOLED) ? POOLED : (outputNames[0] ?? "");

  return {
    async embed(text) {
      const ids = tokenizer.encode(text, profile.maxTokens);
      const shape = [1, ids.length];
      // One text per run, without padding: int8 activations are scaled over the whole batch, so neighbours and
      // padding would change the vector.
      const feeds = {
        input_ids: new Tensor("int64", BigInt64Array.from(ids, BigInt), shape),
        attention_mask: new Tensor("int64", new BigInt64Array(ids.length).fill(1n), shape),
        ...(takesTypes && {
          token_type_ids: new Tensor("int64", new BigInt64Array(ids.length), shape),
        }),
      };
      const result = (await session.run(feeds))[output] as Tensor;
      const hidden = result.data as Float32Array;
      if (output === POOLED) return toUnit(hidden.slice());
      return profile.pooling === "mean"
        ? toUnitMean(hidden, ids.length)
        : toUnit(hidden.slice(0, hidden.length / ids.length));
    },
    release: () => session.release(),
  };
}

function toUnitMean(hidden: Float32Array, tokens: number): Float32Array {
  const width = hidden.length / tokens;
  const mean = new Float32Array(width);
  for (let row = 0; row < hidden.length; row += width) {
    for (let at = 0; at < width; at++) mean[at] = (mean[at] ?? 0) + (hidden[row + at] ?? 0);
  }
  return toUnit(mean);
}
