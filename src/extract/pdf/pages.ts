// Decides for each page whether its text layer is real, whether the layout kept all words, and what repeats on every
// page.
import type { ParsedPage } from "@llamaindex/liteparse";
import type { Piece } from "../writer.ts";
import { pieceText, squeeze } from "./blocks.ts";
import { isRightToLeft, toReadingOrder } from "./right-to-left.ts";

// liteparse's own verdict would send 38% of good pages to OCR; only these three reasons are reliable.
const UNREADABLE = new Set(["scanned", "no-text", "garbled"]);
// The layout may drop lines; below this share of the page's letters the plain text is better.
const MIN_KEPT = 0.97;
// In points: nothing thinner has letters in it. It is a rule, or a space.
const THINNEST = 4;
// In square points: a letter of 18 points.
const LETTER_AREA = 200;

export function needsOcr(page: ParsedPage): boolean {
  const { complexity, text } = page;
  const readable = text.replace(/[\s\ufffd\ue000-\uf8ff]/g, "").length;
  const marks = text.match(/[\ufffd\ue000-\uf8ff]/g)?.length ?? 0;
  if (marks > 20 && marks > readable * 0.2) return true;
  if (complexity === undefined) return readable === 0;
  const pictured = complexity.fullPageImage || complexity.largestImageCoverage > 0.6;
  // A page with one short line also counts as textless; without a picture there is nothing more to read.
  const isAllRead = readable >= 10 || !drawsMoreThanText(page, readable);
  const onlyShort = isAllRead && !pictured && !complexity.isGarbled;
  // Arabic and Hebrew count as garbled, whatever they say.
  const isReal = (reason: string) => reason !== "garbled" || !isRightToLeft(text);
  const reasons = complexity.reasons.filter((reason) => UNREADABLE.has(reason) && isReal(reason));
  if (!onlyShort && reasons.length > 0) return true;
  // A scan with a stamp or a page number: the layer has some text, but not the page's.
  return readable < 200 && pictured;
}

/**
 * The parser does not report pictures inside forms, so all that is drawn counts: pictures, outlines of letters,
 * stamps. An empty page, or one with a page number only, has nothing more to read.
 */
function drawsMoreThanText({ contentBounds, annotations = [] }: ParsedPage, letters: number) {
  if (annotations.length > 0) return true;
  if (contentBounds === undefined) return false;
  const { width, height } = contentBounds;
  return Math.min(width, height) >= THINNEST && width * height > letters * LETTER_AREA;
}

/** Compares letters, not words, because the layout correctly joins words that were hyphenated at line ends. */
export function keepsText(page: ParsedPage, pieces: readonly Piece[]): boolean {
  const wanted = letters(page.text);
  const kept = letters(pieces.map(pieceText).join("\n"));
  return kept >= Math.min(wanted - 12, wanted * MIN_KEPT);
}

function letters(text: string): number {
  return text.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
}

/** The page's lines as drawn; empty lines separate paragraphs. */
export function plainParagraphs(page: ParsedPage): readonly string[] {
  return page.text
    .split(/\n[ \t]*\n/)
    .map((paragraph) =>
      paragraph
        .split("\n")
        .map((line) => toReadingOrder(squeeze(line)))
        .filter((line) => line !== "")
        .join("\n"),
    )
    .filter((paragraph) => paragraph !== "");
}

/**
 * Drops running headers and footers: short lines at the top or bottom of page after page, ignoring
 * the page number. The first occurrence is kept.
 */
export function dropRunning(pages: readonly (readonly Piece[])[]): readonly (readonly Piece[])[] {
  const seen = new Map<string, number>();
  for (const pieces of pages) {
    for (const key of new Set(edges(pieces).map(runningKey)))
      seen.set(key, (seen.get(key) ?? 0) + 1);
  }
  const least = Math.max(3, pages.length * 0.25);
  const written = new Set<string>();
  return pages.map((pieces) => {
    const atEdge = new Set(edges(pieces));
    return pieces.filter((piece) => {
      if (!atEdge.has(piece)) return true;
      if (/^[-–\s]*\d{1,4}[-–\s]*$/.test(pieceText(piece))) return false;
      const key = runningKey(piece);
      if ((seen.get(key) ?? 0) < least) return true;
      if (written.has(key)) return false;
      written.add(key);
      return true;
    });
  });
}

function edges(pieces: readonly Piece[]): readonly Piece[] {
  const short = (piece: Piece | undefined): piece is Piece =>
    piece !== undefined &&
    (piece.kind === "paragraph" || piece.kind === "heading") &&
    piece.text.length <= 120;
  return [pieces[0], pieces[1], pieces.at(-2), pieces.at(-1)].filter(short);
}

function runningKey(piece: Piece): string {
  return pieceText(piece).replace(/\d+/g, "#").replace(/\s+/g, " ").trim();
}
