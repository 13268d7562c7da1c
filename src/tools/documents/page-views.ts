// A document's original as pictures: rendered by the reader processes, cached for a while.
import { PAINTED, type PaintedFormat, type StoredDocument } from "../../domain/document.ts";
import { KnowledgeError } from "../../domain/errors.ts";
import type { PageRequest } from "../../extract/extract.ts";
import type { Operations, PageWanted, ShownPage } from "../operations.ts";
import type { ImageSize } from "./contract.ts";
import { openResultCache } from "./result-cache.ts";
import { type DocumentRooms, documentOf } from "./tool.ts";

// Pixels across: a thumbnail, a page beside its text on a fine screen, one to look at closely.
const WIDTHS: Readonly<Record<ImageSize, number>> = { small: 220, normal: 1_100, large: 2_000 };
// About three hundred pages.
const CACHE_BYTES = 48 * 1024 * 1024;
// Changed whenever rendering changes, so that no browser shows an old page.
const PAINTER = 1;

export function pageOperations(
  rooms: DocumentRooms,
): Pick<Operations, "originalView" | "showPage"> {
  const cache = openResultCache<ShownPage>({ mostBytes: CACHE_BYTES, sizeOf: bytesOf });
  return {
    originalView: async (documentId) => viewOf(rooms, await documentOf(rooms, documentId)),
    async showPage(wanted, signal) {
      const document = await documentOf(rooms, wanted.documentId);
      const version = versionOf(document);
      const isOneSize = isDrawn(document.format) && wanted.want !== "words";
      const key = `${version}/${wanted.page}/${isOneSize ? "drawing" : wanted.want}`;
      return cache.get(key, (ours) => paint(rooms, { document, wanted }, ours), signal);
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

interface Painting {
  readonly document: StoredDocument;
  readonly wanted: PageWanted;
}

async function paint(rooms: DocumentRooms, { document, wanted }: Painting, signal: AbortSignal) {
  const { format, contentHash } = document;
  if (!isPainted(format)) {
    throw new KnowledgeError(
      "RESOURCE_NOT_FOUND",
      "Documents of this format have no pages to show.",
    );
  }
  const version = versionOf(document);
  const want = toWant(wanted.want);
  const original = await (await rooms.store()).originals.open(contentHash);
  try {
    const { path } = original;
    const extract = await rooms.extract();
    const view = await extract.viewPage({ path, format, page: wanted.page, want }, { signal });
    return { ...view, version };
  } finally {
    await original.release();
  }
}

function toWant(want: PageWanted["want"]): PageRequest["want"] {
  return want === "words" ? { kind: "words" } : { kind: "image", width: WIDTHS[want] };
}

function isPainted(format: string): format is PaintedFormat {
  return PAINTED.some((each) => each === format);
}

/** A drawing is sharp at any size. */
function isDrawn(format: string): boolean {
  return format === "pptx" || format === "odp";
}

function versionOf({ contentHash }: StoredDocument): string {
  return `${contentHash.slice(0, 16)}-${PAINTER}`;
}

function bytesOf(page: ShownPage): number {
  return page.kind === "image" ? page.bytes.length : page.words.length * 100;
}
