// What we need to know of a model before loading it. For the user's own folder it is read from the files that
// sentence-transformers puts next to the weights:
//
//   config.json                      dimensions, vocabulary        1_Pooling/config.json         mean or first token
//   onnx/model[_quantized].onnx      the weights                   sentence_bert_config.json     longest input
//   tokenizer[_config].json          the tokeniser                 config_sentence_transformers.json   prompts
import { createHash, hash } from "node:crypto";
import { createReadStream } from "node:fs";
import { access, readFile } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { pipeline } from "node:stream/promises";
import { KnowledgeError } from "../../domain/errors.ts";
import { MINI_LM, ONNX_FILE } from "./weights.ts";

export interface ModelProfile {
  readonly model: string;
  readonly dimensions: number;
  readonly languages: "english" | "any";
  readonly fingerprint: string;
  readonly onnxFile: string;
  readonly pooling: "mean" | "first";
  readonly maxTokens: number;
  /** The prefixes that the model was trained with. */
  readonly prefixes: Readonly<Record<"query" | "passage", string>>;
  /** File → sha256, if the content is known in advance. */
  readonly files: Readonly<Record<string, string>>;
}

const MINI_LM_SHA256 = MINI_LM.files[ONNX_FILE] ?? "";

export const SHIPPED: ModelProfile = {
  model: MINI_LM.model,
  dimensions: MINI_LM.dimensions,
  languages: "english",
  fingerprint: `${MINI_LM.model}:${MINI_LM_SHA256.slice(0, 8)}`,
  onnxFile: ONNX_FILE,
  pooling: "mean",
  // The length it was trained on; longer input makes its vectors worse and runs slower.
  maxTokens: 256,
  prefixes: { query: "", passage: "" },
  files: MINI_LM.files,
};

const ONNX_FILES = [ONNX_FILE, "onnx/model.onnx", "model.onnx"];
const USUAL_MAX_TOKENS = 256;
/** Models of one language have about 30,000 word pieces; multilingual ones have several times that. */
const MANY_LANGUAGES = 60_000;

/** `files`: the checksums of its files, if they are known; they are then checked when the model is loaded. */
export async function describeModel(
  folder: string,
  files: ModelProfile["files"] = {},
): Promise<ModelProfile> {
  const config = (await readJson(folder, "config.json")) as Config | undefined;
  if (!config) throw unusable("config.json is missing");
  const dimensions = config.hidden_size ?? config.dim;
  if (!dimensions) throw unusable("config.json names no hidden_size");
  const onnxFile = await findWeights(folder);
  const sha256 = files[onnxFile] ?? (await sha256Of(join(folder, onnxFile)));
  if (sha256 === MINI_LM_SHA256) return SHIPPED;
  const name = config._name_or_path ?? "";
  const model = /^[\w.-]+\/[\w.-]+$/.test(name) ? name : basename(resolve(folder));
  const settings = await readEncodingSettings(folder, config);
  const print = hash("sha256", JSON.stringify([sha256, settings])).slice(0, 8);
  return {
    model,
    dimensions,
    languages: (config.vocab_size ?? 0) > MANY_LANGUAGES ? "any" : "english",
    fingerprint: `${model}:${print}`,
    onnxFile,
    ...settings,
    files,
  };
}

interface Config {
  readonly _name_or_path?: string;
  readonly hidden_size?: number;
  readonly dim?: number;
  readonly vocab_size?: number;
  readonly max_position_embeddings?: number;
}

type EncodingSettings = Pick<ModelProfile, "pooling" | "maxTokens" | "prefixes">;

/** The settings that determine how a text becomes a vector. */
async function readEncodingSettings(folder: string, config: Config): Promise<EncodingSettings> {
  const [pooling, limits, sentences] = (await Promise.all([
    readJson(folder, "1_Pooling/config.json"),
    readJson(folder, "sentence_bert_config.json"),
    readJson(folder, "config_sentence_transformers.json"),
  ])) as [
    { pooling_mode_cls_token?: boolean } | undefined,
    { max_seq_length?: number } | undefined,
    { prompts?: { query?: string; passage?: string; document?: string } } | undefined,
  ];
  // Two fewer, because some models count positions from two.
  const most = (config.max_position_embeddings ?? USUAL_MAX_TOKENS + 2) - 2;
  const { query = "", passage, document } = sentences?.prompts ?? {};
  return {
    pooling: pooling?.pooling_mode_cls_token ? "first" : "mean",
    maxTokens: Math.min(limits?.max_seq_length ?? USUAL_MAX_TOKENS, most),
    prefixes: { query, passage: passage ?? document ?? "" },
  };
}

export async function findWeights(folder: string): Promise<string> {
  for (const name of ONNX_FILES) {
    if (
      await access(join(folder, name)).then(
        () => true,
        () => false,
      )
    )
      return name;
  }
  throw unusable("onnx/model.onnx is missing");
}

export async function readJson(folder: string, name: string): Promise<unknown> {
  // Models lack different files; whoever needs this one says that it is missing.
  const text = await readFile(join(folder, name), "utf8").catch(() => undefined);
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    throw unusable(`${name} is not JSON`);
  }
}

export async function sha256Of(path: string): Promise<string> {
  const digest = createHash("sha256");
  await pipeline(createReadStream(path), digest);
  return digest.digest("hex");
}

function unusable(reason: string): KnowledgeError {
  return new KnowledgeError("MODEL_UNAVAILABLE", `The model's folder can't be used (${reason}).`);
}
