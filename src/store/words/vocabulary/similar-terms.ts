// The vocabulary is loaded with the first query and follows the index: new segments are read, others dropped.
import { type Connection, sql } from "../../sql.ts";
import { MAX_PAGES } from "../format/encode.ts";
import { type IndexSnapshot, type LoadedSegment, readSettled } from "../index-snapshot.ts";
import { findSimilar, findStartingWith, type TermList, toTermList } from "./vocabulary.ts";

export function openSimilarTerms(follow: (db: Connection) => Promise<IndexSnapshot>) {
  let lists: ReadonlyMap<LoadedSegment, TermList> = new Map();
  const readOnce = async (db: Connection): Promise<readonly TermList[] | undefined> => {
    const snapshot = await follow(db);
    const missing = snapshot.segments.filter((segment) => !lists.has(segment));
    const rows = (await db.together(missing.map((segment) => pagesOf(db, segment)))) as readonly {
      readonly terms: Uint8Array;
    }[][];
    const isComplete = missing.every(({ pages }, at) => rows[at]?.length === pages.length);
    if (!isComplete && (await follow(db)) !== snapshot) return undefined;
    const fresh = new Map(
      missing.map((segment, at) => {
        const pages = (rows[at] ?? []).map((row) => row.terms);
        return [segment, toTermList(pages, segment.removedKeys.length > 0 ? -1 : 1)];
      }),
    );
    const current = snapshot.segments.flatMap((segment) => {
      const list = lists.get(segment) ?? fresh.get(segment);
      return list ? [[segment, list] as const] : [];
    });
    lists = new Map(current);
    return [...lists.values()];
  };
  const read = (db: Connection) => readSettled(() => readOnce(db));
  return {
    async similarTerms(db: Connection, terms: readonly string[], limit: number) {
      const found = await read(db);
      return terms.map((term) => findSimilar(found, term.toWellFormed(), limit));
    },
    termsStartingWith: async (db: Connection, prefix: string, limit: number) =>
      findStartingWith(await read(db), prefix.toWellFormed(), limit),
  };
}

function pagesOf({ kb }: Connection, { number }: LoadedSegment) {
  return sql`SELECT terms FROM word_pages WHERE kb = ${kb}
    AND page >= ${number * MAX_PAGES} AND page < ${(number + 1) * MAX_PAGES} ORDER BY page`;
}
