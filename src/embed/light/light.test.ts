import { hash } from "node:crypto";
import { appendFile, readFile, rename, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { oddTexts } from "../../../test/fixtures/odd-texts.ts";
import { tempFolder } from "../../../test/support/temp-folder.ts";
import { tinyLight } from "../../../test/support/tiny-light.ts";
import { LIGHT_FILE, type LightEncoder, openLight } from "./light.ts";
import { LIGHT_SHA256 } from "./port.ts";

const ROOT = join(import.meta.dirname, "../../..");
const SHIPPED = join(ROOT, "models/light");
const SAMPLE = join(ROOT, "test/fixtures/light-sample.jsonl");

const lengthOf = (vector: Float32Array) => Math.hypot(...vector);
const cosine = (one: Float32Array, two: Float32Array) =>
  one.reduce((sum, value, at) => sum + value * (two[at] ?? 0), 0);

describe("the shipped table", () => {
  let light: LightEncoder;
  beforeAll(async () => {
    light = await openLight(SHIPPED);
  });

  test("is the one that its checksum names", async () => {
    const line = await readFile(join(SHIPPED, `${LIGHT_FILE}.sha256`), "utf8");
    expect(hash("sha256", await readFile(join(SHIPPED, LIGHT_FILE)))).toBe(LIGHT_SHA256);
    expect(line).toBe(`${LIGHT_SHA256}  ${LIGHT_FILE}\n`);
    expect(light.dimensions).toBe(384);
  });

  test("gives the same as training, piece by piece", async () => {
    const lines = (await readFile(SAMPLE, "utf8")).trimEnd().split("\n");
    expect(lines.length).toBeGreaterThan(300);
    for (const line of lines) {
      const { text, pieces, vector } = JSON.parse(line);
      expect(light.pieces(text), text).toEqual(pieces);
      const own = light.encode(text).slice(0, vector.length);
      for (const [at, value] of vector.entries()) expect(own[at]).toBeCloseTo(value, 5);
    }
  });

  test.each([
    ["パスワードを忘れた", "I forgot my password", "The weather is fine today"],
    ["Wie ändere ich das Passwort?", "How do I change the password?", "How do I delete a file?"],
    ["文件系统权限", "file system permissions", "mail address configuration"],
    ["Cómo instalar un paquete", "How to install a package", "How to print a page"],
    ["메모리 관리", "memory management", "network connection"],
  ])("%j is close to its translation", (text, translation, other) => {
    const vector = light.encode(text);
    const own = cosine(vector, light.encode(translation));
    expect(own).toBeGreaterThan(cosine(vector, light.encode(other)) + 0.15);
  });

  test.each([
    ["How do I change the password?", "model"],
    ["kubectl apply -f deployment.yaml", "model"],
    ["def __init__(self, name): self.name = name", "model"],
    ["12:30, 3.14, 2024-01-01", "model"],
    ["🙂", "model"],
    ["Wie ändere ich das Passwort?", "light"],
    ["Kernelmodule laden", "light"],
    ["Comment réinitialiser le mot de passe", "light"],
    ["パスワードを忘れた", "light"],
    ["PostgreSQLのshared_buffersを128MBに変更する", "light"],
    ["如何更改权限", "light"],
    ["비밀번호를 잊어버렸을 때", "light"],
    ["Не удалось подключиться к серверу", "light"],
  ])("%j is read best by the %s", (text, encoder) => {
    expect(light.encoderFor(text)).toBe(encoder);
  });

  test.each([
    ["how", "authentication"],
    ["please", "receipt"],
    ["場合", "領収書"],
    ["ください", "退会"],
  ])("%j has less information than %j", (common, rare) => {
    expect(light.information(common)).toBeLessThan(light.information(rare));
  });

  test.each([
    ["登録", "申込の締切", "画像の大きさ"],
    ["パスワードを忘れた", "暗証番号", "天気予報"],
    ["Passwort", "password", "weather"],
  ])("a piece of %j is nearer to %j than to %j", (question, like, other) => {
    const { weights, nearest } = light.compare(question);
    const near = (text: string) =>
      nearest(text).reduce((sum, cosine, at) => sum + cosine * (weights[at] ?? 0), 0);
    expect(near(like)).toBeGreaterThan(near(other));
    expect(near(question)).toBeCloseTo(
      weights.reduce((sum, weight) => sum + weight, 0),
      4,
    );
  });

  test("comparing a question of any length stays bounded", () => {
    const { weights, nearest } = light.compare(oddTexts(300).join(" "));
    expect(weights.length).toBe(8);
    expect(nearest("").every((cosine) => cosine === 0)).toBe(true);
  });

  test("an unknown word has the most information", () => {
    expect(light.information("🙂")).toBe(Number.POSITIVE_INFINITY);
  });

  test("pieces are located where they are in the text", () => {
    const text = "Die Straße in Ｏｓａｋａ: 保証期間は24か月、ｶﾞｽ込み。";
    const { pieces, starts, ends } = light.locate(text);
    expect(pieces).toEqual(light.pieces(text));
    const words = pieces.map((_, at) => text.slice(starts[at], ends[at]));
    for (const word of ["Straße", "Ｏｓａｋａ", "保証期間"]) expect(words.join("")).toContain(word);
    for (const given of oddTexts(300)) {
      const located = light.locate(given);
      for (const [at, start] of located.starts.entries()) {
        expect(start).toBeGreaterThanOrEqual(0);
        expect(located.ends[at]).toBeGreaterThanOrEqual(start);
        expect(located.ends[at]).toBeLessThanOrEqual(given.length);
      }
    }
  });

  test("a text's vector has length one, or zero if no piece of it is known", () => {
    for (const text of [...oddTexts(300), "", " ", "🙂", "\ud800", "、。"]) {
      const length = lengthOf(light.encode(text));
      const isKnown = light.pieces(text).length > 0;
      if (isKnown) expect(length).toBeCloseTo(1, 5);
      else expect(length).toBe(0);
    }
  });

  test.each([
    "a",
    "漢",
    "あ",
    "ー",
    "1",
    "\u0301",
    "\ufdfa",
    "가",
    "😀",
    "\ud800",
    "a\u05b0\u05ab",
  ])("a million times %j is read up to a bound", (text) => {
    expect(light.pieces(text.repeat(1_000_000)).length).toBeLessThanOrEqual(32_769);
  });
});

describe("a table", () => {
  const whole = tinyLight([
    { piece: " a", score: -1, row: [3, 0] },
    { piece: "b", score: -2, row: [0, 2] },
  ]);
  let folder: string;
  const open = async (bytes: Uint8Array) => {
    await writeFile(join(folder, LIGHT_FILE), bytes);
    return openLight(folder);
  };
  beforeAll(async () => {
    folder = tempFolder("light");
  });

  test("adds up the rows of a text's pieces, each by the root of its count", async () => {
    const light = await open(whole);
    const [x, y] = light.encode("Abbbb?");
    expect([x, y]).toEqual([Math.fround(3 / 5), Math.fround(4 / 5)]);
  });

  test("compares the rows of two texts' pieces, each by its own length", async () => {
    const table = tinyLight([
      { piece: "東", score: -1, row: [3, 0] },
      { piece: "西", score: -1, row: [3, 4] },
      { piece: "南", score: -1, row: [-1, 0] },
    ]);
    const { weights, nearest } = (await open(table)).compare("東西東");
    // The most informative piece comes first.
    expect([...weights]).toEqual([5, 3]);
    expect([...nearest("南東")]).toEqual([Math.fround(0.6), 1]);
    expect([...nearest("南")]).toEqual([0, 0]);
  });

  test("that ends early or late is refused, wherever it ends", async () => {
    const damaged = [
      ...Array.from(whole.keys(), (length) => whole.subarray(0, length)),
      Buffer.concat([whole, Buffer.alloc(1)]),
    ];
    for (const bytes of damaged) {
      await expect(open(bytes)).rejects.toMatchObject({ code: "MODEL_UNAVAILABLE" });
    }
  });

  test("is read on demand, from the file that was opened", async () => {
    const letters = Array.from({ length: 100 }, (_, at) => String.fromCodePoint(0x4e00 + at));
    const row = (at: number, by: number) => [(at % 50) + 1, by];
    const table = (by: number) =>
      tinyLight(letters.map((piece, at) => ({ piece, score: -1, row: row(at, by) })));
    const light = await open(table(7));
    await rename(join(folder, LIGHT_FILE), join(folder, "former.bin"));
    await writeFile(join(folder, LIGHT_FILE), table(100));
    for (const [at, letter] of letters.entries()) {
      const length = Math.hypot(...row(at, 7));
      const [x, y] = light.encode(letter);
      expect([x, y]).toEqual(row(at, 7).map((value) => expect.closeTo(value / length, 6)));
    }
  });

  test("that is truncated while in use is reported, and read again once it is complete", async () => {
    const letters = Array.from({ length: 100 }, (_, at) => String.fromCodePoint(0x4e00 + at));
    const bytes = tinyLight(letters.map((piece) => ({ piece, score: -1, row: [3, 4] })));
    const light = await open(bytes);
    await truncate(join(folder, LIGHT_FILE), bytes.length - 10);
    const last = letters.at(-1) ?? "";
    expect(() => light.encode(`${letters[0]}${last}`)).toThrow("damaged");
    expect(light.encode(letters[0] ?? "")[0]).toBeCloseTo(0.6, 6);
    await appendFile(join(folder, LIGHT_FILE), bytes.subarray(-10));
    expect(light.encode(last)[0]).toBeCloseTo(0.6, 6);
  });

  test("that is missing is reported without its path", async () => {
    const failure = await openLight(join(folder, "nowhere")).catch((error: Error) => error);
    expect(failure).toMatchObject({ code: "MODEL_UNAVAILABLE" });
    expect((failure as Error).message).not.toContain(folder);
  });
});
