// A segment as bytes. Its terms are in pages of about a kilobyte, so that a search reads only those with its terms:
//
//   chunks    count, then key (difference to the one before), document (the same), length of each
//   pages     the first term of each page
//   a page    terms: spelling, number of chunks, bytes of its list;   lists: one after the other
//   a list    for each chunk its place (difference) × 2, plus 1 if the number of times follows
import { ByteReader, ByteWriter } from "./bytes.ts";
import { type Added, type ChunkTable, type Postings, placeOf, sumOf, timesOf } from "./segment.ts";
import { toTermFilter } from "./term-filter.ts";

/** Smaller pages would make more rows, larger ones would make searches read more of what they do not need. */
const PAGE_BYTES = 1024;
/** Page numbers are below it. */
export const MAX_PAGES = 65_536;

export interface EncodedSegment {
  readonly added: number;
  readonly removed: number;
  /** Of all added chunks. */
  readonly length: number;
  readonly chunks: Uint8Array;
  readonly pages: Uint8Array;
  /** From `toTermFilter`. */
  readonly filter: Uint8Array;
  readonly content: readonly EncodedPage[];
}

export interface EncodedPage {
  readonly terms: Uint8Array;
  readonly lists: Uint8Array;
}

export function encodeAdded(segment: Added): EncodedSegment {
  const { keys, docs, lengths } = segment;
  const bytes = new ByteWriter();
  bytes.number(keys.length);
  keys.forEach((key, at) => {
    bytes.number(key - (keys[at - 1] ?? 0));
    bytes.number(zigzag((docs[at] as number) - (docs[at - 1] ?? 0)));
    bytes.number(lengths[at] as number);
  });
  const chunks = bytes.take();
  const terms = [...segment.terms].map(([term, list]) => ({ term, count: list.length, list }));
  return {
    added: keys.length,
    removed: 0,
    length: sumOf(lengths),
    chunks,
    ...encodePages(terms),
  };
}

/** `keys` ascend. */
export function encodeRemoved(keys: readonly number[]): EncodedSegment {
  const bytes = new ByteWriter();
  bytes.number(keys.length);
  keys.forEach((key, at) => {
    bytes.number(key - (keys[at - 1] ?? 0));
  });
  const chunks = bytes.take();
  return { added: 0, removed: keys.length, length: 0, chunks, ...encodePages([]) };
}

interface CountedTerm {
  readonly term: string;
  readonly count: number;
  readonly list: Postings;
}

function encodePages(all: CountedTerm[]): Pick<EncodedSegment, "pages" | "filter" | "content"> {
  const terms = all.sort((a, b) => (a.term < b.term ? -1 : 1));
  const size = sumOf(terms.map(({ term, list }) => term.length + list.length));
  const maxBytes = Math.max(PAGE_BYTES, (4 * size) / MAX_PAGES);
  const directory = new ByteWriter();
  const page = { terms: new ByteWriter(), lists: new ByteWriter() };
  const content: EncodedPage[] = [];
  const finish = () => content.push({ terms: page.terms.take(), lists: page.lists.take() });
  for (const { term, count, list } of terms) {
    const before = page.lists.length;
    // A posting has at least one byte.
    if (before > 0 && page.terms.length + before + list.length > maxBytes) finish();
    if (page.terms.length === 0) directory.text(term);
    const from = page.lists.length;
    writeList(page.lists, list);
    page.terms.text(term);
    page.terms.number(count);
    page.terms.number(page.lists.length - from);
    if (page.terms.length + page.lists.length > maxBytes) finish();
  }
  if (page.terms.length > 0) finish();
  const filter = toTermFilter(terms.map(({ term }) => term));
  return { pages: directory.take(), filter, content };
}

function writeList(bytes: ByteWriter, list: Postings): void {
  let before = -1;
  for (let at = 0; at < list.length; at++) {
    const posting = list[at] as number;
    const times = timesOf(posting);
    bytes.number((placeOf(posting) - before - 1) * 2 + (times > 1 ? 1 : 0));
    if (times > 1) bytes.number(times);
    before = placeOf(posting);
  }
}

function zigzag(value: number): number {
  return value < 0 ? -2 * value - 1 : 2 * value;
}

function unzigzag(value: number): number {
  return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
}

export function decodeTable(chunks: Uint8Array): ChunkTable {
  const bytes = new ByteReader(chunks);
  const count = bytes.number();
  const keys: number[] = [];
  const docs: number[] = [];
  const lengths: number[] = [];
  let key = 0;
  let doc = 0;
  for (let at = 0; at < count; at++) {
    key += bytes.number();
    doc += unzigzag(bytes.number());
    keys.push(key);
    docs.push(doc);
    lengths.push(bytes.number());
  }
  return { keys, docs, lengths };
}

export function decodeKeys(chunks: Uint8Array): number[] {
  const bytes = new ByteReader(chunks);
  let key = 0;
  return Array.from({ length: bytes.number() }, () => {
    key += bytes.number();
    return key;
  });
}

export function decodeDirectory(pages: Uint8Array): string[] {
  const bytes = new ByteReader(pages);
  const terms: string[] = [];
  while (!bytes.isAtEnd) terms.push(bytes.text());
  return terms;
}

export interface PageTerm {
  readonly term: string;
  readonly count: number;
  /** Where its list is among the page's lists. */
  readonly from: number;
  readonly to: number;
}

export function* decodeTerms(terms: Uint8Array): Generator<PageTerm> {
  const bytes = new ByteReader(terms);
  let from = 0;
  while (!bytes.isAtEnd) {
    const term = bytes.text();
    const count = bytes.number();
    const to = from + bytes.number();
    yield { term, count, from, to };
    from = to;
  }
}

/** Like decodeTerms, but compares the bytes of the term, because most terms of a page are not wanted. */
export function findInPage(
  terms: Uint8Array,
  wanted: Uint8Array,
): Omit<PageTerm, "term"> | undefined {
  const bytes = new ByteReader(terms);
  let from = 0;
  while (!bytes.isAtEnd) {
    const isWanted = bytes.skipText(wanted);
    const count = bytes.number();
    const to = from + bytes.number();
    if (isWanted) return { count, from, to };
    from = to;
  }
  return undefined;
}

/** Without a reader's calls, because most of a search's bytes are read here. */
export function decodeList(list: Uint8Array, count: number): Uint32Array {
  const postings = new Uint32Array(count);
  let at = 0;
  let place = -1;
  for (let index = 0; index < count; index++) {
    let byte = list[at++] as number;
    let value = byte & 127;
    for (let shift = 7; byte > 127; shift += 7) {
      byte = list[at++] as number;
      value |= (byte & 127) << shift;
    }
    place += 1 + (value >>> 1);
    let times = 1;
    if ((value & 1) === 1) {
      byte = list[at++] as number;
      times = byte < 128 ? byte : (byte & 127) | ((list[at++] as number) << 7);
    }
    postings[index] = (place << 8) | times;
  }
  return postings;
}

/** What the segment holds, for a merge. */
export function decodeAdded(chunks: Uint8Array, content: Iterable<EncodedPage>): Added {
  const terms = new Map<string, Postings>();
  for (const page of content) {
    for (const { term, count, from, to } of decodeTerms(page.terms)) {
      terms.set(term, decodeList(page.lists.subarray(from, to), count));
    }
  }
  return { ...decodeTable(chunks), terms };
}
