import { hash } from "node:crypto";
import { cp, readdir, readFile, rm, truncate } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { oddTexts } from "../../../test/fixtures/odd-texts.ts";
import { passage } from "../../../test/support/passages.ts";
import { tempFolder } from "../../../test/support/temp-folder.ts";
import { type LightEncoder, openLight } from "../../embed/light/light.ts";
import { CONTEXT, toPieces } from "./input.ts";
import { loadNetwork } from "./network.ts";
import { openReader, type Reader } from "./reader.ts";

const MODELS = join(import.meta.dirname, "../../../models");
const SHIPPED = join(MODELS, "reader");
let light: LightEncoder;
let reader: Reader;
beforeAll(async () => {
  light = await openLight(join(MODELS, "light"));
  reader = await openReader(SHIPPED, light);
});

test("the shipped files are those that the checksums name", async () => {
  const lines = (await readFile(join(SHIPPED, "reader.sha256"), "utf8")).trim().split("\n");
  const named = lines.map((line) => line.split("  "));
  for (const [sum, name] of named) {
    expect(hash("sha256", await readFile(join(SHIPPED, name ?? ""))), name).toBe(sum);
  }
  const names = [...named.map(([, name]) => name ?? ""), "reader.sha256"];
  expect((await readdir(SHIPPED)).toSorted()).toEqual(names.toSorted());
});

const PUMP = passage("The pump was built in Osaka. Its warranty lasts 24 months from delivery.");
const VALVE = passage("The valve is made of brass. It is tested at 16 bar in Kobe.", {
  chunkId: "valve",
});

test("all pieces of all passages and none add up to one", async () => {
  const network = await loadNetwork(SHIPPED, light);
  const read = [PUMP, VALVE].map((each) => ({ ...toPieces(each, light.locate), score: 0.8 }));
  const { likely, none } = await network.run(light.pieces("How long is the warranty?"), read);
  const sum = likely.reduce((all, own) => all + own.reduce((a, b) => a + b, 0), none);
  expect(sum).toBeCloseTo(1, 4);
  await network.release();
});

test("a sentence with the question's words says more of the question than one without", async () => {
  const query = "How long does the warranty last from delivery?";
  const { sentences } = await reader.read(query, [PUMP]);
  const saidBy = (start: string) =>
    sentences.find(({ sentence }) => sentence.text.startsWith(start))?.said ?? Number.NaN;
  expect(saidBy("Its warranty")).toBeGreaterThan(saidBy("The pump"));
  for (const { said } of sentences) {
    expect(said).toBeGreaterThanOrEqual(0);
    expect(said).toBeLessThanOrEqual(1 + 1e-6);
  }
});

test("a sentence's probability does not depend on the order of the passages", async () => {
  const query = "How long does the warranty of the pump last?";
  const [one] = (await reader.read(query, [PUMP, VALVE])).sentences;
  const [other] = (await reader.read(query, [VALVE, PUMP])).sentences;
  expect(one?.sentence.text).toBe(other?.sentence.text);
  expect(one?.likely).toBeCloseTo(other?.likely ?? 0, 4);
});

test("a label that ends with a dot is no sentence, however short a sentence is", async () => {
  const isProse = async (text: string) => {
    const { sentences, signsOf } = await reader.read("What is the budget?", [passage(text)]);
    return signsOf(sentences).isProse;
  };
  for (const label of ["Page No.", "Approx.", "Fig. 12."]) expect(await isProse(label)).toBe(false);
  for (const text of ["It is closed.", "無料です。"]) expect(await isProse(text)).toBe(true);
});

test.each(["12,000 yen", "7.42 m", "1,234,567.89 kg", "3.1", "2026.11.19"])(
  "a figure is marked whole: %s",
  async (figure) => {
    const text = `It takes ${figure} per night. It is paid on arrival.`;
    const { sentences } = await reader.read("How much does it take per night?", [passage(text)]);
    for (const { span } of sentences) {
      const around = [
        text.slice(span.start - 2, span.start + 1),
        text.slice(span.end - 1, span.end + 2),
      ];
      for (const cut of around) expect(cut).not.toMatch(/\d[.,]?\d/);
    }
  },
);

test("sentences and spans are inside their passages, for any text", async () => {
  for (const text of oddTexts(150)) {
    const { sentences, probabilityOf } = await reader.read("How long is it?", [passage(text)]);
    for (const each of sentences) {
      const { span, sentence } = each;
      expect(span.start).toBeGreaterThanOrEqual(0);
      expect(span.end).toBeLessThanOrEqual(text.length);
      expect(span.end).toBeGreaterThanOrEqual(span.start);
      expect(text.slice(sentence.start, sentence.end)).toBe(sentence.text);
      expect(probabilityOf([each])).toBeGreaterThanOrEqual(0);
      expect(probabilityOf([each])).toBeLessThanOrEqual(1);
    }
  }
});

test("headings, the names of columns and questions in the text are read, but never chosen", () => {
  const text =
    "# Pumps\n\nHow heavy is it? It weighs 12 kg.\n\n| Part | Stock |\n| --- | --- |\n| Seal | 4 |";
  const { sentences, sentenceOf } = toPieces(passage(text, { title: "Manual" }), light.locate);
  const chosen = new Set(sentenceOf.filter((at) => at !== CONTEXT));
  const kept = [...chosen].map((at) => sentences[at]?.text);
  expect(kept).toEqual(["It weighs 12 kg.", "| Seal | 4 |"]);
});

test("a question without known pieces, or without passages, is not answered", async () => {
  for (const [query, found] of [
    ["🙂", [PUMP]],
    ["How long?", []],
  ] as const) {
    const { sentences, isNear, answered, probabilityOf } = await reader.read(query, found);
    expect({ sentences, isNear }).toEqual({ sentences: [], isNear: false });
    expect(probabilityOf([])).toBeLessThan(answered);
  }
});

describe("files that cannot be used are reported without their path", () => {
  test.each(["reader.onnx", "calibration.json"])("%s is missing", async (name) => {
    const folder = tempFolder("reader");
    await cp(SHIPPED, folder, { recursive: true });
    await rm(join(folder, name));
    const failure = await openReader(folder, light).catch((error: Error) => error);
    expect(failure).toMatchObject({ code: "MODEL_UNAVAILABLE" });
    expect((failure as Error).message).not.toContain(folder);
  });

  test("the network is cut short", async () => {
    const folder = tempFolder("reader");
    await cp(SHIPPED, folder, { recursive: true });
    await truncate(join(folder, "reader.onnx"), 1_000_000);
    await expect(openReader(folder, light)).rejects.toMatchObject({ code: "MODEL_UNAVAILABLE" });
  });
});
