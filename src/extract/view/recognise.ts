// Words of a picture by OCR, for those who look at it: the language that reads it best decides.
import type { LiteParse, ParsedPage } from "@llamaindex/liteparse";
import { KnowledgeError } from "../../domain/errors.ts";
import type { Picture } from "../image/ocr.ts";
import { type OcrLanguage, ocrLanguages } from "../image/ocr-languages.ts";
import type { ReadSettings } from "../reader.ts";
import type { PageView } from "./view.ts";
import { toPageWords } from "./words.ts";

interface Recognising {
  readonly settings: ReadSettings;
  readonly alive: () => void;
}

// liteparse takes a picture for a page of 150 dots an inch, so this dpi reads it pixel by pixel.
const PICTURE_DPI = 150;
const MOST_PIXELS = 24_000_000;
const GOOD = 0.85;

export async function recogniseWords(
  Parser: typeof LiteParse,
  picture: Picture,
  { settings, alive }: Recognising,
): Promise<PageView> {
  let best = { confidence: -1, page: undefined as ParsedPage | undefined };
  for (const language of await ocrLanguages(settings.ocr)) {
    const page = await recognise(Parser, picture, { language, dataDir: settings.ocr.dataDir });
    alive();
    const confidence = confidenceOf(page);
    if (confidence > best.confidence) best = { confidence, page };
    if (confidence >= GOOD) break;
  }
  return { kind: "words", words: best.page === undefined ? [] : toPageWords(best.page) };
}

async function recognise(
  Parser: typeof LiteParse,
  picture: Picture,
  { language, dataDir }: { readonly language: OcrLanguage; readonly dataDir: string },
): Promise<ParsedPage | undefined> {
  const { width, height } = picture;
  const wanted = picture.fits || width >= 2_000 ? 1 : 1.5;
  const scale = Math.min(wanted, Math.sqrt(MOST_PIXELS / (width * height)));
  const parser = new Parser({
    outputFormat: "json",
    quiet: true,
    ocrEnabled: true,
    ocrLanguage: language.name,
    tessdataPath: dataDir,
    dpi: PICTURE_DPI * scale,
    numWorkers: 1,
    emitWordBoxes: true,
  });
  const { pages } = await parser.parse(picture.bytes).catch((cause: unknown) => {
    throw new KnowledgeError("OCR_FAILED", "The picture could not be decoded for OCR.", { cause });
  });
  return pages[0];
}

function confidenceOf(page: ParsedPage | undefined): number {
  const items = page?.textItems ?? [];
  const characters = items.reduce((sum, { text }) => sum + text.length, 0);
  const sure = items.reduce(
    (sum, { text, confidence }) => sum + (confidence ?? 0) * text.length,
    0,
  );
  return characters === 0 ? 0 : sure / characters;
}
