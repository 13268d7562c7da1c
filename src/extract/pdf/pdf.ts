// PDF: the text layer of each page where it is real, OCR where it is not.
import type { LiteParse } from "@llamaindex/liteparse";
import { toMessage } from "../../domain/phrases/messages.ts";
import { hideInstructions } from "../hidden/metadata.ts";
import { type OcrReading, openOcr, writeOcrPieces } from "../image/ocr/ocr.ts";
import type { ReadContext, ReadOutcome } from "../reader.ts";
import type { Piece, Writer } from "../writer.ts";
import { dropRunning } from "./pages.ts";
import { type Page, PDF_OPTIONS, parsePdf } from "./parse.ts";
import { hasStrangeLetters } from "./strange-text.ts";

// The best resolution for OCR; 150 and 300 are also tried if the reading is weak.
const OCR_DPI = 200;
const LOW_CONFIDENCE = 0.6;
const SURE = 0.75;

export async function readPdf(context: ReadContext): Promise<ReadOutcome> {
  const { LiteParse: Parser } = await import("@llamaindex/liteparse");
  const { pages, bytes } = await parsePdf(Parser, context);
  hideInstructions(context.out, pdfProperties(bytes));
  const texts = dropRunning(pages.map((page) => page.pieces));
  const counts = { ocr: 0, text: 0 };
  const ocr = pages.some((page) => page.ocr)
    ? await openPageOcr(Parser, { ...context, bytes })
    : undefined;
  let isTextBetter = false;
  for (const [at, page] of pages.entries()) {
    context.out.at({ page: page.number });
    if (page.ocr && ocr !== undefined && !(page.isDoubted && isTextBetter)) {
      const read = await writeOcrPage(context.out, page, ocr);
      isTextBetter ||= page.isDoubted && read === "text";
      counts[read] += 1;
      context.progress({ done: at + 1, total: pages.length, unit: "page" });
    } else {
      writePage(context.out, page, texts[at] ?? []);
      counts.text += 1;
    }
  }
  if (counts.ocr === 0) return { method: "text_extraction" };
  return { method: counts.text === 0 ? "ocr" : "mixed" };
}

function writePage(out: Writer, page: Page, pieces: readonly Piece[]): void {
  writeText(out, page, pieces);
  if (pieces.length === 0 && page.pieces.length === 0)
    out.warn(toMessage("pageWithoutText", page.number));
}

function writeText(out: Writer, page: Page, pieces: readonly Piece[]): void {
  for (const piece of pieces) out.write(piece);
  writeNotes(out, page);
  out.report("text");
}

function writeNotes(out: Writer, { notes }: Page): void {
  for (const { label, text } of notes) out.note(label, text);
}

type PageOcr = (page: number) => Promise<OcrReading>;

async function openPageOcr(
  Parser: typeof LiteParse,
  { bytes, ocr, alive }: ReadContext,
): Promise<PageOcr> {
  const reader = await openOcr(ocr, alive);
  const painter = new Parser({ ...PDF_OPTIONS, dpi: OCR_DPI, renderFormFields: false });
  return async (page) => {
    const [shot] = await painter.screenshot(bytes, [page]);
    if (shot === undefined || shot.isSolidFill)
      return { pieces: [], characters: 0, confidence: 0, words: [], uncertain: [] };
    return reader.read({
      bytes: shot.imageBuffer,
      width: shot.width,
      height: shot.height,
      fits: true,
    });
  };
}

/** The text layer is kept if OCR finds nothing, as on a page for which OCR was forced, or nothing better. */
async function writeOcrPage(out: Writer, page: Page, ocr: PageOcr): Promise<"ocr" | "text"> {
  const reading = await ocr(page.number);
  const isWorse = reading.characters === 0 || (page.isDoubted && !makesSense(reading));
  if (isWorse && page.pieces.length > 0) {
    writeText(out, page, page.pieces);
    return "text";
  }
  writeOcrPieces(out, reading, "paragraph");
  writeNotes(out, page);
  out.report("ocr", reading.confidence);
  if (reading.characters === 0) out.warn(toMessage("pageWithoutText", page.number));
  else if (reading.confidence < LOW_CONFIDENCE) {
    out.warn(toMessage("pageUnsure", page.number, Math.round(reading.confidence * 100)));
  }
  return "ocr";
}

/** Tesseract also reads letters of a script that it was not trained for, with little confidence. */
function makesSense({ pieces, confidence }: OcrReading): boolean {
  const texts = pieces.map((piece) =>
    piece.kind === "text" ? piece.text : piece.rows.flat().join(" "),
  );
  return confidence >= SURE && !hasStrangeLetters(texts.join(" "));
}

// A PDF's own title, subject and keywords, as far as they are not compressed.

const KEYS = ["/Title", "/Subject", "/Keywords"];
const MAX_FOUND = 20;
const MAX_BYTES = 20_000;
const MAX_XMP_BYTES = 64 * 1024;

function pdfProperties(bytes: Buffer): readonly string[] {
  const found: string[] = [];
  for (const key of KEYS) {
    let at = bytes.indexOf(key);
    for (let count = 0; at !== -1 && count < MAX_FOUND; count += 1) {
      found.push(stringAt(bytes, at + key.length));
      at = bytes.indexOf(key, at + key.length);
    }
  }
  const xmp = bytes.indexOf("<x:xmpmeta");
  if (xmp === -1) return found;
  const packet = bytes.toString("utf8", xmp, xmp + MAX_XMP_BYTES).split("</x:xmpmeta>")[0] ?? "";
  return [...found, ...packet.split(/<[^<>]*>/).filter((text) => text.trim() !== "")];
}

/** A string is in round brackets, or hexadecimal in angular ones; titles of bookmarks are like the document's. */
function stringAt(bytes: Buffer, from: number): string {
  const rest = bytes.toString("latin1", from, from + MAX_BYTES);
  const hex = /^\s*<([\da-f\s]*)>/i.exec(rest)?.[1];
  if (hex !== undefined) return decoded(Buffer.from(hex.replace(/\s/g, ""), "hex"));
  const literal = /^\s*\(((?:\\[\s\S]|[^\\()])*)\)/.exec(rest)?.[1];
  return decoded(Buffer.from((literal ?? "").replace(/\\([\s\S])/g, "$1"), "latin1"));
}

function decoded(bytes: Buffer): string {
  const isWide = bytes[0] === 0xfe && bytes[1] === 0xff;
  if (!isWide) return bytes.toString("latin1");
  return bytes
    .subarray(2, 2 + ((bytes.length - 2) & ~1))
    .swap16()
    .toString("utf16le");
}
