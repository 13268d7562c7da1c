// PDF: the text layer of each page where it is real, OCR where it is not.
import type {
  DocumentAnnotation,
  FormField,
  LiteParse,
  LiteParseConfig,
  ParsedPage,
} from "@llamaindex/liteparse";
import { KnowledgeError } from "../domain/errors.ts";
import { corrupt } from "./limits.ts";
import { type Ocr, type OcrReading, openOcr } from "./ocr.ts";
import { type PdfPiece, toPieces, writePieces } from "./pdf-blocks.ts";
import { dropRunning, keepsText, needsOcr, plainParagraphs } from "./pdf-pages.ts";
import type { ReadContext, ReadOutcome } from "./reader.ts";
import type { Writer } from "./writer.ts";

const OPTIONS: Partial<LiteParseConfig> = {
  outputFormat: "markdown",
  imageMode: "off",
  extractLinks: false,
  quiet: true,
  keepHeadersFooters: true,
  continueOnPageError: true,
  includeComplexity: true,
  extractBlocks: true,
  extractFormFields: true,
  extractAnnotations: true,
  ocrEnabled: false,
};
// So many pages between two signs of life; each batch opens the file again.
const BATCH = 40;
// What OCR reads best; tried at 150 and 300 too where the reading is weak.
const OCR_DPI = 200;
const LOW_CONFIDENCE = 0.6;

interface Page {
  readonly number: number;
  readonly pieces: readonly PdfPiece[];
  readonly notes: readonly { readonly label: string; readonly text: string }[];
  readonly ocr: boolean;
}

export async function readPdf(context: ReadContext): Promise<ReadOutcome> {
  const { LiteParse: Parser } = await import("@llamaindex/liteparse");
  const pages = await parsePages(Parser, context);
  const texts = dropRunning(pages.map((page) => page.pieces));
  const counts = { ocr: 0, text: 0 };
  const ocr = pages.some((page) => page.ocr) ? await openPageOcr(Parser, context) : undefined;
  for (const [at, page] of pages.entries()) {
    context.out.at({ page: page.number });
    if (page.ocr && ocr !== undefined) {
      const read = await writeOcrPage(context.out, page, ocr);
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

async function parsePages(
  Parser: typeof LiteParse,
  context: ReadContext,
): Promise<readonly Page[]> {
  const { bytes, limits, out, forceOcr, progress } = context;
  const parser = new Parser({ ...OPTIONS, maxPages: limits.pages });
  const pages: Page[] = [];
  let total = 0;
  try {
    for await (const batch of parser.parseBatches(bytes, { batchSize: BATCH })) {
      total = batch.totalPages;
      for (const error of batch.result.pageErrors)
        out.warn(`Page ${error.pageNum} is damaged and was left out.`);
      for (const page of batch.result.pages) pages.push(toPage(page, forceOcr));
      progress({ done: Math.min(batch.endPage, total), total, unit: "page" });
    }
  } catch (error) {
    throw toPdfError(error);
  }
  if (pages.length === 0) throw corrupt("The PDF is damaged: it has no readable page.");
  if (total > limits.pages) out.warn(`Only the first ${limits.pages} of ${total} pages were read.`);
  return pages;
}

function toPage(page: ParsedPage, forceOcr: boolean): Page {
  const pieces = toPieces(page.blocks ?? []);
  const kept = keepsText(page, pieces);
  return {
    number: page.pageNum,
    pieces: kept ? pieces : plainParagraphs(page).map((text) => ({ kind: "paragraph", text })),
    notes: [
      ...fieldNotes(page.formFields ?? [], page.text),
      ...comments(page.annotations ?? [], page.text),
    ],
    ocr: forceOcr || needsOcr(page),
  };
}

/** What was filled into a form is drawn over the page, not written into its text. */
function fieldNotes(fields: readonly FormField[], text: string) {
  const filled = fields.flatMap((field) => {
    const name = (field.alternateName ?? field.name ?? "").trim();
    const chosen = field.selectedOptions.join(", ");
    const value = (chosen === "" ? (field.value ?? "") : chosen).trim();
    const ticked = field.checked === undefined ? value : field.checked ? "yes" : "";
    return ticked === "" || value === "Off" || (ticked !== "yes" && text.includes(ticked))
      ? []
      : [`${name}: ${ticked}`];
  });
  return filled.length === 0 ? [] : [{ label: "Form fields", text: filled.join("\n") }];
}

const COMMENTS = new Set([
  "text",
  "freetext",
  "highlight",
  "underline",
  "strikeout",
  "squiggly",
  "stamp",
]);

function comments(annotations: readonly DocumentAnnotation[], text: string) {
  return annotations.flatMap(({ subtype, contents = "", title }) => {
    const body = contents.trim();
    if (!COMMENTS.has(subtype.toLowerCase()) || body === "" || text.includes(body)) return [];
    return [
      {
        label: title === undefined || title === "" ? "Comment" : `Comment by ${title}`,
        text: body,
      },
    ];
  });
}

function writePage(out: Writer, page: Page, pieces: readonly PdfPiece[]): void {
  writePieces(out, pieces);
  writeNotes(out, page);
  out.report("text");
  if (pieces.length === 0 && page.pieces.length === 0)
    out.warn(`Page ${page.number} gave no text.`);
}

function writeNotes(out: Writer, { notes }: Page): void {
  for (const { label, text } of notes) out.note(label, text);
}

type PageOcr = (page: number) => Promise<OcrReading>;

async function openPageOcr(
  Parser: typeof LiteParse,
  { bytes, ocr, alive }: ReadContext,
): Promise<PageOcr> {
  const reader: Ocr = await openOcr(ocr, alive);
  const painter = new Parser({ ...OPTIONS, dpi: OCR_DPI, renderFormFields: false });
  return async (page) => {
    const [shot] = await painter.screenshot(bytes, [page]);
    if (shot === undefined || shot.isSolidFill)
      return { paragraphs: [], characters: 0, confidence: 0 };
    return reader.read({
      bytes: shot.imageBuffer,
      width: shot.width,
      height: shot.height,
      fits: true,
    });
  };
}

/** What the layer has is kept where recognition finds less, as on a page that was forced. */
async function writeOcrPage(out: Writer, page: Page, ocr: PageOcr): Promise<"ocr" | "text"> {
  const reading = await ocr(page.number);
  const layer =
    page.pieces.length === 0
      ? 0
      : page.pieces.reduce((sum, piece) => sum + JSON.stringify(piece).length, 0);
  if (reading.characters === 0 && layer > 0) {
    writePieces(out, page.pieces);
    writeNotes(out, page);
    out.report("text");
    return "text";
  }
  for (const paragraph of reading.paragraphs) out.paragraph(paragraph);
  writeNotes(out, page);
  out.report("ocr", reading.confidence);
  if (reading.characters === 0) out.warn(`Page ${page.number} gave no text.`);
  else if (reading.confidence < LOW_CONFIDENCE) {
    out.warn(
      `Page ${page.number} was recognised with low confidence (${Math.round(reading.confidence * 100)} %).`,
    );
  }
  return "ocr";
}

function toPdfError(error: unknown): KnowledgeError {
  if (error instanceof KnowledgeError) return error;
  const reason = error instanceof Error ? error.message : String(error);
  if (/password/i.test(reason)) {
    return new KnowledgeError(
      "ENCRYPTED_FILE",
      "The PDF is protected by a password and cannot be opened. Save a copy without the password and add that.",
      { cause: error },
    );
  }
  return corrupt("The PDF is damaged and cannot be opened.", error);
}
