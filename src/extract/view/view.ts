// A page of a file as people see it: its picture, and where its words are on it.

/** Formats whose pages can be painted here. */
export const PAINTED = ["pdf", "jpg", "png"] as const;
export type PaintedFormat = (typeof PAINTED)[number];

export interface PageRequest {
  /** A readable copy of the file. */
  readonly path: string;
  readonly format: PaintedFormat;
  /** Counted from 1. */
  readonly page: number;
  readonly want: { readonly kind: "image"; readonly width: number } | { readonly kind: "words" };
}

/** Left, top, width and height in ten-thousandths of the page. */
export type PageWord = readonly [text: string, x: number, y: number, width: number, height: number];

export interface PageImage {
  readonly kind: "image";
  /** PNG. */
  readonly bytes: Uint8Array;
  readonly width: number;
  readonly height: number;
}

export type PageView = PageImage | { readonly kind: "words"; readonly words: readonly PageWord[] };

// A page of the densest newspaper has a tenth of it.
export const MOST_WORDS = 20_000;
const PNG = [0x89, 0x50, 0x4e, 0x47];

/** A process that was taken over by a file may say anything. */
export function isPageView(value: unknown): value is PageView {
  if (typeof value !== "object" || value === null || !("kind" in value)) return false;
  if (value.kind === "image") return isImage(value as Partial<PageImage>);
  if (value.kind !== "words" || !("words" in value) || !Array.isArray(value.words)) return false;
  return value.words.length <= MOST_WORDS && value.words.every(isWord);
}

function isImage({ bytes, width, height }: Partial<PageImage>): boolean {
  const isPng = bytes instanceof Uint8Array && PNG.every((byte, at) => bytes[at] === byte);
  return isPng && Number.isFinite(width) && Number.isFinite(height);
}

function isWord(value: unknown): boolean {
  if (!Array.isArray(value) || value.length !== 5) return false;
  const [text, ...box] = value as readonly unknown[];
  return typeof text === "string" && text.length <= 1_000 && box.every(Number.isInteger);
}
