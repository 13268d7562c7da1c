// A minimal cross-encoder: one weight per token, and a pair's score is the sum over its tokens.
// Written as ONNX by hand (protobuf fields of onnx.proto), with a tokeniser file of whole words.
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

const MARKS = ["[UNK]", "[CLS]", "[SEP]", "[PAD]"];

/** A folder as KNOWLEDGE_RERANK_DIR takes it. */
export async function writeTinyCrossEncoder(
  folder: string,
  weights: Readonly<Record<string, number>>,
): Promise<void> {
  const words = [...MARKS, ...Object.keys(weights)];
  const special = (name: string, type: number) => ({ SpecialToken: { id: name, type_id: type } });
  const sequence = (id: string, type: number) => ({ Sequence: { id, type_id: type } });
  const tokenizer = {
    added_tokens: MARKS.map((content, id) => ({ id, content, special: true })),
    normalizer: { type: "Lowercase" },
    pre_tokenizer: { type: "Whitespace" },
    decoder: { type: "WordPiece", prefix: "##", cleanup: true },
    model: {
      type: "WordPiece",
      unk_token: "[UNK]",
      continuing_subword_prefix: "##",
      max_input_chars_per_word: 100,
      vocab: Object.fromEntries(words.map((word, id) => [word, id])),
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
  await mkdir(join(folder, "onnx"), { recursive: true });
  await writeFile(join(folder, "tokenizer.json"), JSON.stringify(tokenizer));
  await writeFile(join(folder, "tokenizer_config.json"), JSON.stringify({ unk_token: "[UNK]" }));
  await writeFile(join(folder, "config.json"), JSON.stringify({ max_position_embeddings: 64 }));
  const row = [...MARKS.map(() => 0), ...Object.values(weights)];
  await writeFile(join(folder, "onnx/model.onnx"), toOnnx(row));
}
