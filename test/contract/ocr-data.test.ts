// The OCR data that ships: what was left out of it, and nothing else.
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { gunzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { LANGUAGES, lettersOf } from "../../scripts/ocr-data.ts";
import { PART, type Parts, readParts, writeParts } from "../../scripts/trained/container.ts";
import { readWords, writeWords } from "../../scripts/trained/dictionary.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const { resolve } = createRequire(import.meta.url);

async function source(language: string): Promise<Buffer> {
  const folder = dirname(resolve(`@tesseract.js-data/${language}/package.json`));
  return gunzipSync(await readFile(join(folder, "4.0.0_best_int", `${language}.traineddata.gz`)));
}
const shipped = async (language: string) =>
  readParts(await readFile(join(ROOT, "ocr-data", `${language}.traineddata`)));

function wordsOf(parts: Parts): readonly string[] {
  const letters = lettersOf(parts);
  const words = readWords(parts[PART.words] as Buffer);
  return words.map((word) => word.map((letter) => letters[letter]).join("")).sort();
}

describe("the OCR data", () => {
  test.each(Object.keys(LANGUAGES))(
    "has every part of %s as it is published, but for words and configuration",
    async (language) => {
      const whole = await source(language);
      const given = readParts(whole);
      expect(writeParts(given).equals(whole)).toBe(true);
      const ours = await shipped(language);
      const changed = given.flatMap((part, at) =>
        part !== undefined && (ours[at] === undefined || !part.equals(ours[at])) ? [at] : [],
      );
      expect(changed).toEqual(language === "jpn" ? [PART.config, PART.words] : [PART.words]);
    },
  );

  test.each(["eng", "jpn"])(
    "has exactly the words of %s that its rule names",
    async (language) => {
      const rule = LANGUAGES[language]?.words as RegExp;
      const all = wordsOf(readParts(await source(language)));
      const ours = wordsOf(await shipped(language));
      expect(ours).toEqual(all.filter((word) => rule.test(word)));
      expect(ours.length).toBeGreaterThan(all.length / 2);
    },
    60_000,
  );

  test("a dictionary holds what was written into it, each ending once", () => {
    const words = [[3], [3, 4], [3, 4, 5], [6, 4, 5], [7, 4], [7, 4, 5]];
    const bytes = writeWords(words, 7);
    const sorted = (list: readonly (readonly number[])[]) => list.map(String).sort();
    expect(sorted(readWords(bytes))).toEqual(sorted(words));
    // 3, 6 and 7 begin; 4 follows once as a word and once as none; 5 ends.
    expect(bytes.readInt32LE(6)).toBe(6);
  });
});
