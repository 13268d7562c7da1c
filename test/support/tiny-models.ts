// Minimal models, written as ONNX by hand (protobuf fields of onnx.proto), with a tokeniser file of whole words. A
// cross-encoder has one weight per token, and a pair's score is the sum over its tokens; an embedding model has one
// vector per token.
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

type Field = readonly [number: number, value: number | string | Uint8Array];

/** A protobuf message: whole numbers as varints, everything else with its length. */
function message(...fields: readonly Field[]): Buffer {
  return Buffer.concat(
    fields.flatMap(([number, value]) => {
      if (typeof value === "number") return [varint(number << 3), varint(value)];
      const bytes = typeof value === "string" ? Buffer.from(value) : Buffer.from(value);
      return [varint((number << 3) | 2), varint(bytes.length), bytes];
    }),
  );
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let left = value;
  while (left > 127) {
    bytes.push((left & 127) | 128);
    left = Math.floor(left / 128);
  }
  return Buffer.from([...bytes, left]);
}

const FLOAT = 1;
const INT64 = 7;
const BY_INTEGER = 2;

function tensor(name: string, type: number, dims: readonly number[], raw: Uint8Array): Buffer {
  return message(...dims.map((dim) => [1, dim] as const), [2, type], [8, name], [9, raw]);
}

function value(name: string, type: number, dims: readonly (number | string)[]): Buffer {
  const shape = message(
    ...dims.map((dim) => [1, message(typeof dim === "number" ? [1, dim] : [2, dim])] as const),
  );
  return message([1, name], [2, message([1, message([1, type], [2, shape])])]);
}

/** Gather a weight for each id, then add them up. */
function toOnnx(weights: readonly number[]): Buffer {
  const table = Buffer.from(Float32Array.from(weights).buffer);
  const axes = Buffer.from(BigInt64Array.from([1n]).buffer);
  const keep = message([1, "keepdims"], [3, 0], [20, BY_INTEGER]);
  const graph = message(
    [1, message([1, "table"], [1, "input_ids"], [2, "each"], [4, "Gather"])],
    [1, message([1, "each"], [1, "axes"], [2, "logits"], [4, "ReduceSum"], [5, keep])],
    [2, "tiny"],
    [5, tensor("table", FLOAT, [weights.length, 1], table)],
    [5, tensor("axes", INT64, [1], axes)],
    [11, value("input_ids", INT64, [1, "tokens"])],
    [12, value("logits", FLOAT, [1, 1])],
  );
  return message([1, 8], [7, graph], [8, message([2, 13])]);
}

/** Gather a vector for each id; the mask is accepted and not needed. */
function toEmbeddingOnnx(rows: readonly (readonly number[])[]): Buffer {
  const width = rows[0]?.length ?? 0;
  const table = Buffer.from(Float32Array.from(rows.flat()).buffer);
  const graph = message(
    [1, message([1, "table"], [1, "input_ids"], [2, "last_hidden_state"], [4, "Gather"])],
    [2, "tiny"],
    [5, tensor("table", FLOAT, [rows.length, width], table)],
    [11, value("input_ids", INT64, [1, "tokens"])],
    [11, value("attention_mask", INT64, [1, "tokens"])],
    [12, value("last_hidden_state", FLOAT, [1, "tokens", width])],
  );
  return message([1, 8], [7, graph], [8, message([2, 13])]);
}

const MARKS = ["[UNK]", "[CLS]", "[SEP]", "[PAD]"];

function toTokenizer(words: readonly string[]): object {
  const special = (name: string, type: number) => ({ SpecialToken: { id: name, type_id: type } });
  const sequence = (id: string, type: number) => ({ Sequence: { id, type_id: type } });
  return {
    added_tokens: MARKS.map((content, id) => ({ id, content, special: true })),
    normalizer: { type: "Lowercase" },
    pre_tokenizer: { type: "Whitespace" },
    decoder: { type: "WordPiece", prefix: "##", cleanup: true },
    model: {
      type: "WordPiece",
      unk_token: "[UNK]",
      continuing_subword_prefix: "##",
      max_input_chars_per_word: 100,
      vocab: Object.fromEntries([...MARKS, ...words].map((word, id) => [word, id])),
    },
    post_processor: {
      type: "TemplateProcessing",
      single: [special("[CLS]", 0), sequence("A", 0), special("[SEP]", 0)],
      pair: [
        special("[CLS]", 0),
        sequence("A", 0),
        special("[SEP]", 0),
        sequence("B", 1),
        special("[SEP]", 1),
      ],
      special_tokens: Object.fromEntries(
        MARKS.map((id, at) => [id, { id, ids: [at], tokens: [id] }]),
      ),
    },
  };
}

type TinyFiles = ReadonlyMap<string, Buffer>;

function toFiles(words: readonly string[], config: object, onnx: Buffer): TinyFiles {
  const json = (given: object) => Buffer.from(JSON.stringify(given));
  return new Map([
    ["config.json", json({ max_position_embeddings: 64, ...config })],
    ["tokenizer.json", json(toTokenizer(words))],
    ["tokenizer_config.json", json({ unk_token: "[UNK]" })],
    ["onnx/model.onnx", onnx],
  ]);
}

/** The files of a cross-encoder, as KNOWLEDGE_RERANK_DIR takes them. */
export function tinyCrossEncoder(weights: Readonly<Record<string, number>>): TinyFiles {
  const row = [...MARKS.map(() => 0), ...Object.values(weights)];
  return toFiles(Object.keys(weights), {}, toOnnx(row));
}

/** The files of an embedding model: vectors of equal length by word; all other words are near each other. */
export function tinyEmbedding(vectors: Readonly<Record<string, readonly number[]>>): TinyFiles {
  const width = (Object.values(vectors)[0]?.length ?? 0) + 1;
  const unknown = [...Array(width - 1).fill(0), 0.1];
  const none = Array(width).fill(0);
  const rows = [unknown, none, none, none, ...Object.values(vectors).map((row) => [...row, 0])];
  return toFiles(Object.keys(vectors), { hidden_size: width }, toEmbeddingOnnx(rows));
}

export async function writeTinyCrossEncoder(
  folder: string,
  weights: Readonly<Record<string, number>>,
): Promise<void> {
  await mkdir(join(folder, "onnx"), { recursive: true });
  for (const [name, bytes] of tinyCrossEncoder(weights)) await writeFile(join(folder, name), bytes);
}
