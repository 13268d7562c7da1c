// A page of a document as an image for a model, with the words that it asks for marked.
import type { z } from "zod";
import { defined } from "../../domain/defined.ts";
import type { ExtractedDocument, StoredDocument } from "../../domain/document.ts";
import { KnowledgeError } from "../../domain/errors.ts";
import { boxesOfText, joinParagraphs, plain } from "../../text/page-boxes.ts";
import type { Given } from "../contract.ts";
import { isDrawn, isPainted, type Pages } from "./page-views.ts";
import type { seen } from "./read-shapes.ts";
import { documentUri, invalidParameter, respond } from "./tool.ts";

export interface Sight {
  readonly document: StoredDocument;
  readonly extracted: ExtractedDocument;
  /** Undefined for the page that has the quote, else the one at `from`. */
  readonly page: number | undefined;
  /** A place in the text. */
  readonly from: number;
  readonly quote: string | undefined;
}

type Seen = Given<z.output<typeof seen>>;

export async function seePage(pages: Pages, sight: Sight, signal: AbortSignal) {
  const { document, quote = "" } = sight;
  const { id, filename, format, title, scope } = document;
  const page = sight.page ?? pageOf(sight);
  const marks = quote === "" ? [] : await marksOf(pages, { document, page, quote }, signal);
  const view = await pages.view({ document, page, want: { kind: "close-up", marks } }, signal);
  if (view.kind !== "image" || view.part === undefined)
    throw new KnowledgeError("INTERNAL", "The page was not painted.");
  const { bytes, width, height, part } = view;
  const shares = [part.x, part.y, part.width, part.height].map((each) => Number(each.toFixed(4)));
  const payload: Seen = {
    success: true,
    document_id: id,
    filename,
    format,
    ...defined({ title, scope }),
    page_num: page,
    ...(isDrawn(format) && { slide_num: page }),
    image: { width, height, part: shares, marked: marks.length > 0 },
    message: describe(sight, {
      page,
      isWhole: part.width * part.height === 1,
      marks: marks.length,
    }),
    resource: documentUri(id),
  };
  return { ...respond(payload), images: [bytes] };
}

/** Of a document that cannot be seen. */
export function refuseUnseen({ format }: StoredDocument): void {
  if (isPainted(format)) return;
  throw invalidParameter(
    "as",
    `${format} documents have no page images; leave it out to read the text`,
  );
}

interface Described {
  readonly page: number;
  readonly isWhole: boolean;
  readonly marks: number;
}

function describe({ document, quote }: Sight, { page, isWhole, marks }: Described): string {
  const unit = isDrawn(document.format) ? "Slide" : "Page";
  const shown = `${unit} ${page}${isWhole ? "" : ", the part around the words"}`;
  if (marks > 0) return `${shown}. The words are framed in red.`;
  return quote === undefined ? `${shown}.` : `${shown}. The words were not found on it.`;
}

interface Quoted {
  readonly document: StoredDocument;
  readonly page: number;
  readonly quote: string;
}

async function marksOf(pages: Pages, { document, page, quote }: Quoted, signal: AbortSignal) {
  const view = await pages.view({ document, page, want: { kind: "words" } }, signal);
  return view.kind === "words" ? joinParagraphs(boxesOfText(view.words, quote)) : [];
}

// Of a quote that goes on to the next page, so much is on the first one.
const BEGINNING = 30;

/** Looks from `from` on, and then before it. */
function pageOf({ extracted, from, quote }: Sight): number {
  const texts = textsByPage(extracted);
  const numbers = [...texts.keys()];
  const first = numberOf(extracted.blocks.findLast(({ start }) => start <= from));
  if (quote === undefined) return first;
  const at = Math.max(0, numbers.indexOf(first));
  const order = [...numbers.slice(at), ...numbers.slice(0, at)];
  const wanted = plain(quote);
  const has = (part: string) =>
    order.find((number) => plain(texts.get(number) ?? "").includes(part));
  const found = has(wanted) ?? has(wanted.slice(0, BEGINNING));
  if (found !== undefined) return found;
  throw invalidParameter("quote", "the document has no such words; copy them from its text");
}

function textsByPage({ text, blocks }: ExtractedDocument): ReadonlyMap<number, string> {
  const texts = new Map<number, string>();
  for (const block of blocks) {
    const number = numberOf(block);
    texts.set(number, `${texts.get(number) ?? ""}${text.slice(block.start, block.end)}`);
  }
  return texts;
}

function numberOf(block: ExtractedDocument["blocks"][number] | undefined): number {
  return block?.place.page ?? block?.place.slide ?? 1;
}
