// The models that `models get` can fetch, and how each is used. Sizes are those of the files that are fetched.

export interface ListedModel {
  readonly name: string;
  readonly kind: "embedding" | "reranker";
  /** On the hub. */
  readonly repository: string;
  readonly licence: string;
  readonly megabytes: number;
  readonly languages: string;
  /** The weights on the hub, and files that belong to them. */
  readonly weights: readonly [string, ...string[]];
  readonly pooling?: "mean" | "first";
  /** Put before each text; the model was trained with them. */
  readonly prefixes?: Readonly<Record<"query" | "passage", string>>;
}

const QUANTIZED = "onnx/model_quantized.onnx";
const NO_PREFIXES = { query: "", passage: "" };

const EMBEDDINGS: readonly Omit<ListedModel, "kind">[] = [
  {
    name: "multilingual-e5-small",
    repository: "Xenova/multilingual-e5-small",
    licence: "MIT",
    megabytes: 135,
    languages: "about 100",
    weights: [QUANTIZED],
    pooling: "mean",
    prefixes: { query: "query: ", passage: "passage: " },
  },
  {
    name: "granite-97m-multilingual",
    repository: "onnx-community/granite-embedding-97m-multilingual-r2-ONNX",
    licence: "Apache-2.0",
    megabytes: 120,
    languages: "over 50",
    weights: [QUANTIZED],
    pooling: "first",
    prefixes: NO_PREFIXES,
  },
  {
    name: "ruri-v3-30m",
    repository: "sirasagi62/ruri-v3-30m-ONNX",
    licence: "Apache-2.0",
    megabytes: 45,
    languages: "Japanese",
    weights: [QUANTIZED],
    pooling: "mean",
    prefixes: { query: "検索クエリ: ", passage: "検索文書: " },
  },
  {
    name: "gte-multilingual-base",
    repository: "onnx-community/gte-multilingual-base",
    licence: "Apache-2.0",
    megabytes: 360,
    languages: "over 70",
    weights: [QUANTIZED],
    pooling: "first",
    prefixes: NO_PREFIXES,
  },
  {
    name: "snowflake-arctic-m-v2",
    repository: "Snowflake/snowflake-arctic-embed-m-v2.0",
    licence: "Apache-2.0",
    megabytes: 330,
    languages: "over 70",
    weights: [QUANTIZED],
    pooling: "first",
    prefixes: { query: "query: ", passage: "" },
  },
  {
    name: "embeddinggemma-300m",
    repository: "onnx-community/embeddinggemma-300m-ONNX",
    licence: "Gemma terms of use",
    megabytes: 330,
    languages: "over 100",
    weights: [QUANTIZED, `${QUANTIZED}_data`],
    pooling: "mean",
    prefixes: { query: "task: search result | query: ", passage: "title: none | text: " },
  },
  {
    name: "bge-m3",
    repository: "Xenova/bge-m3",
    licence: "MIT",
    megabytes: 590,
    languages: "over 100",
    weights: [QUANTIZED],
    pooling: "first",
    prefixes: NO_PREFIXES,
  },
];

const RERANKERS: readonly Omit<ListedModel, "kind">[] = [
  {
    name: "japanese-reranker-xsmall-v2",
    repository: "hotchpotch/japanese-reranker-xsmall-v2",
    licence: "MIT",
    megabytes: 45,
    languages: "Japanese",
    weights: ["onnx/model_qint8_avx2.onnx"],
  },
  {
    name: "bge-reranker-base",
    repository: "Xenova/bge-reranker-base",
    licence: "MIT",
    megabytes: 300,
    languages: "English, Chinese",
    weights: [QUANTIZED],
  },
  {
    name: "bge-reranker-v2-m3",
    repository: "onnx-community/bge-reranker-v2-m3-ONNX",
    licence: "Apache-2.0",
    megabytes: 590,
    languages: "over 100",
    weights: [QUANTIZED],
  },
];

const ofKind = (kind: ListedModel["kind"], all: readonly Omit<ListedModel, "kind">[]) =>
  all.map((each) => [each.name, { ...each, kind }] as const);

export const CATALOGUE: ReadonlyMap<string, ListedModel> = new Map([
  ...ofKind("embedding", EMBEDDINGS),
  ...ofKind("reranker", RERANKERS),
]);

const MEGABYTE = 1024 * 1024;
/** Tokenisers of models for a hundred languages have 17 to 33 MB. */
const MAX_JSON_BYTES = 64 * MEGABYTE;

export interface FileToFetch {
  /** On the hub. */
  readonly from: string;
  /** In the model's folder. */
  readonly name: string;
  readonly maxBytes: number;
}

export function filesOf({ weights: [main, ...more], megabytes }: ListedModel): FileToFetch[] {
  // A model may grow with a new version, but not endlessly.
  const maxBytes = 2 * megabytes * MEGABYTE;
  const json = ["config.json", "tokenizer.json", "tokenizer_config.json"];
  return [
    ...json.map((name) => ({ from: name, name, maxBytes: MAX_JSON_BYTES })),
    ...more.map((name) => ({ from: name, name, maxBytes })),
    { from: main, name: QUANTIZED, maxBytes },
  ];
}

const MAX_TOKENS = 512;

/** What conversions often leave out: the files that say how an embedding model is used. */
export function settingsOf({ pooling, prefixes }: ListedModel): ReadonlyMap<string, unknown> {
  if (pooling === undefined) return new Map();
  return new Map<string, unknown>([
    ["1_Pooling/config.json", { pooling_mode_cls_token: pooling === "first" }],
    ["sentence_bert_config.json", { max_seq_length: MAX_TOKENS }],
    ["config_sentence_transformers.json", { prompts: prefixes }],
  ]);
}
