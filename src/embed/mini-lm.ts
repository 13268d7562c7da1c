// One loaded model: text → unit vector. `run` blocks its thread, so it lives in a worker.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { env } from "node:process";
import type { InferenceSession } from "onnxruntime-node";
import { toUnit } from "./unit.ts";
import { ONNX_FILE, TOKENIZER_FILE } from "./weights.ts";
import { toWordPiece } from "./wordpiece.ts";

export interface LoadedModel {
  embed(text: string): Promise<Float32Array>;
  release(): Promise<void>;
}

// What the model was trained on; longer input makes its vectors worse and its run slower.
const MAX_TOKENS = 256;

// One thread that does not spin: two workers with a thread each embed more per CPU-second than any other split.
const SESSION: InferenceSession.SessionOptions = {
  intraOpNumThreads: 1,
  interOpNumThreads: 1,
  executionMode: "sequential",
  graphOptimizationLevel: "all",
  logSeverityLevel: 3,
  extra: { session: { intra_op: { allow_spinning: "0" } } },
};

export async function loadModel(modelDir: string): Promise<LoadedModel> {
  // Unless told otherwise, the runtime reports each session to its maker over the network. It looks once, when it is
  // loaded, and at the process's own environment, which is why the worker shares it.
  env["ORT_DISABLE_TELEMETRY"] = "1";
  const { InferenceSession, Tensor } = await import("onnxruntime-node");
  const tokenizer = toWordPiece(await readFile(join(modelDir, TOKENIZER_FILE), "utf8"));
  const session = await InferenceSession.create(join(modelDir, ONNX_FILE), SESSION);
  const output = session.outputNames[0] ?? "last_hidden_state";

  return {
    async embed(text) {
      const ids = tokenizer.encode(text, MAX_TOKENS);
      const shape = [1, ids.length];
      // One text a run, unpadded: int8 activations are scaled over the whole batch, so neighbours and padding
      // would change the vector.
      const feeds = {
        input_ids: new Tensor("int64", BigInt64Array.from(ids, BigInt), shape),
        attention_mask: new Tensor("int64", new BigInt64Array(ids.length).fill(1n), shape),
        token_type_ids: new Tensor("int64", new BigInt64Array(ids.length), shape),
      };
      const hidden = (await session.run(feeds))[output];
      return toUnitMean(hidden?.data as Float32Array, ids.length);
    },
    release: () => session.release(),
  };
}

export function toUnitMean(hidden: Float32Array, tokens: number): Float32Array {
  const width = hidden.length / tokens;
  const mean = new Float32Array(width);
  for (let row = 0; row < hidden.length; row += width) {
    for (let at = 0; at < width; at++) mean[at] = (mean[at] ?? 0) + (hidden[row + at] ?? 0);
  }
  return toUnit(mean);
}
