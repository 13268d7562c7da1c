// Turns a filter into the set of documents it allows, found through indexes and cached until something changes.
import { Cache } from "../../../domain/cache.ts";
import type { SearchFilter } from "../../../domain/passage.ts";
import { conditions, hasOtherModels, ofModel } from "../../documents/filter.ts";
import { type Connection, NOTHING, type Sql, sql } from "../../sql.ts";

/** By document number: 1 where a document is allowed. */
export type DocMask = Uint8Array;

/** Few filters and callers are active at once; each costs one byte per document. */
const FILTERS_KEPT = 32;

export function openFilters() {
  const kept = new Cache<string, { version: number; allowed: DocMask }>(FILTERS_KEPT);
  return {
    /** Undefined if everything is allowed. With `model`, only documents with its vectors. */
    async allowed(
      db: Connection,
      filter: SearchFilter | undefined,
      model?: string,
    ): Promise<DocMask | undefined> {
      const where = conditions(db, filter);
      const isMixed = model !== undefined && (await isAny(db, hasOtherModels(db, model)));
      if (!where && !isMixed) return undefined;
      const own = isMixed ? sql`AND ${ofModel(model)}` : NOTHING;
      const name = JSON.stringify([filter, isMixed && model, db.sight]);
      const base = await db.one<{ changes: number }>(
        sql`SELECT changes FROM bases WHERE kb = ${db.kb}`,
      );
      const version = Number(base?.changes);
      const known = kept.get(name);
      const fresh =
        known?.version === version
          ? known
          : { version, allowed: await find(db, sql`${where ?? NOTHING} ${own}`) };
      kept.set(name, fresh);
      return fresh.allowed;
    },
  };
}

async function isAny(db: Connection, condition: Sql): Promise<boolean> {
  return Boolean((await db.one<{ is: number }>(sql`SELECT ${condition} AS "is"`))?.is);
}

async function find(db: Connection, where: Sql): Promise<DocMask> {
  const last = await db.one<{ last: number | null }>(sql`SELECT max(doc) AS last FROM documents`);
  const mask = new Uint8Array((last?.last ?? 0) + 1);
  const rows = await db.all<{ doc: number }>(
    sql`SELECT d.doc FROM documents d WHERE d.kb = ${db.kb} ${where}`,
  );
  for (const { doc } of rows) mask[doc] = 1;
  return mask;
}
