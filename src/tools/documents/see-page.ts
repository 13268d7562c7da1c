// A page, slide, sheet or picture of a document as an image for a model, with the words that it asks for marked.
import type { z } from "zod";
import type { ExtractedDocument, Place, StoredDocument } from "../../domain/document.ts";
import { KnowledgeError } from "../../domain/errors.ts";
import type { SheetPart } from "../../extract/extract.ts";
import { boxesOfText, joinParagraphs, plain } from "../../text/page-boxes.ts";
import type { Given } from "../contract.ts";
import { isDrawn, isSeen, type Pages } from "./page-views.ts";
import type { Span } from "./part-of.ts";
import type { seen } from "./shapes.ts";
import { sheetPart } from "./sheet-part.ts";
import {
  type DocumentRooms,
  documentOf,
  documentUri,
  extractedOf,
  invalidParameter,
  toHead,
  toPlacePayload,
} from "./tool.ts";

export interface Sight {
  readonly document: StoredDocument;
  readonly extracted: ExtractedDocument;
  /** A page or slide by its number, a sheet by its name; undefined for the one that has the quote, else the one at `from`. */
  readonly page: string | undefined;
  /** A place in the text. */
  readonly from: number;
  readonly quote: string | undefined;
}

export const PNG = "image/png";

/** Where a passage can be seen. */
export function imageUri(documentId: string, place: string): string {
  return `${documentUri(documentId)}/images/${encodeURIComponent(place)}`;
}

/** A page by its number or name, or a passage by its id, which is marked. */
export async function seePlace(
  rooms: DocumentRooms,
  pages: Pages,
  { id, place }: { readonly id: string; readonly place: string },
  signal: AbortSignal,
): Promise<Uint8Array> {
  const [document, extracted] = await Promise.all([documentOf(rooms, id), extractedOf(rooms, id)]);
  refuseUnseen(document);
  const chunks = await (await rooms.store()).documents.chunksOf(id);
  const chunk = chunks.find((each) => each.id === place);
  const sight = chunk
    ? { page: undefined, from: chunk.start, quote: extracted.text.slice(chunk.start, chunk.end) }
    : { page: place, from: 0, quote: undefined };
  const { images } = await seePage(pages, { document, extracted, ...sight }, signal);
  return images[0];
}

type Seen = Given<z.output<typeof seen>>;

export async function seePage(pages: Pages, sight: Sight, signal: AbortSignal) {
  const { document, quote = "" } = sight;
  const shown = toShown(sight);
  const see = (want: Parameters<Pages["view"]>[0]["want"]) =>
    pages.view({ document, ...shown, want }, signal);
  const words = quote === "" ? undefined : await see({ kind: "words" });
  const marks = words?.kind === "words" ? joinParagraphs(boxesOfText(words.words, quote)) : [];
  const view = await see({ kind: "close-up", marks });
  if (view.kind !== "image" || view.part === undefined)
    throw new KnowledgeError("INTERNAL", "The page was not painted.");
  const { bytes, width, height, part } = view;
  const shares = [part.x, part.y, part.width, part.height].map((each) => Number(each.toFixed(4)));
  const payload: Seen = {
    ...toHead(document),
    ...toPlacePayload(shown.place),
    image: { width, height, part: shares, marked: marks.length > 0 },
    message: describe(sight, {
      ...shown,
      isWhole: part.width * part.height === 1,
      marks: marks.length,
    }),
  };
  return { payload, images: [bytes] as const };
}

/** Of a document that cannot be seen. */
export function refuseUnseen({ format }: StoredDocument): void {
  if (isSeen(format)) return;
  throw invalidParameter(
    "as",
    `${format} documents have no page images; leave it out to read the text`,
  );
}

interface Shown {
  readonly place: Place;
  /** Counted from 1; sheets count in the file's order. */
  readonly page: number;
  readonly sheet?: SheetPart;
}

interface Described extends Shown {
  readonly isWhole: boolean;
  readonly marks: number;
}

