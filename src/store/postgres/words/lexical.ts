// BM25. The database returns the postings of the query's terms; scores are computed here, so that this work
// scales with the number of servers. Postings of frequent terms, most of the bytes, are cached.
import { lengthNorm, termFactor } from "../../core/bm25.ts";
import type { Hit, LexicalFound, LexicalQuery } from "../../store.ts";
import type { Sql } from "../connection.ts";
import { allowedKeys, countAllowed } from "../documents/allowed-chunks.ts";
import { all, conditions, isFiltering } from "../documents/filter.ts";
import { joinTerms } from "./postings.ts";
import type { PostingsCache } from "./postings-cache.ts";
import { type Found, readPostings, type TermPostings } from "./read-postings.ts";
import { openScores } from "./scores.ts";

/**
 * If a filter allows at most this many keys, they are fetched; if it allows more, the best candidates are checked
 * against it.
 */
const NARROW_CHUNKS = 2_000;

export async function searchLexical(
  sql: Sql,
  scope: { readonly kb: number; readonly cache: PostingsCache },
  query: LexicalQuery,
): Promise<LexicalFound> {
  const { kb, cache } = scope;
  const names = new Set([...query.terms.map(({ term }) => term), ...(query.phrases ?? []).flat()]);
  const [found, within] = await Promise.all([
    readPostings(sql, { kb, cache, terms: [...names] }),
    isFiltering(query.filter) ? countAllowed(sql, kb, query.filter ?? {}) : 0,
  ]);
  const frequencies = query.terms.map(
    ({ term }) => [term, found.terms.get(term)?.frequency ?? 0] as const,
  );
  const statistics = { chunkCount: found.chunks, frequencies: new Map(frequencies) };
  return { hits: await best(sql, kb, { query, found, within }), statistics };
}

async function best(
  sql: Sql,
  kb: number,
  { query, found, within }: { query: LexicalQuery; found: Found; within: number },
): Promise<readonly Hit[]> {
  const phrases = query.phrases ?? [];
  const filtered = isFiltering(query.filter);
  const narrow = filtered && within <= NARROW_CHUNKS;
  const allowed = narrow ? await allowedKeys(sql, kb, query.filter ?? {}) : undefined;
  const scores = openScores();
  for (const { term, weight } of query.terms) {
    const postings = found.terms.get(term);
    if (!postings || postings.frequency <= 0) continue;
    addScores(scores, {
      postings,
      factor: termFactor(weight, postings.frequency, found.chunks),
      average: found.average,
      allowed,
    });
  }
  const check = phrases.length > 0 || (filtered && !narrow);
  if (!check) return scores.best(query.limit);
  const holding = phrases.length > 0 ? holdingAll(found.terms, phrases.flat()) : undefined;
  return firstChecked(sql, kb, {
    query,
    best: (limit) => scores.best(limit, (key) => holding?.has(key) ?? true),
  });
}

function addScores(
  scores: ReturnType<typeof openScores>,
  part: {
    readonly postings: TermPostings;
    readonly factor: number;
    readonly average: number;
    readonly allowed: ReadonlySet<number> | undefined;
  },
): void {
  const { postings, factor, average, allowed } = part;
  const gone = removedKeys(postings);
  for (const { keys, lengths, times } of postings.lists) {
    for (let index = 0; index < keys.length; index++) {
      const key = keys[index] as number;
      if (gone?.has(key) || (allowed && !allowed.has(key))) continue;
      const tf = times[index] as number;
      const norm = lengthNorm(lengths[index] as number, average);
      scores.add(key, (factor * tf) / (tf + norm));
    }
  }
}

/** A removed chunk has a removal record in the list of each of its terms. */
function removedKeys({ lists }: TermPostings): Set<number> | undefined {
  let gone: Set<number> | undefined;
  for (const { keys, times } of lists) {
    for (let at = times.indexOf(0); at >= 0; at = times.indexOf(0, at + 1)) {
      gone ??= new Set();
      gone.add(keys[at] as number);
    }
  }
  return gone;
}

function holdingAll(
  found: ReadonlyMap<string, TermPostings>,
  terms: readonly string[],
): Set<number> {
  let within: Set<number> | undefined;
  for (const term of new Set(terms)) {
    const keys = (found.get(term)?.lists ?? []).flatMap((list) => [...list.keys]);
    const before = within;
    within = new Set(before ? keys.filter((key) => before.has(key)) : keys);
  }
  return within ?? new Set();
}

/** Checks the best candidates, then more of them, until there are enough hits or no more candidates. */
async function firstChecked(
  sql: Sql,
  kb: number,
  {
    query,
    best,
  }: { readonly query: LexicalQuery; readonly best: (limit: number) => readonly Hit[] },
): Promise<readonly Hit[]> {
  const needles = (query.phrases ?? []).map(
    (phrase) => sql`AND strpos(c.terms, ${joinTerms(phrase)}::text) > 0`,
  );
  const hits: Hit[] = [];
  let checked = 0;
  for (let reach = query.limit * 2; hits.length < query.limit; reach *= 4) {
    const candidates = best(reach);
    const part = candidates.slice(checked);
    checked = candidates.length;
    const rows = await sql<{ key: number }[]>`
      SELECT c.key FROM knowledge.chunks c JOIN knowledge.documents d ON d.kb = c.kb AND d.doc = c.doc
      WHERE c.kb = ${kb} AND c.key = ANY(${part.map(({ key }) => key)}::bigint[])
      ${all(sql, needles)} ${conditions(sql, query.filter)}`;
    const passed = new Set(rows.map(({ key }) => key));
    hits.push(...part.filter(({ key }) => passed.has(key)));
    if (candidates.length < reach) break;
  }
  return hits.slice(0, query.limit);
}
