// The stages of a document: a file's bytes become an extracted document, chunks, then stored rows.
import type { Message } from "./phrases/messages.ts";

export const FORMATS = [
  "pdf",
  "docx",
  "pptx",
  "xlsx",
  "html",
  "jpg",
  "png",
  "svg",
  "md",
  "txt",
  "csv",
  "json",
  "epub",
  "odt",
  "ods",
  "odp",
  "rtf",
  "eml",
  "msg",
  "doc",
  "xls",
  "ppt",
  "fb2",
  "ipynb",
  "xml",
  "yaml",
  "toml",
  "log",
  "code",
] as const;
export type Format = (typeof FORMATS)[number];

/** Formats whose pages can be rendered. */
export const PAINTED = ["pdf", "jpg", "png", "pptx"] as const;
export type PaintedFormat = (typeof PAINTED)[number];

/** Formats that can be seen as an image; of sheets and drawings, people see another view. */
export const SEEN = [...PAINTED, "svg", "xlsx", "ods", "xls"] as const;
export type SeenFormat = (typeof SEEN)[number];

/** The contract's list, as error payloads name it; the formats beyond it are ours. */
export const CONTRACT_FORMATS = FORMATS.slice(0, 8);

export const PROCESSING_METHODS = ["text_extraction", "ocr", "image_analysis", "mixed"] as const;
export type ProcessingMethod = (typeof PROCESSING_METHODS)[number];

/** Where in the source something is. Pages and slides count from 1. */
export interface Place {
  readonly page?: number;
  readonly slide?: number;
  readonly sheet?: string;
}

export type BlockKind = "heading" | "paragraph" | "list" | "table" | "code" | "figure" | "note";

/** A span of the document's Markdown: `text.slice(start, end)`. Blocks are in reading order. */
export interface Block {
  readonly kind: BlockKind;
  readonly start: number;
  readonly end: number;
  readonly place: Place;
  /** Headings: 1 to 6. */
  readonly level?: number;
  /** Tables: where the header rows end (an offset into the text), so that each chunk can repeat them. */
  readonly headerEnd?: number;
  /** Tables of a sheet: where in the sheet their rows and columns are, so that a cell has its address. */
  readonly sheetCells?: SheetCells;
}

export interface SheetCells {
  /** Runs of consecutive rows: the first row's number, counted from 1, and how many there are. */
  readonly rows: readonly (readonly [first: number, count: number])[];
  /** Counted from 0. */
  readonly columns: readonly number[];
}

export interface PageReport {
  readonly place: Place;
  readonly method: "text" | "ocr" | "none";
  readonly characters: number;
  /** OCR only: 0 to 1. */
  readonly confidence?: number;
  /** OCR only: where in the document's text words are that may be misread. */
  readonly uncertain?: readonly (readonly [start: number, end: number])[];
}

/** Why people do not see a text: how its format hides it, or where it is. */
export const HIDDEN_KINDS = [
  "hidden",
  "same-colour",
  "too-small",
  "transparent",
  "covered",
  "off-page",
  "characters",
  "comment",
  "metadata",
] as const;
export type HiddenKind = (typeof HIDDEN_KINDS)[number];

/** Text that people do not see. It is kept beside the document's text, and never chunked. */
export interface HiddenText {
  readonly place: Place;
  readonly kind: HiddenKind;
  readonly text: string;
}

export interface ExtractedDocument {
  /** The format of the content; the file's name may differ. */
  readonly format: Format;
  readonly method: ProcessingMethod;
  readonly title?: string;
  /** Markdown; NFC, without NUL, lone surrogates, zero-width, bidi or tag characters. */
  readonly text: string;
  readonly blocks: readonly Block[];
  readonly pages: readonly PageReport[];
  /** Absent if there is none. */
  readonly hidden?: readonly HiddenText[];
  /** The file's own metadata: the front matter of Markdown. */
  readonly metadata?: Metadata;
  /** For people: pages without text, a wrong extension, truncated content. */
  readonly warnings: readonly Message[];
}

/** Exactly `text.slice(start, end)` of its document. */
export interface Chunk {
  readonly ordinal: number;
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly place: Place;
  /** The last page, slide or sheet it reaches, where that differs from `place`. */
  readonly until?: Place;
  readonly headings: readonly string[];
  /** A table's header rows, if the slice comes from the table's later rows. */
  readonly tableHeader?: string;
}

export type Metadata = Readonly<Record<string, unknown>>;

/** A document as it is stored. */
export interface StoredDocument {
  readonly id: string;
  /** Absent for the general one. */
  readonly scope?: string;
  readonly filename: string;
  /** Where it was added from; absent for uploads. Never leaves the host in error messages. */
  readonly sourcePath?: string;
  readonly contentHash: string;
  readonly format: Format;
  readonly sizeBytes: number;
  readonly title?: string;
  readonly dateAdded: string;
  readonly chunkCount: number;
  readonly method: ProcessingMethod;
  readonly pages: readonly PageReport[];
  readonly warnings: readonly Message[];
  readonly metadata: Metadata;
}
