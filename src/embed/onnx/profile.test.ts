import { copyFile, mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { fetchModel } from "../../../scripts/model.ts";
import { tempFolder } from "../../../test/support/temp-folder.ts";
import { loadEncoder } from "./onnx-model.ts";
import { describeModel, SHIPPED } from "./profile.ts";
import { loadTokenizer } from "./tokenizer.ts";

const ROOT = join(import.meta.dirname, "../../..");
const SHIPPED_DIR = join(ROOT, "models/all-MiniLM-L6-v2");
const CONFIG = { _name_or_path: "maker/own-model", hidden_size: 12, vocab_size: 250_000 };

let folder: string;
beforeAll(() => fetchModel(ROOT));
beforeEach(async () => {
  folder = tempFolder("profile");
});

async function put(name: string, content: unknown): Promise<void> {
  await mkdir(dirname(join(folder, name)), { recursive: true });
  await writeFile(join(folder, name), JSON.stringify(content));
}

describe("a model's folder", () => {
  test("has name, dimensions, languages and how texts become vectors", async () => {
    await put("config.json", { ...CONFIG, max_position_embeddings: 514 });
    await put("onnx/model.onnx", "weights");
    await put("1_Pooling/config.json", { pooling_mode_cls_token: true });
    await put("sentence_bert_config.json", { max_seq_length: 512 });
    await put("config_sentence_transformers.json", { prompts: { query: "q: ", document: "d: " } });
    expect(await describeModel(folder)).toMatchObject({
      model: "maker/own-model",
      dimensions: 12,
      languages: "any",
      onnxFile: "onnx/model.onnx",
      pooling: "first",
      maxTokens: 512,
      prefixes: { query: "q: ", passage: "d: " },
    });
  });

  test("has another fingerprint with other weights, and with another prompt", async () => {
    await put("config.json", CONFIG);
    await put("model.onnx", "weights");
    const first = await describeModel(folder);
    await put("model.onnx", "other weights");
    const second = await describeModel(folder);
    await put("config_sentence_transformers.json", { prompts: { query: "find " } });
    const third = await describeModel(folder);
    expect(new Set([first, second, third].map((each) => each.fingerprint)).size).toBe(3);
    expect(first).toMatchObject({ pooling: "mean", maxTokens: 256, onnxFile: "model.onnx" });
  });

  test("is recognised if it is the shipped one", async () => {
    expect(await describeModel(SHIPPED_DIR)).toBe(SHIPPED);
  });

  test.each([
    ["config.json is missing", {}],
    ["config.json names no hidden_size", { "config.json": {} }],
    ["onnx/model.onnx is missing", { "config.json": CONFIG }],
  ])("is refused when %s", async (reason, files) => {
    for (const [name, content] of Object.entries(files)) await put(name, content);
    await expect(describeModel(folder)).rejects.toThrow(reason);
  });
});

test("a tokeniser of another kind is read, and its ids are cut and closed", async () => {
  const file = JSON.parse(await readFile(join(SHIPPED_DIR, "tokenizer.json"), "utf8"));
  const cased = { ...file, normalizer: { ...file.normalizer, strip_accents: false } };
  await put("tokenizer.json", cased);
  await copyFile(join(SHIPPED_DIR, "tokenizer_config.json"), join(folder, "tokenizer_config.json"));
  const [own, ours] = [await loadTokenizer(folder), await loadTokenizer(SHIPPED_DIR)];
  const text = "a plain text of quite a few words";
  for (const limit of [5, 100]) expect(own.encode(text, limit)).toEqual(ours.encode(text, limit));
  expect(own.encode("café", 9)).not.toEqual(ours.encode("café", 9));
});

test("long text is cut before the end mark, and marks in a text are plain text", async () => {
  const { encode } = await loadTokenizer(SHIPPED_DIR);
  const text = "one two three four five six seven";
  const whole = encode(text, 100);
  expect([whole[0], whole.at(-1)]).toEqual([101, 102]);
  expect(encode(text, 5)).toEqual([...whole.slice(0, 4), whole.at(-1)]);
  expect(encode("[SEP]", 100)).toHaveLength(5);
});

test("a model that pools by its first token gives that token's vector", async () => {
  const model = await loadEncoder(SHIPPED_DIR, { ...SHIPPED, pooling: "first" });
  const mean = await loadEncoder(SHIPPED_DIR, SHIPPED);
  const [a, b] = [await model.run({ text: "one text" }), await mean.run({ text: "one text" })];
  expect(a).toHaveLength(SHIPPED.dimensions);
  expect(Math.hypot(...a)).toBeCloseTo(1, 5);
  expect([...a]).not.toEqual([...b]);
  await Promise.all([model.release(), mean.release()]);
});
