// One loaded model: text → unit vector, or two texts → score. `run` blocks its thread, so it lives in a worker.
import { join } from "node:path";
import type { InferenceSession, Tensor } from "onnxruntime-node";
import { toUnit } from "../unit-vectors.ts";
import { findWeights, type ModelProfile, readJson } from "./profile.ts";
import { loadTokenizer } from "./tokenizer.ts";
import type { ModelInput } from "./worker.ts";

export interface LoadedModel {
  /** A unit vector, or one score. */
  run(input: ModelInput): Promise<Float32Array>;
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

export async function loadEncoder(modelDir: string, profile: ModelProfile): Promise<LoadedModel> {
  const { onnxFile, maxTokens, pooling } = profile;
  const { session, tokenizer, toTensor } = await load(modelDir, onnxFile);
  const { inputNames, outputNames } = session;
  const output = outputNames.includes(POOLED) ? POOLED : (outputNames[0] ?? "");
  return {
    async run({ text }) {
      const ids = tokenizer.encode(text, maxTokens);
      // One text per run, without padding: int8 activations are scaled over the whole batch, so neighbours and
      // padding would change the vector.
      const hidden = await run(session, output, {
        input_ids: toTensor(ids),
        attention_mask: toTensor(ids.map(() => 1)),
        ...(inputNames.includes("token_type_ids") && {
          token_type_ids: toTensor(ids.map(() => 0)),
        }),
      });
      if (output === POOLED) return toUnit(hidden.slice());
      return pooling === "mean"
        ? toUnitMean(hidden, ids.length)
        : toUnit(hidden.slice(0, hidden.length / ids.length));
    },
    release: () => session.release(),
  };
}

const MAX_PAIR_TOKENS = 512;

export async function loadCrossEncoder(modelDir: string): Promise<LoadedModel> {
  const config = (await readJson(modelDir, "config.json")) as Config | undefined;
  if (!config) throw new Error("config.json is missing");
  const maxTokens = Math.min(MAX_PAIR_TOKENS, config.max_position_embeddings ?? MAX_PAIR_TOKENS);
  const { session, tokenizer, toTensor } = await load(modelDir, await findWeights(modelDir));
  return {
    async run({ text, other = "" }) {
      const { ids, types } = tokenizer.encodePair(text, other, maxTokens);
      const inputs: Record<string, Tensor> = {
        input_ids: toTensor(ids),
        attention_mask: toTensor(ids.map(() => 1)),
        token_type_ids: toTensor(types),
      };
      const wanted = session.inputNames.map((name) => [name, inputs[name]] as const);
      const feeds = Object.fromEntries(wanted) as Record<string, Tensor>;
      const [first, second] = await run(session, session.outputNames[0] ?? "", feeds);
      // A single number is the score; of two, the score is how far "relevant" is above "not relevant".
      return Float32Array.of(Number(second === undefined ? first : second - Number(first)));
    },
    release: () => session.release(),
  };
}

interface Config {
  readonly max_position_embeddings?: number;
}

async function load(modelDir: string, onnxFile: string) {
  // This is a CommonJS package: bundled or not, its names are on the default export.
  const { default: runtime } = await import("onnxruntime-node");
  const { InferenceSession, Tensor } = runtime;
  const tokenizer = await loadTokenizer(modelDir);
  const session = await InferenceSession.create(join(modelDir, onnxFile), SESSION);
  const toTensor = (values: readonly number[]) =>
    new Tensor("int64", BigInt64Array.from(values, BigInt), [1, values.length]);
  return { session, tokenizer, toTensor };
}

async function run(session: InferenceSession, output: string, feeds: Record<string, Tensor>) {
  return (await session.run(feeds))[output]?.data as Float32Array;
}

function toUnitMean(hidden: Float32Array, tokens: number): Float32Array {
  const width = hidden.length / tokens;
  const mean = new Float32Array(width);
  for (let row = 0; row < hidden.length; row += width) {
    for (let at = 0; at < width; at++) mean[at] = (mean[at] ?? 0) + (hidden[row + at] ?? 0);
  }
  return toUnit(mean);
}
