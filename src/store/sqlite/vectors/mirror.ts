// The reader's copy of the bits of all vectors, in memory. Each row of the database has the number of the change that last
// wrote or emptied it.
import { type Connection, oneOf, type Sql, sql } from "../../sql.ts";
import type { Hit } from "../../store.ts";
import type { DocMask } from "../thread/filters.ts";
import { VectorTable } from "./vector-table.ts";

type BitsCells = readonly [
  firstKey: number,
  doc: number,
  dimensions: number,
  bits: Uint8Array | null,
];

const COLUMNS = sql`SELECT first_key, doc, dimensions, bits FROM vector_bits`;

const LOADED_AT_ONCE = 1000;

export class Mirror {
  #tables = new Map<number, VectorTable>();
  /** Grows with every change to documents. */
  #version = 0;

  /** Inside a read transaction. */
  async nearest(
    db: Connection,
    { vector, limit }: { readonly vector: Float32Array; readonly limit: number },
    mask: DocMask | undefined,
  ): Promise<readonly Hit[]> {
    await this.#follow(db);
    const table = this.#tables.get(vector.length);
    const read = (keys: readonly number[]) =>
      db.cells<[number, Uint8Array]>(
        sql`SELECT key, vector FROM vectors WHERE key ${oneOf("bigint", keys)}`,
      );
    return table?.nearest({ vector, limit, mask, read }) ?? [];
  }

  async #follow(db: Connection): Promise<void> {
    const base = await db.one<{ changes: number; reload_before: number }>(
      sql`SELECT changes, reload_before FROM bases WHERE kb = ${db.kb}`,
    );
    const { changes = 0, reload_before: reloadBefore = 0 } = base ?? {};
    if (changes === this.#version) return;
    if (this.#version < reloadBefore || [...this.#tables.values()].some(isMostlyGone)) {
      this.#tables.clear();
      this.#version = 0;
    }
    if (this.#version === 0) await this.#load(db);
    else {
      const changed = sql`${COLUMNS} WHERE changed > ${this.#version}`;
      for (const row of await db.cells<BitsCells>(changed)) this.#take(row);
    }
    this.#version = changes;
  }

  async #load(db: Connection): Promise<void> {
    const bits = pages<BitsCells>(
      db,
      (last) => sql`${COLUMNS} WHERE first_key > ${last} ORDER BY first_key`,
    );
    for await (const rows of bits) for (const row of rows) this.#take(row);
    // Else the first searches would read most of theirs.
    const tables = [...this.#tables.values()];
    if (!tables.every(({ hasRoom }) => hasRoom)) return;
    for (const table of tables)
      await table.fill(
        pages(db, (last) => sql`SELECT key, vector FROM vectors WHERE key > ${last} ORDER BY key`),
      );
  }

  #take([firstKey, doc, dimensions, bits]: BitsCells): void {
    for (const [length, table] of this.#tables) {
      if (bits === null || length !== dimensions) table.remove(firstKey);
    }
    if (bits === null) return;
    const table = this.#tables.get(dimensions) ?? new VectorTable(dimensions);
    this.#tables.set(dimensions, table);
    table.put(firstKey, doc, bits);
  }
}

/** Some rows at a time, so that they are not in memory twice. Their first column is the key that follows the last. */
async function* pages<Row extends readonly [number, ...unknown[]]>(
  db: Connection,
  after: (last: number) => Sql,
): AsyncGenerator<readonly Row[]> {
  for (let last = -1, isEnd = false; !isEnd; ) {
    const rows = await db.cells<Row>(sql`${after(last)} LIMIT ${LOADED_AT_ONCE}`);
    yield rows;
    last = rows.at(-1)?.[0] ?? last;
    isEnd = rows.length < LOADED_AT_ONCE;
  }
}

const isMostlyGone = (table: VectorTable) => table.isMostlyGone;
