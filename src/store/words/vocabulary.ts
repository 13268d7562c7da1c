// Finds terms with a similar spelling or a given prefix among the terms of all segments. A set of letters in bits
// excludes most of them before any distance is computed. The vocabulary is loaded with the first query and follows the
// index: new segments are read, others dropped.
import { editDistance } from "../../text/edit-distance.ts";
import { type Connection, sql } from "../sql.ts";
import { decodeTerms, MAX_PAGES } from "./format/encode.ts";
import { type IndexSnapshot, type LoadedSegment, readSettled } from "./index-snapshot.ts";
import type { ReadIndex } from "./term-postings.ts";

export function openSimilarTerms(
  follow: (db: Connection) => Promise<IndexSnapshot>,
  index: ReadIndex,
) {
  let lists: ReadonlyMap<LoadedSegment, TermList> = new Map();
  const readOnce = async (db: Connection) => {
    const snapshot = await follow(db);
    const missing = snapshot.segments.filter((segment) => !lists.has(segment));
    const rows = (await db.together(missing.map((segment) => pagesOf(db, segment)))) as {
      readonly terms: Uint8Array;
    }[][];
    const isComplete = missing.every(({ pages }, at) => rows[at]?.length === pages.length);
    if (!isComplete && (await follow(db)) !== snapshot) return undefined;
    const fresh = missing.map((segment, at) => {
      return [segment, toTermList((rows[at] ?? []).map((row) => row.terms))] as const;
    });
    const current = new Set(snapshot.segments);
    lists = new Map([...lists, ...fresh].filter(([segment]) => current.has(segment)));
    return { lists: [...lists.values()], isCounted: !db.sight && snapshot.gone.size === 0 };
  };
  const read = (db: Connection) => readSettled(() => readOnce(db));
  return {
    async similarTerms(db: Connection, terms: readonly string[], limit: number) {
      const { lists: all, isCounted } = await read(db);
      const found = terms.map((term) => similarIn(all, term.toWellFormed()));
      const counts = isCounted ? undefined : await recount(db, index, found.flat());
      return found.map((each) => mostFrequent(counts ? each.map(counts) : each, limit));
    },
    async termsStartingWith(db: Connection, prefix: string, limit: number) {
      const { lists: all, isCounted } = await read(db);
      const found = startingIn(all, prefix.toWellFormed());
      const counted = isCounted ? found : found.map(await recount(db, index, found));
      return mostFrequent(shortest(counted), limit);
    },
  };
}

/** The counts of what the caller sees, without removed chunks. */
async function recount(db: Connection, index: ReadIndex, found: readonly Counted[]) {
  const { terms } = await index(db, [...new Set(found.map(([term]) => term))]);
  return ([term]: Counted): Counted => [term, terms.get(term)?.frequency ?? 0];
}

function pagesOf({ kb }: Connection, { number }: LoadedSegment) {
  return sql`SELECT terms FROM word_pages WHERE kb = ${kb}
    AND page >= ${number * MAX_PAGES} AND page < ${(number + 1) * MAX_PAGES} ORDER BY page`;
}

const CJK = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

/** Shorter terms have too many neighbours. */
const MIN_LENGTH = 4;
/** From this length on, two typos are allowed. */
const TWO_TYPOS = 8;

const MIN_PREFIX_LENGTH = 3;
/** Thousands may share a prefix; the shortest are the nearest. */
const MAX_COMPLETIONS = 200;

/** Terms of one length in one segment, by spelling. */
interface TermGroup {
  /** Of each term. */
  readonly length: number;
  /** All spellings, one after the other. */
  readonly text: string;
  readonly letters: Uint32Array;
  /** How many chunks have each. */
  readonly counts: Int32Array;
}

type Counted = readonly [term: string, chunks: number];

/** The terms of one segment that can be found here, by their length, so that most are never visited. */
type TermList = ReadonlyMap<number, TermGroup>;

