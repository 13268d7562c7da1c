// The inverted index grows as a log: every change writes a small segment, and segments of similar size are
// merged into larger ones, so that a term has few rows and each posting is rewritten only a few times.
//
//   put, remove ──▶ ▪▪▪▪▪▪▪▪ ──▶ ▬▬▬▬▬▬▬▬ ──▶ █   eight of a size become one of the next
//
// Rows of a segment never change, so readers may cache them.
import type { Log } from "../../../observe/log.ts";
import type { Sql } from "../connection.ts";
import type { Database } from "../database.ts";
import { type ChunkTerms, encodePostings } from "./postings.ts";

/** A larger number would make searches read more rows, a smaller one would rewrite postings more often. */
const FAN_IN = 8;

export async function writeSegment(
  sql: Sql,
  kb: number,
  change: { readonly kind: "add" | "remove"; readonly chunks: readonly ChunkTerms[] },
): Promise<void> {
  const { kind, chunks } = change;
  if (chunks.length === 0) return;
  const { terms, counts, data } = encodePostings(chunks, kind);
  const sign = kind === "add" ? 1 : -1;
  const length = chunks.reduce((sum, chunk) => sum + chunk.terms.length, 0);
  await sql`
    WITH made AS (
      INSERT INTO knowledge.segments (kb, segment, size, chunks, length)
      VALUES (${kb}, nextval('knowledge.segment_numbers'), ${chunks.length},
        ${sign * chunks.length}, ${sign * length})
      RETURNING segment
    ), lists AS (
      SELECT term, records, sum(records) OVER (ORDER BY place) - records AS skipped
      FROM unnest(${terms}::text[], ${counts}::integer[]) WITH ORDINALITY AS t (term, records, place)
    )
    INSERT INTO knowledge.postings (kb, term, segment, frequency, removals, data)
    SELECT ${kb}, term, segment, ${sign} * records, ${kind === "remove"},
      substring(${data}::bytea FROM (skipped * 8 + 1)::integer FOR records * 8)
    FROM lists, made`;
}

/** Merges segments while there are enough of one size, in one process at a time. */
export function openMerging(database: Database, log: Log) {
  let running: Promise<void> | undefined;
  let again = false;
  const run = async () => {
    do {
      again = false;
      // Most changes leave nothing to merge, so check without a lock or transaction first.
      while ((await database.read(findTier)) && (await database.write(mergeOnce)))
        log.debug("store.segments-merged");
    } while (again);
  };
  return {
    /** Runs after a change, which does not wait for it. */
    nudge(): void {
      again = true;
      running ??= run()
        .catch((cause: unknown) => log.warn("store.merge-failed", { cause }))
        .finally(() => {
          running = undefined;
        });
    },
    idle: async () => running,
  };
}

async function mergeOnce(sql: Sql, kb: number): Promise<boolean> {
  const [lock] = await sql<{ taken: boolean }[]>`
    SELECT pg_try_advisory_xact_lock(hashtextextended('knowledge.merge', ${kb})) AS taken`;
  if (!lock?.taken) return false;
  const segments = await findTier(sql, kb);
  if (!segments) return false;
  await sql`SET LOCAL statement_timeout = 0`;
  await joinSegments(sql, kb, segments);
  return true;
}

/** Segments of one size, if there are enough to merge. */
async function findTier(sql: Sql, kb: number): Promise<readonly number[] | undefined> {
  const [tier] = await sql<{ segments: number[] }[]>`
    SELECT array_agg(segment) AS segments FROM knowledge.segments WHERE kb = ${kb}
    GROUP BY floor(log(${FAN_IN}, greatest(size, 1)) + 1e-9)
    HAVING count(*) >= ${FAN_IN} ORDER BY min(size) LIMIT 1`;
  return tier?.segments;
}

async function joinSegments(sql: Sql, kb: number, segments: readonly number[]): Promise<void> {
  const [made] = await sql<{ segment: number }[]>`
    INSERT INTO knowledge.segments (kb, segment, size, chunks, length)
    SELECT ${kb}, nextval('knowledge.segment_numbers'), sum(size), sum(chunks), sum(length)
    FROM knowledge.segments WHERE kb = ${kb} AND segment = ANY(${segments as number[]}::bigint[])
    RETURNING segment`;
  // A chunk's record and its removal cancel out once they are in the same row.
  await sql`
    INSERT INTO knowledge.postings (kb, term, segment, frequency, removals, data)
    SELECT ${kb}, joined.term, ${made?.segment as number}, joined.frequency,
      CASE WHEN joined.removals THEN rest.removals ELSE false END,
      CASE WHEN joined.removals THEN rest.data ELSE joined.data END
    FROM (
      SELECT term, sum(frequency) AS frequency, bool_or(removals) AS removals,
        string_agg(data, ''::bytea ORDER BY segment) AS data
      FROM knowledge.postings
      WHERE kb = ${kb} AND segment = ANY(${segments as number[]}::bigint[]) GROUP BY term
    ) joined
    LEFT JOIN LATERAL (
      SELECT string_agg(record, ''::bytea) AS data, bool_or(get_byte(record, 7) = 0) AS removals
      FROM (
        SELECT (array_agg(record))[1] AS record FROM (
          SELECT substring(joined.data FROM place * 8 + 1 FOR 8) AS record
          FROM generate_series(0, length(joined.data) / 8 - 1) AS place
        ) records GROUP BY substring(record FROM 1 FOR 5) HAVING count(*) = 1
      ) single
    ) rest ON joined.removals
    WHERE NOT joined.removals OR rest.data IS NOT NULL`;
  await sql`DELETE FROM knowledge.postings
    WHERE kb = ${kb} AND segment = ANY(${segments as number[]}::bigint[])`;
  await sql`DELETE FROM knowledge.segments
    WHERE kb = ${kb} AND segment = ANY(${segments as number[]}::bigint[])`;
}
