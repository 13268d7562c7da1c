// The inverted index at rest. A row of `postings` holds one term's chunks within one block of keys:
//   [u16 key within block × n][u8 times in chunk × n], keys ascending, both little-endian
// Keys only grow, so adding appends to the last block's rows and never touches the others.
import type { Database } from "./database.ts";
import { BLOCK_SIZE, BLOCKS_PER_TERM } from "./schema.ts";

/** Times a term stands in a chunk are kept in a byte: BM25 is flat long before. */
export const MOST_TIMES = 255;

export interface Postings {
  readonly lows: Uint16Array;
  readonly times: Uint8Array;
}

export function decodePostings(blob: Uint8Array): Postings {
  const count = blob.length / 3;
  const aligned = blob.byteOffset % 2 === 0 ? blob : blob.slice();
  return {
    lows: new Uint16Array(aligned.buffer, aligned.byteOffset, count),
    times: new Uint8Array(aligned.buffer, aligned.byteOffset + count * 2, count),
  };
}

function encodePostings(lows: ArrayLike<number>, times: ArrayLike<number>): Uint8Array {
  const blob = new Uint8Array(lows.length * 3);
  new Uint16Array(blob.buffer, 0, lows.length).set(lows);
  blob.set(times, lows.length * 2);
  return blob;
}

interface TermUse {
  readonly keys: number[];
  readonly times: number[];
}

/** Adds the chunks `firstKey…`; returns each chunk's terms as ids, in order, ready to be stored. */
export function addPostings(
  database: Database,
  firstKey: number,
  chunks: readonly (readonly string[])[],
): Uint8Array[] {
  const uses = new Map<string, TermUse>();
  chunks.forEach((terms, index) => {
    for (const term of terms) noteUse(uses, term, firstKey + index);
  });
  const ids = new Map<string, number>();
  const upsert = database.statement(
    `INSERT INTO terms (term, frequency) VALUES (?, ?)
     ON CONFLICT (term) DO UPDATE SET frequency = frequency + excluded.frequency RETURNING id`,
  );
  for (const [term, use] of uses) {
    const id = Number(upsert.get(term, use.keys.length)?.["id"]);
    ids.set(term, id);
    appendUse(database, id, use);
  }
  return chunks.map((terms) => encodeIds(terms.map((term) => ids.get(term) as number)));
}

function noteUse(uses: Map<string, TermUse>, term: string, key: number): void {
  const use = uses.get(term);
  if (!use) {
    uses.set(term, { keys: [key], times: [1] });
    return;
  }
  const last = use.keys.length - 1;
  if (use.keys[last] === key) {
    use.times[last] = Math.min((use.times[last] as number) + 1, MOST_TIMES);
  } else {
    use.keys.push(key);
    use.times.push(1);
  }
}

function appendUse(database: Database, term: number, { keys, times }: TermUse): void {
  for (let from = 0; from < keys.length; ) {
    const block = blockOf(keys[from] as number);
    let to = from;
    while (to < keys.length && blockOf(keys[to] as number) === block) to++;
    const lows = keys.slice(from, to).map((key) => key - block * BLOCK_SIZE);
    const added = encodePostings(lows, times.slice(from, to));
    const id = term * BLOCKS_PER_TERM + block;
    const old = database.get<{ data: Uint8Array }>("SELECT data FROM postings WHERE id = ?", id);
    const data = old ? joined(old.data, added) : added;
    database.run("INSERT OR REPLACE INTO postings (id, data) VALUES (?, ?)", id, data);
    from = to;
  }
}

function joined(old: Uint8Array, added: Uint8Array): Uint8Array {
  const before = old.length / 3;
  const count = before + added.length / 3;
  const data = new Uint8Array(count * 3);
  data.set(old.subarray(0, before * 2));
  data.set(added.subarray(0, (added.length / 3) * 2), before * 2);
  data.set(old.subarray(before * 2), count * 2);
  data.set(added.subarray((added.length / 3) * 2), count * 2 + before);
  return data;
}

/** Takes the chunks `firstKey … lastKey` out, given their stored terms. */
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
  for (const [term, count] of frequencies) {
    for (let block = blockOf(firstKey); block <= blockOf(lastKey); block++) {
      cutBlock(database, term * BLOCKS_PER_TERM + block, {
        from: firstKey - block * BLOCK_SIZE,
        to: lastKey - block * BLOCK_SIZE,
      });
    }
    database.run("UPDATE terms SET frequency = frequency - ? WHERE id = ?", count, term);
    database.run("DELETE FROM terms WHERE id = ? AND frequency <= 0", term);
  }
}

function cutBlock(database: Database, id: number, cut: { from: number; to: number }): void {
  const row = database.get<{ data: Uint8Array }>("SELECT data FROM postings WHERE id = ?", id);
  if (!row) return;
  const { lows, times } = decodePostings(row.data);
  const stays = (low: number) => low < cut.from || low > cut.to;
  const keptTimes = times.filter((_, index) => stays(lows[index] as number));
  if (keptTimes.length === 0) {
    database.run("DELETE FROM postings WHERE id = ?", id);
    return;
  }
  const data = encodePostings(lows.filter(stays), keptTimes);
  database.run("UPDATE postings SET data = ? WHERE id = ?", data, id);
}

export function blockOf(key: number): number {
  return Math.floor(key / BLOCK_SIZE);
}

/** Term ids in the order of the text, seven bits a byte, the high bit where more follow. */
export function encodeIds(ids: readonly number[]): Uint8Array {
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
