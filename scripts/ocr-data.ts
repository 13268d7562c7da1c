// Puts the OCR languages' trained data under ocr-data/, unpacked from npm packages that hold several sets of
// it. `node scripts/ocr-data.ts` replaces what is missing or broken.
import { createHash } from "node:crypto";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { gunzipSync } from "node:zlib";

export type OcrDataOutcome =
  | { readonly kind: "present" | "made"; readonly folder: string }
  | { readonly kind: "missing"; readonly reason: string };

// The integer form of the best models: as good as the 23 MB set at a quarter of the size.
const SET = "4.0.0_best_int";
/** The hash of each as it is shipped. */
const LANGUAGES: Readonly<Record<string, string>> = {
  eng: "5dc5d8d640a212c9d6184921ba103b186f50e0fed9ee716c53e6b312b400d747",
  jpn: "55b9b18a9dadba365f5bc8273818e1917d364c939257b5eb653afd528ea54920",
};

export async function prepareOcrData(root: string): Promise<OcrDataOutcome> {
  const folder = join(root, "ocr-data");
  const resolve = createRequire(join(root, "package.json")).resolve;
  let made = false;
  for (const [language, sha256] of Object.entries(LANGUAGES)) {
    const file = join(folder, `${language}.traineddata`);
    if (hash(await readFile(file).catch(() => Buffer.alloc(0))) === sha256) continue;
    try {
      await unpack(dirname(resolve(`@tesseract.js-data/${language}/package.json`)), file, sha256);
      made = true;
    } catch (error) {
      const cause = error instanceof Error ? error.message.split("\n")[0] : String(error);
      return {
        kind: "missing",
        reason: `The OCR data for ${language} could not be unpacked (${cause}).`,
      };
    }
  }
  return { kind: made ? "made" : "present", folder };
}

async function unpack(packageFolder: string, file: string, sha256: string): Promise<void> {
  const name = file.slice(dirname(file).length + 1);
  const bytes = alone(gunzipSync(await readFile(join(packageFolder, SET, `${name}.gz`))));
  if (hash(bytes) !== sha256) throw new Error(`${name} is not the expected one`);
  await mkdir(dirname(file), { recursive: true });
  // A reader that starts meanwhile must not see half a file.
  const partial = `${file}.${process.pid}`;
  await writeFile(partial, bytes);
  await rename(partial, file);
}

/**
 * Japanese asks for its vertical form, which is not shipped, and Tesseract reports that for every picture. The line is
 * made a comment: of the same length, because the parts of the file are found by their offsets.
 */
function alone(bytes: Buffer): Buffer {
  const at = bytes.indexOf("tessedit_load_sublangs ");
  if (at >= 0) bytes.write("#", at);
  return bytes;
}

function hash(bytes: Buffer): string {
  return createHash("sha256").update(bytes).digest("hex");
}

if (import.meta.main) {
  const outcome = await prepareOcrData(join(import.meta.dirname, ".."));
  process.stderr.write(`ocr-data: ${outcome.kind === "missing" ? outcome.reason : outcome.kind}\n`);
  if (outcome.kind === "missing") process.exitCode = 1;
}
