// A page of a file as people see it: its picture, and where the words are on it.
import type { SeenFormat } from "../../domain/document.ts";
import type { Box, PageWord } from "../../text/page-boxes.ts";

export interface PageRequest {
  /** A readable copy of the file. */
  readonly path: string;
  readonly format: SeenFormat;
  /** Counted from 1. Sheets count in the file's order. */
  readonly page: number;
  /** Of a sheet: what of it to draw. */
  readonly sheet?: SheetPart;
  readonly want:
    | { readonly kind: "image"; readonly width: number }
    | { readonly kind: "words" }
    /** The page for a model: with marks, the part around them. In ten-thousandths of the page. */
    | { readonly kind: "close-up"; readonly marks: readonly Box[] };
}

/** Some rows and columns of a sheet, as they were read. */
export interface SheetPart {
  /** Counted from 0. */
  readonly columns: readonly number[];
  readonly rows: readonly {
    /** Counted from 1; absent for a title above a table. */
    readonly row?: number;
    readonly cells: readonly (readonly [column: number, text: string])[];
  }[];
}

export interface PageImage {
  readonly kind: "image";
  /** "svg" is a drawing without a fixed size, used for slides. */
  readonly type: "png" | "svg";
  readonly bytes: Uint8Array;
  readonly width: number;
  readonly height: number;
  /** Of a close-up: what it shows, in shares of the page. */
  readonly part?: Box;
}

export type PageView = PageImage | { readonly kind: "words"; readonly words: readonly PageWord[] };

// A page of the densest newspaper has a tenth of this.
export const MAX_WORDS = 20_000;
const PNG = [0x89, 0x50, 0x4e, 0x47];
const SVG = [...Buffer.from("<svg ")];
// Twice the size of the largest page rendered here.
const MAX_BYTES = 64 * 1024 * 1024;

/** A process that was compromised by a file may send anything. */
export function isPageView(value: unknown): value is PageView {
  if (typeof value !== "object" || value === null || !("kind" in value)) return false;
  if (value.kind === "image") return isImage(value as Partial<PageImage>);
  if (value.kind !== "words" || !("words" in value) || !Array.isArray(value.words)) return false;
  return value.words.length <= MAX_WORDS && value.words.every(isWord);
}

function isImage({ type, bytes, width, height, part }: Partial<PageImage>): boolean {
  const start = type === "svg" ? SVG : PNG;
  const isKnown = type === "svg" || type === "png";
  const fits = bytes instanceof Uint8Array && bytes.length <= MAX_BYTES;
  const begins = fits && start.every((byte, at) => bytes[at] === byte);
  const sides = [width, height, ...(part ? [part.x, part.y, part.width, part.height] : [])];
  return isKnown && begins && sides.every(Number.isFinite);
}

function isWord(value: unknown): boolean {
  if (!Array.isArray(value) || value.length !== 5) return false;
  const [text, ...box] = value as readonly unknown[];
  return typeof text === "string" && text.length <= 1_000 && box.every(Number.isInteger);
}
