// A PDF's pages as the parser sees them; a file that is cut off is repaired first.
import type {
  DocumentAnnotation,
  FormField,
  LiteParse,
  LiteParseConfig,
  ParsedPage,
} from "@llamaindex/liteparse";
import { KnowledgeError } from "../../domain/errors.ts";
import { toMessage } from "../../domain/phrases/messages.ts";
import { corrupt } from "../failures.ts";
import type { ReadContext } from "../reader.ts";
import type { Piece } from "../writer.ts";
import { toPieces } from "./blocks.ts";
import { hyphenRestorer } from "./hyphens.ts";
import { readMisreadPages, type SeenPage } from "./misread-pages.ts";
import { keepsText, needsOcr, plainParagraphs } from "./pages.ts";
import { repairCutOff } from "./repair-cut-off.ts";
import { isRightToLeft } from "./right-to-left.ts";
import { withTables } from "./tables.ts";
import { drawsWithoutInk, SEEN_OPTIONS, seenPages } from "./unseen.ts";

export const PDF_OPTIONS: Partial<LiteParseConfig> = {
  // The blocks are the same in every format, and writing Markdown takes a twelfth of the time.
  outputFormat: "json",
  imageMode: "off",
  extractLinks: false,
  quiet: true,
  keepHeadersFooters: true,
  continueOnPageError: true,
  includeComplexity: true,
  extractBlocks: true,
  emitWordBoxes: true,
  extractFormFields: true,
  extractAnnotations: true,
  extractContentBounds: true,
  ocrEnabled: false,
};
// The number of pages between two progress reports; each batch opens the file again.
const BATCH = 40;

export interface Page {
  readonly number: number;
  readonly pieces: readonly Piece[];
  readonly notes: readonly { readonly label: string; readonly text: string }[];
  readonly ocr: boolean;
  /** Sent to OCR because its text is no language's; it is kept unless OCR makes sense of the page. */
  readonly isDoubted: boolean;
}

export interface ParsedPdf {
  readonly pages: readonly Page[];
  /** The bytes that were parsed: the file, or a repaired copy. */
  readonly bytes: Buffer;
}

export async function parsePdf(Parser: typeof LiteParse, context: ReadContext): Promise<ParsedPdf> {
  const { bytes, limits, out } = context;
  try {
    return { pages: await parsePages(Parser, context), bytes };
  } catch (error) {
    const damaged = error instanceof KnowledgeError && error.code === "CORRUPT_FILE";
    const repaired = damaged ? repairCutOff(bytes, limits.zipTotalBytes) : undefined;
    if (repaired === undefined) throw error;
    const pages = await parsePages(Parser, { ...context, bytes: repaired });
    const code = isCutOff(bytes) ? "pdfCutOffPartlyRead" : "pdfPartlyRead";
    out.warn(toMessage(code, pages.length));
    return { pages, bytes: repaired };
  }
}

function isCutOff(bytes: Buffer): boolean {
  return !bytes.subarray(-2048).includes("%%EOF");
}

async function parsePages(
  Parser: typeof LiteParse,
  context: ReadContext,
): Promise<readonly Page[]> {
  const { bytes, limits, out, forceOcr, progress } = context;
  const options = { ...PDF_OPTIONS, ...SEEN_OPTIONS, maxPages: limits.pages };
  const parser = new Parser(options);
  const painting = { Parser, options, bytes, out, hasInkless: drawsWithoutInk(bytes) };
  const look = { Parser, bytes, options, wrongFonts: new Set<string>() };
  const pages: Page[] = [];
  const drawn: string[] = [];
  let total = 0;
  try {
    for await (const batch of parser.parseBatches(bytes, { batchSize: BATCH })) {
      total = batch.totalPages;
      for (const error of batch.result.pageErrors)
        out.warn(toMessage("pageDamaged", error.pageNum));
      const visible = await seenPages(batch.result.pages, painting);
      for (const seen of await readMisreadPages(visible, batch.result.pages, look)) {
        pages.push(toPage(seen, forceOcr));
        drawn.push(seen.page.text);
      }
      progress({ done: Math.min(batch.endPage, total), total, unit: "page" });
    }
  } catch (error) {
    throw toPdfError(error, bytes);
  }
  if (pages.length === 0) throw damaged(bytes);
  if (total > limits.pages) out.warn(toMessage("firstPages", limits.pages, total));
  const restored = hyphenRestorer(drawn);
  return pages.map((page) => ({ ...page, pieces: page.pieces.map(restored) }));
}

function toPage({ page, pieces, isDoubted }: SeenPage, forceOcr: boolean): Page {
  return {
    number: page.pageNum,
    pieces: pieces ?? piecesOf(page),
    isDoubted: isDoubted && !forceOcr,
    notes: [
      ...fieldNotes(page.formFields ?? [], page.text),
      ...comments(page.annotations ?? [], page.text),
    ],
    ocr: forceOcr || isDoubted || needsOcr(page),
  };
}

function piecesOf(page: ParsedPage): readonly Piece[] {
  const laidOut = page.blocks ?? [];
  const rebuilt = toPieces(withTables(laidOut, page));
  const pieces = keepsText(page, rebuilt) ? rebuilt : toPieces(laidOut);
  // The layout joins lines, whose words are in the wrong order then.
  if (keepsText(page, pieces) && !isRightToLeft(page.text)) return pieces;
  return plainParagraphs(page).map((text) => ({ kind: "paragraph", text }));
}

/** Values of form fields are drawn over the page and are not part of its text. */
function fieldNotes(fields: readonly FormField[], text: string) {
  const filled = fields.flatMap((field) => {
    const name = (field.alternateName ?? field.name ?? "").trim();
    const chosen = field.selectedOptions.join(", ");
    const value = (chosen === "" ? (field.value ?? "") : chosen).trim();
    const tick = field.checked ? "yes" : "";
    const ticked = field.checked === undefined ? value : tick;
    return ticked === "" || value === "Off" || (ticked !== "yes" && text.includes(ticked))
      ? []
      : [`${name}: ${ticked}`];
  });
  return filled.length === 0 ? [] : [{ label: "Form fields", text: filled.join("\n") }];
}

const COMMENTS = new Set("text freetext highlight underline strikeout squiggly stamp".split(" "));

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

function toPdfError(error: unknown, bytes: Buffer): KnowledgeError {
  if (error instanceof KnowledgeError) return error;
  const reason = error instanceof Error ? error.message : String(error);
  if (/password/i.test(reason)) {
    return new KnowledgeError(
      "ENCRYPTED_FILE",
      "The PDF is protected by a password and cannot be opened. Save a copy without the password and add that.",
      { cause: error },
    );
  }
  return damaged(bytes, error);
}

function damaged(bytes: Buffer, cause?: unknown): KnowledgeError {
  return corrupt(toMessage(isCutOff(bytes) ? "pdfCutOff" : "pdfDamaged"), cause);
}
