// The stored inverted index. A row of `postings` holds one term's chunks within one block of keys, each as
// one little-endian u32: key within the block << 8 | times in the chunk. Rows of a block are adjacent and
// keys only grow, so adding appends within the last block's pages and never touches the others. Removed
// chunks stay in their rows until half of a block is gone; readers recognise them by their missing document.
import type { SQLInputValue } from "node:sqlite";
import type { Database } from "../database.ts";
import { BLOCK_SIZE, TERMS_PER_BLOCK } from "../schema.ts";

/** A term's count in a chunk is stored in one byte, because BM25 saturates long before 255. */
const MAX_TIMES = 255;
/** Rows per statement, because a call from JavaScript costs more than the row itself. */
const ROWS_AT_ONCE = 64;

export function lowOf(posting: number): number {
  return posting >>> 8;
}

export function timesOf(posting: number): number {
  return posting & 255;
}

export function decodePostings(blob: Uint8Array): Uint32Array {
  const aligned = blob.byteOffset % 4 === 0 ? blob : blob.slice();
  return new Uint32Array(aligned.buffer, aligned.byteOffset, aligned.length / 4);
}

function encodePostings(postings: ArrayLike<number>): Uint8Array {
  return new Uint8Array(Uint32Array.from(postings).buffer);
}

export function blockOf(key: number): number {
  return Math.floor(key / BLOCK_SIZE);
}

/** Adds the chunks `firstKey…`; returns each chunk's terms as ids, in order, ready to be stored. */
export function addPostings(
  database: Database,
  firstKey: number,
  chunks: readonly (readonly string[])[],
): Uint8Array[] {
  const keysOf = new Map<string, number[]>();
  chunks.forEach((terms, index) => {
    for (const term of terms) {
      const keys = keysOf.get(term);
      if (keys) keys.push(firstKey + index);
      else keysOf.set(term, [firstKey + index]);
    }
  });
  const ids = addTerms(database, keysOf);
  const rows: [number, Uint8Array][] = [];
  for (const [term, keys] of keysOf) {
    for (const [block, postings] of byBlock(keys)) {
      rows.push([block * TERMS_PER_BLOCK + (ids.get(term) as number), encodePostings(postings)]);
    }
  }
  rows.sort(([a], [b]) => a - b);
  // The operator concatenates bytes but types the result as text.
  bulk(database, rows, {
    before: "INSERT INTO postings (id, data) VALUES",
    after: "ON CONFLICT (id) DO UPDATE SET data = CAST(data || excluded.data AS BLOB)",
  });
  return chunks.map((terms) => encodeIds(terms.map((term) => ids.get(term) as number)));
}

function addTerms(
  database: Database,
  keysOf: ReadonlyMap<string, readonly number[]>,
): Map<string, number> {
  const rows = [...keysOf].map(([term, keys]): [string, number] => [term, new Set(keys).size]);
  const stored = bulk(database, rows, {
    before: "INSERT INTO terms (term, frequency) VALUES",
    after: `ON CONFLICT (term) DO UPDATE SET frequency = frequency + excluded.frequency
            RETURNING term, id`,
  });
  return new Map(stored as [string, number][]);
}

/** Keys ascend; each repeat is another occurrence of the term in that chunk. */
function byBlock(keys: readonly number[]): Map<number, number[]> {
  const blocks = new Map<number, number[]>();
  for (let at = 0; at < keys.length; ) {
    const key = keys[at] as number;
    let times = 0;
    for (; keys[at] === key; at++) times++;
    const block = blockOf(key);
    const posting = ((key - block * BLOCK_SIZE) << 8) | Math.min(times, MAX_TIMES);
    const postings = blocks.get(block);
    if (postings) postings.push(posting);
    else blocks.set(block, [posting]);
  }
  return blocks;
}

