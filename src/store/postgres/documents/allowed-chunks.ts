// If a filter allows few chunks, comparing all of them is cheaper than searching the index.
import type { SearchFilter } from "../../../domain/passage.ts";
import type { Sql } from "../connection.ts";
import { conditions } from "./filter.ts";

export async function countAllowed(sql: Sql, kb: number, filter: SearchFilter): Promise<number> {
  const [row] = await sql<{ chunks: number }[]>`
    SELECT coalesce(sum(d.chunk_count), 0)::integer AS chunks FROM knowledge.documents d
    WHERE d.kb = ${kb} ${conditions(sql, filter)}`;
  return row?.chunks ?? 0;
}

export async function allowedKeys(
  sql: Sql,
  kb: number,
  filter: SearchFilter,
): Promise<ReadonlySet<number>> {
  const rows = await sql<{ key: number }[]>`
    WITH allowed AS MATERIALIZED (
      SELECT d.doc FROM knowledge.documents d WHERE d.kb = ${kb} ${conditions(sql, filter)}
    )
    SELECT c.key FROM allowed JOIN knowledge.chunks c ON c.kb = ${kb} AND c.doc = allowed.doc`;
  return new Set(rows.map(({ key }) => key));
}