function describe({ quote }: Sight, { place, page, sheet, isWhole, marks }: Described): string {
  const rows = sheet?.rows.flatMap(({ row }) => row ?? []) ?? [];
  const range = rows.length > 1 ? `, rows ${Math.min(...rows)} to ${Math.max(...rows)}` : "";
  const name = place.sheet === undefined ? "" : `Sheet ${JSON.stringify(place.sheet)}${range}`;
  const numbered = place.slide === undefined ? `Page ${page}` : `Slide ${page}`;
  const shown = `${name || numbered}${isWhole ? "" : ", the part around the words"}`;
  if (marks > 0) return `${shown}. The words are framed in red.`;
  return quote === undefined ? `${shown}.` : `${shown}. The words were not found on it.`;
}

function toShown(sight: Sight): Shown {
  const { document, extracted, from, quote, page } = sight;
  const place = page === undefined ? placeOf(sight) : placeNamed(page, document, extracted);
  if (place.sheet === undefined) return { place, page: place.page ?? place.slide ?? 1 };
  const blocks = extracted.blocks.filter((block) => keyOf(block.place) === keyOf(place));
  const isHere = blocks.some(({ start, end }) => start <= from && from < end);
  const near = isHere ? { start: from, end: from + 1 } : { start: 0, end: 0 };
  const found = quote === undefined ? undefined : findLetters(extracted.text, blocks, quote);
  return {
    place,
    page: 1 + extracted.pages.findIndex((report) => report.place.sheet === place.sheet),
    sheet: sheetPart(extracted, place.sheet, found ?? near),
  };
}

/** A page or slide by its number, a sheet by its name or number. */
function placeNamed(page: string, { format }: StoredDocument, { pages }: ExtractedDocument): Place {
  const sheets = pages.filter(({ place }) => place.sheet !== undefined);
  const sheet = sheets.find(({ place }) => place.sheet === page) ?? sheets[Number(page) - 1];
  if (sheet !== undefined) return sheet.place;
  const number = Number(page);
  if (sheets.length > 0 || !Number.isInteger(number) || number < 1)
    throw invalidParameter("page", "the document has no such page, slide or sheet");
  return isDrawn(format) ? { slide: number } : { page: number };
}

// Of a quote that goes on to the next page, so much is on the first one.
const BEGINNING = 30;

/** Where the quote is, from `from` on and then before it; without one, the place at `from`. */
function placeOf({ extracted, from, quote }: Sight): Place {
  const { text, blocks } = extracted;
  const first = blocks.findLast(({ start }) => start <= from)?.place ?? {};
  if (quote === undefined) return numbered(first);
  const places = Map.groupBy(blocks, ({ place }) => keyOf(place));
  const keys = [...places.keys()];
  const at = Math.max(0, keys.indexOf(keyOf(first)));
  const texts = [...keys.slice(at), ...keys.slice(0, at)].map((key) => {
    const own = places.get(key) ?? [];
    const letters = plain(own.map(({ start, end }) => text.slice(start, end)).join(""));
    return { place: own[0]?.place ?? {}, letters };
  });
  const wanted = plain(quote);
  const has = (part: string) => texts.find(({ letters }) => letters.includes(part));
  const found = has(wanted) ?? has(wanted.slice(0, BEGINNING));
  if (found !== undefined) return numbered(found.place);
  throw invalidParameter("quote", "the document has no such words; copy them from its text");
}

/** A document without pages is one page. */
function numbered(place: Place): Place {
  return Object.keys(place).length === 0 ? { page: 1 } : place;
}

function keyOf(place: Place): string {
  return JSON.stringify(numbered(place));
}

/** Where the quote's letters are in the blocks, or its first ones. */
function findLetters(text: string, blocks: readonly Span[], quote: string): Span | undefined {
  const letters: { readonly letter: string; readonly at: number }[] = [];
  for (const { start, end } of blocks)
    for (let at = start; at < end; at += 1)
      for (const letter of plain(text.charAt(at))) letters.push({ letter, at });
  const all = letters.map(({ letter }) => letter).join("");
  for (const wanted of [plain(quote), plain(quote).slice(0, BEGINNING)]) {
    const first = all.indexOf(wanted);
    const [start, end] = [letters[first]?.at, letters[first + wanted.length - 1]?.at];
    if (wanted !== "" && start !== undefined && end !== undefined) return { start, end: end + 1 };
  }
  return undefined;
}
