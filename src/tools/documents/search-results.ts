// Passages in the contract's form, cut so that the whole result fits into a model's context.
import { defined } from "../../domain/defined.ts";
import type { Metadata, PageReport } from "../../domain/document.ts";
import { isReadByOcr, uncertainWords } from "../../domain/ocr-pages.ts";
import type { Passage } from "../../domain/passage.ts";
import { count } from "../../text/english/count.ts";
import { queryWords } from "../../text/highlights.ts";
import type { SearchResult } from "./contract.ts";
import { documentUri, toPlacePayload } from "./tool.ts";

// Clients refuse tool results over 25,000 tokens; the estimate below errs by a tenth at most.
const MAX_TOKENS = 22_000;
const MAX_METADATA_CHARACTERS = 1_000;

export interface Shown {
  readonly query: string;
  readonly max_chars: number;
  readonly explain?: boolean | undefined;
  /** How its document's pages were read. */
  readonly pagesOf: (passage: Passage) => readonly PageReport[];
}

export function toResults(passages: readonly Passage[], shown: Shown) {
  const results: SearchResult[] = [];
  let tokens = 0;
  for (const passage of passages) {
    const isNew = !results.some(({ document_id }) => document_id === passage.documentId);
    const result = toResult(passage, { ...shown, withTitle: isNew });
    tokens += estimateTokens(JSON.stringify(result));
    if (tokens > MAX_TOKENS && results.length > 0) break;
    results.push(result);
  }
  return { results, omitted: passages.length - results.length };
}

function toResult(passage: Passage, shown: Shown & { readonly withTitle: boolean }): SearchResult {
  const { query, max_chars, explain = false, pagesOf, withTitle } = shown;
  const { place, until, headings, title, revision = 1, url, modified, supersededBy } = passage;
  const text = snippet(withTableHeader(passage, max_chars), query, max_chars);
  const uncertain = uncertainWords(pagesOf(passage), passage, text);
  const isOcr = isReadByOcr(pagesOf(passage), place.page, (until ?? place).page);
  return {
    document_id: passage.documentId,
    chunk_id: passage.chunkId,
    filename: passage.filename,
    ...defined({ scope: passage.scope }),
    chunk_text: text,
    ...(revision > 1 ? { revision } : {}),
    relevance_score: passage.score,
    strength: passage.strength,
    ...(isOcr ? { ocr: true } : {}),
    ...(uncertain.length === 0 ? {} : { uncertain: [...uncertain] }),
    // Sent once per document, like its title.
    ...(withTitle ? { resource: documentUri(passage.documentId) } : {}),
    metadata: {
      // The user's metadata never hides the document's facts.
      ...small(passage.metadata),
      format: passage.format,
      ...toPlacePayload(place),
      ...(until && { until: toPlacePayload(until) }),
      date_added: passage.dateAdded,
      ...defined({ url, modified, age: ageOf(modified), superseded_by: supersededBy }),
      // Sent once per document: a model reads, and somebody pays for, every result.
      ...(title === undefined || !withTitle ? {} : { title: title.slice(0, 300) }),
      ...(headings.length === 0 ? {} : { headings: headings.map((each) => each.slice(0, 200)) }),
      span: { start: passage.start, end: passage.end },
      ...(explain ? { score_parts: toParts(passage) } : {}),
    },
  };
}

const YEAR_MS = 365.25 * 24 * 3_600_000;

/** In words, for what may no longer hold. */
export function ageOf(modified: string | undefined): string | undefined {
  const years = Math.floor((Date.now() - Date.parse(modified ?? "")) / YEAR_MS);
  return years >= 1 ? `${count(years, "year")} old` : undefined;
}

/**
 * The same for a model that reads the text: without what only programs use (the place in the document's text, an
 * address made of the document's id), and what was already sent for a document.
 */
export function toTextResults(results: readonly SearchResult[]): readonly object[] {
  const seen = new Set<string>();
  const titles = new Map(
    results.flatMap(({ document_id, metadata: { title } }) =>
      title ? [[document_id, title]] : [],
    ),
  );
  return results.map(({ resource: _resource, metadata, ...result }) => {
    const isFirst = !seen.has(result.document_id);
    seen.add(result.document_id);
    const { span: _span, headings = [], date_added, ...all } = metadata;
    const known = Object.entries(all).filter(([key]) => isFirst || OF_RESULT.has(key));
    const below = headings.filter((heading) => heading !== titles.get(result.document_id));
    const said = {
      ...Object.fromEntries(known),
      date_added: date_added.replace(/\.\d+Z$/, "Z"),
      ...(below.length === 0 ? {} : { headings: below }),
    };
    return { ...result, metadata: said };
  });
}

const OF_RESULT = new Set(["format", "page_num", "slide_num", "sheet", "until", "score_parts"]);

function toParts({ parts }: Passage): NonNullable<SearchResult["metadata"]["score_parts"]> {
  const shown = (part?: number) => part && Math.round(part * 1_000) / 1_000;
  return defined({ lexical: shown(parts.lexical), vector: shown(parts.vector) });
}

/** Rows mean nothing without their column names. */
function withTableHeader({ text, tableHeader }: Passage, maxChars: number): string {
  return tableHeader === undefined || tableHeader.length > maxChars / 2
    ? text
    : `${tableHeader}\n${text}`;
}

function small(metadata: Metadata): Metadata {
  let left = MAX_METADATA_CHARACTERS;
  return Object.fromEntries(
    Object.entries(metadata).filter(([key, value]) => {
      left -= key.length + (JSON.stringify(value)?.length ?? 0);
      return left >= 0;
    }),
  );
}

/** English has some four characters to a token, in JSON some three; other scripts about one. */
function estimateTokens(text: string): number {
  const wide = text.match(/[\u0250-\uffff]/g)?.length ?? 0;
  return Math.ceil((text.length - wide) / 3 + wide * 1.3);
}

/** The part of `text` that holds the query's words, at most `maxChars` long, with an ellipsis where it is cut. */
export function snippet(text: string, query: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const room = maxChars - 2;
  const start = toWordStart(text, bestStart(text, query, room));
  const end = toPair(text, Math.min(text.length, start + room));
  const head = start === 0 ? "" : "…";
  const tail = end === text.length ? "" : "…";
  return `${head}${text.slice(start, end)}${tail}`;
}

/** The window with the most different words of the query. */
function bestStart(text: string, query: string, room: number): number {
  const lower = text.toLowerCase();
  const places = queryWords(query.toLowerCase())
    .flatMap((word) => {
      const at = lower.indexOf(word);
      return at < 0 ? [] : [at];
    })
    .sort((a, b) => a - b);
  let best = 0;
  let most = 0;
  for (const [index, at] of places.entries()) {
    const count = places.slice(index).filter((place) => place < at + room * 0.8).length;
    if (count > most) {
      most = count;
      best = at;
    }
  }
  // A little text before the words gives them context.
  return Math.max(0, Math.min(best - Math.floor(room * 0.2), text.length - room));
}

function toWordStart(text: string, at: number): number {
  if (at === 0) return 0;
  const space = text.slice(at, at + 30).search(/\s/);
  return space < 0 ? toPair(text, at) : at + space + 1;
}

function toPair(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  return unit >= 0xdc00 && unit <= 0xdfff ? at - 1 : at;
}
