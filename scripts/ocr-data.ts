// Puts the OCR languages' trained data under ocr-data/, made from npm packages that hold several sets of it.
// `node scripts/ocr-data.ts` replaces what is missing or broken.
import { createHash } from "node:crypto";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { gunzipSync } from "node:zlib";
import { PART, type Parts, readParts, writeParts } from "./trained/container.ts";
import { readWords, writeWords } from "./trained/dictionary.ts";

export type OcrDataOutcome =
  | { readonly kind: "present" | "made"; readonly folder: string }
  | { readonly kind: "missing"; readonly reason: string };

// The integer form of the best models: as good as the 23 MB set at a quarter of the size.
const SET = "4.0.0_best_int";

interface Language {
  /** Of the file as it is shipped. */
  readonly sha256: string;
  /** Which words of its dictionary are shipped. */
  readonly words: RegExp | "none";
}

// Of the three dictionaries, 2.6 MB packed, 1 MB is shipped; docs/packaging.md has what that does to recognition.
export const LANGUAGES: Readonly<Record<string, Language>> = {
  eng: {
    sha256: "f3282ac812bb53c0852fa2369d0eb8b4a7a440974e30c64533329b7c2eadc7b3",
    // Not markup, web addresses, names in MixedCase, and words of five and more letters again in capitals.
    words: /^(?:[A-Z]?[a-z]+|[A-Z]{1,4})(?:['-][A-Za-z][a-z]*)*$/,
  },
  // English in Japanese pages is read with the English dictionary.
  jpn: {
    sha256: "41b84a21bd27bced0a67aadcb297b71a4c87887b6b423628b4f3ba3ff9431874",
    words: /[^ -~]/,
  },
  // It reads as much without: the same characters, and the words of a line are not apart.
  jpn_vert: {
    sha256: "7e09e41cee0931a16376af5a31057ff51aecc1e364391c3b43cf56bda93a7a51",
    words: "none",
  },
};

export async function prepareOcrData(root: string): Promise<OcrDataOutcome> {
  const folder = join(root, "ocr-data");
  const resolve = createRequire(join(root, "package.json")).resolve;
  let made = false;
  for (const [name, language] of Object.entries(LANGUAGES)) {
    const file = join(folder, `${name}.traineddata`);
    if (hash(await readFile(file).catch(() => Buffer.alloc(0))) === language.sha256) continue;
    try {
      await make(dirname(resolve(`@tesseract.js-data/${name}/package.json`)), file, language);
      made = true;
    } catch (error) {
      const cause = error instanceof Error ? error.message.split("\n")[0] : String(error);
      return {
        kind: "missing",
        reason: `The OCR data for ${name} could not be made (${cause}).`,
      };
    }
  }
  return { kind: made ? "made" : "present", folder };
}

async function make(packageFolder: string, file: string, language: Language): Promise<void> {
  const name = file.slice(dirname(file).length + 1);
  const whole = gunzipSync(await readFile(join(packageFolder, SET, `${name}.gz`)));
  const bytes = toShipped(whole, language.words);
  if (hash(bytes) !== language.sha256) throw new Error(`${name} is not the expected one`);
  await mkdir(dirname(file), { recursive: true });
  // A reader that starts meanwhile must not see half a file.
  const partial = `${file}.${process.pid}`;
  await writeFile(partial, bytes);
  await rename(partial, file);
}

export function toShipped(whole: Buffer, words: Language["words"]): Buffer {
  const parts = [...readParts(whole)];
  const config = parts[PART.config];
  if (config) parts[PART.config] = alone(config);
  parts[PART.words] = words === "none" ? undefined : dictionary(parts, words);
  return writeParts(parts);
}

function dictionary(parts: Parts, words: RegExp): Buffer {
  const letters = lettersOf(parts);
  const kept = readWords(part(parts, PART.words)).filter((word) =>
    words.test(word.map((letter) => letters[letter]).join("")),
  );
  return writeWords(kept, letters.length);
}

/** By their numbers: one line each, after their count. */
export function lettersOf(parts: Parts): readonly string[] {
  const [count, ...lines] = part(parts, PART.letters).toString().split("\n");
  return lines.slice(0, Number(count)).map((line) => line.split(" ")[0] ?? "");
}

function part(parts: Parts, place: number): Buffer {
  const found = parts[place];
  if (found === undefined) throw new Error(`part ${place} is missing`);
  return found;
}

/**
 * Japanese asks for its vertical form beside it, which would be tried on every line. The program itself asks for that
 * one, where lines look vertical.
 */
function alone(config: Buffer): Buffer {
  return Buffer.from(config.toString("latin1").replace("tessedit_load_sublangs", "#"), "latin1");
}

function hash(bytes: Buffer): string {
  return createHash("sha256").update(bytes).digest("hex");
}

if (import.meta.main) {
  const outcome = await prepareOcrData(join(import.meta.dirname, ".."));
  process.stderr.write(`ocr-data: ${outcome.kind === "missing" ? outcome.reason : outcome.kind}\n`);
  if (outcome.kind === "missing") process.exitCode = 1;
}
