// A document's original as pictures: rendered by the reader processes, cached for a while.

import { defined } from "../../domain/defined.ts";
import {
  PAINTED,
  type PaintedFormat,
  SEEN,
  type SeenFormat,
  type StoredDocument,
} from "../../domain/document.ts";
import { KnowledgeError } from "../../domain/errors.ts";
import type { PageRequest, PageView } from "../../extract/extract.ts";
import type { PageWanted } from "../operations.ts";
import type { ImageSize } from "./contract.ts";
import { openResultCache } from "./result-cache.ts";
import type { DocumentRooms } from "./tool.ts";

// Pixels across: a thumbnail, a page beside its text on a fine screen, one to look at closely.
const WIDTHS: Readonly<Record<ImageSize, number>> = { small: 220, normal: 1_100, large: 2_000 };
// About three hundred pages.
const CACHE_BYTES = 48 * 1024 * 1024;
// Changed whenever rendering changes, so that no browser shows an old page.
const PAINTER = 1;

/** For documents that the caller sees. */
export function pageOperations(rooms: DocumentRooms) {
  const pages = openPages(rooms, CACHE_BYTES);
  return {
    originalView: (document: StoredDocument) => viewOf(rooms, document),
    async showPage(
      { document, page, want }: Omit<PageWanted, "documentId"> & Pick<Painting, "document">,
      signal: AbortSignal,
    ) {
      const version = versionOf(document);
      return { ...(await pages.view({ document, page, want: toWant(want) }, signal)), version };
    },
  };
}

interface Painting extends Pick<PageRequest, "page" | "sheet" | "want"> {
  readonly document: StoredDocument;
}

export type Pages = ReturnType<typeof openPages>;

/** Rejects for formats without pages. */
export function openPages(rooms: DocumentRooms, mostBytes: number) {
  const cache = openResultCache<PageView>({ mostBytes, sizeOf: bytesOf });
  return {
    view(painting: Painting, signal: AbortSignal): Promise<PageView> {
      const { document, page, sheet, want } = painting;
      const isOneSize = isDrawn(document.format) && want.kind === "image";
      const wanted = isOneSize ? "drawing" : JSON.stringify({ want, sheet });
      const key = `${versionOf(document)}/${page}/${wanted}`;
      return cache.get(key, (ours) => paint(rooms, painting, ours), signal);
    },
  };
}

async function viewOf(rooms: DocumentRooms, document: StoredDocument) {
  const { format, contentHash, pages } = document;
  const isDrawing = format === "svg";
  if (!isDrawing && !isPainted(format)) return { kind: "text-only" } as const;
  if (!(await (await rooms.store()).originals.has(contentHash)))
    return { kind: "missing" } as const;
  const version = versionOf(document);
  if (isDrawing) return { kind: "drawing", version } as const;
  const count = pages.reduce(
    (most, { place }) => Math.max(most, place.page ?? place.slide ?? 1),
    1,
  );
  return { kind: "pages", unit: isDrawn(format) ? "slide" : "page", count, version } as const;
}

async function paint(rooms: DocumentRooms, painting: Painting, signal: AbortSignal) {
  const { document, page, sheet, want } = painting;
  const { format, contentHash } = document;
  if (!isSeen(format)) {
    throw new KnowledgeError(
      "RESOURCE_NOT_FOUND",
      "Documents of this format have no pages to show.",
    );
  }
  const original = await (await rooms.store()).originals.open(contentHash);
  try {
    const { path } = original;
    const extract = await rooms.extract();
    const request = { path, format, page, want, ...defined({ sheet }) };
    return await extract.viewPage(request, { signal });
  } finally {
    await original.release();
  }
}

function toWant(want: PageWanted["want"]): PageRequest["want"] {
  return want === "words" ? { kind: "words" } : { kind: "image", width: WIDTHS[want] };
}

export function isSeen(format: string): format is SeenFormat {
  return SEEN.some((each) => each === format);
}

function isPainted(format: string): format is PaintedFormat {
  return PAINTED.some((each) => each === format);
}

/** A drawing is sharp at any size. */
export function isDrawn(format: string): boolean {
  return format === "pptx";
}

function versionOf({ contentHash }: StoredDocument): string {
  return `${contentHash.slice(0, 16)}-${PAINTER}`;
}

function bytesOf(page: PageView): number {
  return page.kind === "image" ? page.bytes.length : page.words.length * 100;
}
