import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Tokenizer } from "@huggingface/tokenizers";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { fetchModel } from "../../../scripts/model.ts";
import { type TextTokenizer, toWordPiece } from "./wordpiece.ts";

const ROOT = join(import.meta.dirname, "../../..");
const ALL = 1_000_000;

describe("the tokeniser", () => {
  let ours: TextTokenizer;
  let reference: Tokenizer;
  beforeAll(async () => {
    await fetchModel(ROOT);
    const folder = join(ROOT, "models/all-MiniLM-L6-v2");
    const file = await readFile(join(folder, "tokenizer.json"), "utf8");
    const config = JSON.parse(await readFile(join(folder, "tokenizer_config.json"), "utf8"));
    ours = toWordPiece(file);
    reference = new Tokenizer({ ...JSON.parse(file), truncation: null, padding: null }, config);
  });

  test.each([
    "This is an example sentence",
    "Electroencephalographically speaking, naïve café owners' résumés cost $1,234.56 (+7 %).",
    'CR4.LA57[bit 12] = 0x1000; openEmbed("a\\tb")\n\tif (x >= y && !z) {}',
    "履修している授業で先生が資料をアップロードしている。サーバー、ｻｰﾊﾞ、㈱、①",
    "한국어 문장 и русский текст, ελληνικά, עברית, العربية, ไทย, हिन्दी",
    "zero\u200bwidth, soft\u00adhyphen, no-break\u00a0space, \u0000control\u0007s, \ufffd, 👩‍👩‍👧 emoji",
    "a".repeat(150),
    "   ",
    "",
  ])("gives the reference's ids for %j", (text) => {
    expect(ours.encode(text, ALL)).toEqual(reference.encode(text).ids);
  });

  test("gives the reference's ids for any text", () => {
    // The reference splits ideographs beyond the basic plane into halves; the model's own tokeniser does not.
    const special = /\[(PAD|UNK|CLS|SEP|MASK)\]|[\u{20000}-\u{3ffff}]/u;
    const texts = fc.string({ unit: "grapheme", maxLength: 60 }).filter((t) => !special.test(t));
    fc.assert(
      fc.property(texts, (text) => {
        expect(ours.encode(text, ALL)).toEqual(reference.encode(text).ids);
      }),
      { numRuns: 300 },
    );
  });

  test("cuts long text and keeps the end mark", () => {
    const whole = ours.encode("one two three four five six seven", ALL);
    const cut = ours.encode("one two three four five six seven", 5);
    expect(cut).toEqual([...whole.slice(0, 4), whole.at(-1)]);
    expect(ours.encode("one", 5)).toHaveLength(3);
  });

  test("takes the model's own marks in a text as plain text", () => {
    expect(ours.encode("[SEP]", ALL)).toHaveLength(5);
  });
});