function bulk(
  database: Database,
  rows: readonly (readonly SQLInputValue[])[],
  sql: { readonly before: string; readonly after: string },
): unknown[] {
  const results: unknown[] = [];
  for (let from = 0; from < rows.length; from += ROWS_AT_ONCE) {
    const part = rows.slice(from, from + ROWS_AT_ONCE);
    const tuple = `(${(part[0] as readonly unknown[]).map(() => "?").join(", ")})`;
    const tuples = part.map(() => tuple).join(", ");
    results.push(...database.rows(`${sql.before} ${tuples} ${sql.after}`).all(...part.flat()));
  }
  return results;
}

/** Subtracts the chunks `firstKey … lastKey` from the counts, given their stored terms. */
export function removePostings(
  database: Database,
  { firstKey, lastKey }: { readonly firstKey: number; readonly lastKey: number },
  chunks: Iterable<Uint8Array>,
): void {
  const frequencies = new Map<number, number>();
  for (const terms of chunks) {
    for (const id of new Set(decodeIds(terms))) {
      frequencies.set(id, (frequencies.get(id) ?? 0) + 1);
    }
  }
  const changes = JSON.stringify([...frequencies]);
  database.run(
    `UPDATE terms SET frequency = frequency - (gone.value ->> 1) FROM json_each(?) AS gone
     WHERE terms.id = gone.value ->> 0`,
    changes,
  );
  database.run(
    "DELETE FROM terms WHERE frequency <= 0 AND id IN (SELECT value ->> 0 FROM json_each(?))",
    changes,
  );
  for (let block = blockOf(firstKey); block <= blockOf(lastKey); block++) {
    const from = Math.max(firstKey, block * BLOCK_SIZE);
    const to = Math.min(lastKey, (block + 1) * BLOCK_SIZE - 1);
    countRemoved(database, block, to - from + 1);
  }
}

function countRemoved(database: Database, block: number, count: number): void {
  const row = database.get<{ removed: number }>(
    `INSERT INTO blocks (block, removed) VALUES (?, ?)
     ON CONFLICT (block) DO UPDATE SET removed = removed + excluded.removed RETURNING removed`,
    block,
    count,
  );
  if (Number(row?.removed) < BLOCK_SIZE / 2) return;
  cleanBlock(database, block);
  database.run("UPDATE blocks SET removed = 0 WHERE block = ?", block);
}

/** Rewrites a block's rows without the chunks that are gone. */
function cleanBlock(database: Database, block: number): void {
  const live = liveKeys(database, block);
  const first = block * TERMS_PER_BLOCK;
  const rows = database
    .rows("SELECT id, data FROM postings WHERE id >= ? AND id < ?")
    .all(first, first + TERMS_PER_BLOCK) as unknown as [number, Uint8Array][];
  for (const [id, data] of rows) {
    const postings = decodePostings(data);
    const kept = postings.filter((posting) => live[lowOf(posting)] === 1);
    if (kept.length === postings.length) continue;
    if (kept.length === 0) database.run("DELETE FROM postings WHERE id = ?", id);
    else database.run("UPDATE postings SET data = ? WHERE id = ?", encodePostings(kept), id);
  }
}

function liveKeys(database: Database, block: number): Uint8Array {
  const live = new Uint8Array(BLOCK_SIZE);
  const base = block * BLOCK_SIZE;
  const keys = database
    .rows("SELECT key FROM chunks WHERE key >= ? AND key < ?")
    .iterate(base, base + BLOCK_SIZE) as unknown as Iterable<[number]>;
  for (const [key] of keys) live[key - base] = 1;
  return live;
}

/** Encodes term ids in text order as varints: seven bits per byte, the high bit set if more follow. */
function encodeIds(ids: readonly number[]): Uint8Array {
  const bytes: number[] = [];
  for (const id of ids) {
    let rest = id;
    while (rest > 127) {
      bytes.push((rest % 128) + 128);
      rest = Math.floor(rest / 128);
    }
    bytes.push(rest);
  }
  return Uint8Array.from(bytes);
}

export function decodeIds(bytes: Uint8Array): number[] {
  const ids: number[] = [];
  let id = 0;
  let place = 1;
  for (const byte of bytes) {
    id += (byte & 127) * place;
    if (byte > 127) {
      place *= 128;
    } else {
      ids.push(id);
      id = 0;
      place = 1;
    }
  }
  return ids;
}
