// BM25 over the postings, one block of keys at a time.
import type { Hit, LexicalQuery } from "../store.ts";
import type { Database } from "./database.ts";
import type { Allowed } from "./filter.ts";
import type { Mirror } from "./mirror.ts";
import { decodeIds, decodePostings, type Postings } from "./postings.ts";
import { BLOCK_SIZE, BLOCKS_PER_TERM } from "./schema.ts";

const K1 = 1.2;
const B = 0.75;

interface TermRow {
  readonly id: number;
  readonly frequency: number;
}

export function openLexical(database: Database, mirror: Mirror) {
  const find = (term: string) =>
    database.get<TermRow>("SELECT id, frequency FROM terms WHERE term = ?", term);

  const postingsOf = (id: number): Map<number, Postings> => {
    const rows = database.all<{ id: number; data: Uint8Array }>(
      "SELECT id, data FROM postings WHERE id >= ? AND id < ?",
      id * BLOCKS_PER_TERM,
      (id + 1) * BLOCKS_PER_TERM,
    );
    return new Map(rows.map((row) => [row.id % BLOCKS_PER_TERM, decodePostings(row.data)]));
  };

  return {
    find,
    search(query: LexicalQuery, allowed: Allowed | undefined): Hit[] {
      const scores = new Map<number, number>();
      const phrases = (query.phrases ?? []).map((phrase) => phrase.map((term) => find(term)?.id));
      for (const { term, weight } of query.terms) {
        const row = find(term);
        if (!row) continue;
        const rarity = Math.log(
          1 + (mirror.chunkCount - row.frequency + 0.5) / (row.frequency + 0.5),
        );
        for (const [number, { lows, times }] of postingsOf(row.id)) {
          const block = mirror.blocks.get(number);
          if (!block) continue;
          lows.forEach((low, index) => {
            const doc = block.docs[low] as number;
            if (doc === 0 || (allowed && !allowed.docs.has(doc))) return;
            const tf = times[index] as number;
            const norm = K1 * (1 - B + (B * (block.lengths[low] as number)) / mirror.averageLength);
            const key = number * BLOCK_SIZE + low;
            const add = (weight * rarity * tf * (K1 + 1)) / (tf + norm);
            scores.set(key, (scores.get(key) ?? 0) + add);
          });
        }
      }
      return [...scores]
        .map(([key, score]) => ({ key, score }))
        .sort((a, b) => b.score - a.score || a.key - b.key)
        .filter(({ key }) => {
          if (phrases.length === 0) return true;
          const row = database.get<{ terms: Uint8Array }>(
            "SELECT terms FROM chunks WHERE key = ?",
            key,
          );
          const ids = decodeIds((row as { terms: Uint8Array }).terms);
          return phrases.every((phrase) => holds(ids, phrase));
        })
        .slice(0, query.limit);
    },
  };
}

function holds(ids: readonly number[], phrase: readonly (number | undefined)[]): boolean {
  return ids.some((_, at) =>
    phrase.every((id, offset) => id !== undefined && ids[at + offset] === id),
  );
}