/** `pages` as a segment stores them. */
export function toTermList(pages: Iterable<Uint8Array>): TermList {
  const groups = new Map<number, { terms: string[]; counts: number[] }>();
  for (const page of pages) {
    for (const { term, count } of decodeTerms(page)) {
      if (term.length < MIN_LENGTH - 1 || CJK.test(term)) continue;
      const group = groups.get(term.length) ?? { terms: [], counts: [] };
      if (group.terms.length === 0) groups.set(term.length, group);
      group.terms.push(term);
      group.counts.push(count);
    }
  }
  const pack = (length: number, { terms, counts }: { terms: string[]; counts: number[] }) => ({
    length,
    text: terms.join(""),
    letters: Uint32Array.from(terms, lettersOf),
    counts: Int32Array.from(counts),
  });
  return new Map([...groups].map(([length, group]) => [length, pack(length, group)]));
}

export function similarIn(lists: Iterable<TermList>, term: string): readonly Counted[] {
  if (term.length < MIN_LENGTH || CJK.test(term)) return [];
  const slips = term.length < TWO_TYPOS ? 1 : 2;
  const wanted = lettersOf(term);
  const frequencies = new Map<string, number>();
  const far = new Set([term]);
  const isNear = (other: string) => {
    if (far.has(other)) return false;
    if (frequencies.has(other) || editDistance(other, term) <= slips) return true;
    far.add(other);
    return false;
  };
  for (const list of lists) {
    const groups = [...list.values()].filter(
      ({ length }) => Math.abs(length - term.length) <= slips,
    );
    for (const [other, count] of groups.flatMap((group) => alikeIn(group, wanted, slips))) {
      if (isNear(other)) frequencies.set(other, (frequencies.get(other) ?? 0) + count);
    }
  }
  return [...frequencies];
}

/** A typo changes at most two letters of the set: one is removed and one added. */
function alikeIn(group: TermGroup, wanted: number, slips: number): Counted[] {
  const { letters } = group;
  const alike: Counted[] = [];
  for (let at = 0; at < letters.length; at++) {
    let differing = wanted ^ (letters[at] as number);
    // Each step takes out one letter.
    for (let step = 0; step < slips; step++) {
      differing &= differing - 1;
      differing &= differing - 1;
    }
    if (differing === 0) alike.push(termAt(group, at));
  }
  return alike;
}

export function startingIn(lists: Iterable<TermList>, prefix: string): readonly Counted[] {
  if (prefix.length < MIN_PREFIX_LENGTH || CJK.test(prefix)) return [];
  const frequencies = new Map<string, number>();
  for (const list of lists) {
    const longer = [...list.values()].filter(({ length }) => length > prefix.length);
    for (const [other, count] of longer.flatMap((group) => [...beginningWith(group, prefix)])) {
      frequencies.set(other, (frequencies.get(other) ?? 0) + count);
    }
  }
  return [...frequencies];
}

export function shortest(found: readonly Counted[]): readonly Counted[] {
  return found
    .filter(([, chunks]) => chunks > 0)
    .sort(([a], [b]) => a.length - b.length || (a < b ? -1 : 1))
    .slice(0, MAX_COMPLETIONS);
}

function* beginningWith(group: TermGroup, prefix: string): Generator<Counted> {
  let first = 0;
  for (let to = group.counts.length; first < to; ) {
    const middle = (first + to) >> 1;
    if (termAt(group, middle)[0] < prefix) first = middle + 1;
    else to = middle;
  }
  for (let at = first; at < group.counts.length; at++) {
    const counted = termAt(group, at);
    if (!counted[0].startsWith(prefix)) return;
    yield counted;
  }
}

function termAt({ length, text, counts }: TermGroup, at: number): Counted {
  return [text.slice(at * length, (at + 1) * length), counts[at] as number];
}

export function mostFrequent(frequencies: readonly Counted[], limit: number): readonly string[] {
  return frequencies
    .filter(([, chunks]) => chunks > 0)
    .sort(([a, chunksA], [b, chunksB]) => chunksB - chunksA || (a < b ? -1 : 1))
    .slice(0, limit)
    .map(([term]) => term);
}

function lettersOf(term: string): number {
  let set = 0;
  for (let at = 0; at < term.length; at++) set |= 1 << (term.charCodeAt(at) & 31);
  return set;
}
