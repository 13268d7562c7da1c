// The OCR languages, in the form that Tesseract expects.
import { access, readFile, rename, writeFile } from "node:fs/promises";
import { isAbsolute, join, relative } from "node:path";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { KnowledgeError } from "../../../domain/errors.ts";
import type { OcrSettings } from "../../reader.ts";

export interface OcrLanguage {
  /** One language, or several joined by "+", as paths relative to the data folder. */
  readonly name: string;
  /** Lines run from top to bottom, and the rightmost is first. */
  readonly vertical: boolean;
}

const VERTICAL = "_vert";

/**
 * Languages in the order in which they are tried: the first, then all others with it, then each
 * vertical one alone. The vertical form of a language is included if it has data.
 */
export async function ocrLanguages(settings: OcrSettings): Promise<readonly OcrLanguage[]> {
  const isVertical = (language: string) => language.endsWith(VERTICAL);
  const horizontal = settings.languages.filter((language) => !isVertical(language));
  const forms = horizontal.map((language) => language + VERTICAL);
  const folders = await Promise.all(forms.map((form) => folderOf(form, settings)));
  const vertical = new Set([
    ...settings.languages.filter(isVertical),
    ...forms.filter((_, at) => folders[at] !== undefined),
  ]);
  const [first, ...others] = await namesOf(horizontal, settings);
  const joined = others.length === 0 ? undefined : [...others, first].join("+");
  const across = [first, joined].filter((name) => name !== undefined);
  const down = await namesOf([...vertical], settings);
  return [
    ...across.map((name) => ({ name, vertical: false })),
    ...down.map((name) => ({ name, vertical: true })),
  ];
}

function namesOf(languages: readonly string[], settings: OcrSettings): Promise<readonly string[]> {
  return Promise.all(languages.map((language) => nameOf(language, settings)));
}

// liteparse would download missing languages, so it is only given those that exist.
async function nameOf(language: string, settings: OcrSettings): Promise<string> {
  const folder = await folderOf(language, settings);
  if (folder === settings.dataDir) return language;
  if (folder !== undefined) return fromFolder(settings.dataDir, join(folder, language));
  throw new KnowledgeError(
    "OCR_FAILED",
    `OCR processing failed: the trained data for '${language}' is missing. Install it on the server: npm install --prefix FOLDER @tesseract.js-data/${language}, where FOLDER is the one in KNOWLEDGE_OCR_DATA_DIR, or ocr in the data folder.`,
  );
}

/** The folder that has the language's data. */
async function folderOf(
  language: string,
  { dataDir, moreDataDir = dataDir }: OcrSettings,
): Promise<string | undefined> {
  if (await holds(moreDataDir, language)) return moreDataDir;
  if (await unpack(moreDataDir, language)) return moreDataDir;
  return (await holds(dataDir, language)) ? dataDir : undefined;
}

// The largest language has 30 MB.
const MAX_BYTES = 100_000_000;

/** Data that was installed from npm is packed; Tesseract needs it unpacked. False if there is none. */
async function unpack(folder: string, language: string): Promise<boolean> {
  const file = `${language}.traineddata`;
  const installed = join(folder, "node_modules", "@tesseract.js-data", language);
  const packed = await readFile(join(installed, "4.0.0_best_int", `${file}.gz`)).catch(() => null);
  if (packed === null) return false;
  const bytes = await promisify(gunzip)(packed, { maxOutputLength: MAX_BYTES });
  // Another reader may do the same at this moment.
  const own = join(folder, `${file}.${process.pid}`);
  await writeFile(own, bytes);
  await rename(own, join(folder, file));
  return true;
}

/** Tesseract looks in one folder, but a language's name may be a path that leads out of it. */
function fromFolder(dataDir: string, file: string): string {
  const name = relative(dataDir, file);
  if (!isAbsolute(name) && !name.includes("+")) return name;
  throw new KnowledgeError(
    "OCR_FAILED",
    "OCR processing failed: the folder in KNOWLEDGE_OCR_DATA_DIR must be on the same drive as the program and have no + in its path.",
  );
}

function holds(folder: string, language: string): Promise<boolean> {
  return access(join(folder, `${language}.traineddata`)).then(
    () => true,
    () => false,
  );
}
