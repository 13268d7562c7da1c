// Fills a PostgreSQL store up with copies of its first rows: the same texts and words under other keys, vectors between
// two of the originals. A million chunks take minutes instead of hours.
import type postgres from "postgres";
import { ByteReader, ByteWriter } from "../../src/store/words/format/bytes.ts";
import { MAX_PAGES } from "../../src/store/words/format/encode.ts";

/** Of the vectors that are mixed, how far apart their chunks are. */
const SHIFT = 7_919;

/** One more copy of everything that was there before the first copy. */
export async function copyRows(sql: postgres.Sql, copy: number): Promise<void> {
  await sql.begin(async (own) => {
    await own.unsafe("SET LOCAL statement_timeout = 0; SET LOCAL search_path = knowledge, public");
    const isFirst = "id NOT LIKE '%-copy-%'";
    const [size] = await own.unsafe<{ keys: string; docs: string }[]>(
      "SELECT last_value AS keys, (SELECT max(doc) FROM documents) AS docs FROM chunk_keys",
    );
    const [keys, docs] = [Number(size?.keys) + 1, Number(size?.docs)];
    const first = `(SELECT doc FROM documents WHERE ${isFirst})`;
    await own.unsafe(`INSERT INTO documents (kb, doc, id, scope, filename, sort_name, match_text, source_path,
        content_hash, format, size_bytes, title, date_added, method, pages, warnings, metadata, fingerprint,
        chunk_count, vector_count)
      SELECT kb, doc + ${docs}, id || '-copy-${copy}', scope, filename, sort_name, match_text,
        source_path || '-copy-${copy}', content_hash, format, size_bytes, title, date_added, method, pages,
        warnings, metadata, fingerprint, chunk_count, vector_count FROM documents WHERE ${isFirst};
      INSERT INTO texts SELECT kb, doc + ${docs}, body FROM texts WHERE doc IN ${first};
      INSERT INTO facets SELECT kb, key, value, doc + ${docs} FROM facets WHERE doc IN ${first};
      CREATE TEMP TABLE originals_of ON COMMIT DROP AS SELECT key FROM chunks WHERE doc IN ${first};
      INSERT INTO chunks SELECT kb, key + ${keys}, doc + ${docs}, ordinal, start, "end", text, detail, terms
        FROM chunks WHERE key IN (SELECT key FROM originals_of);
      CREATE TEMP TABLE mixed ON COMMIT DROP AS
        SELECT v.*, row_number() OVER (ORDER BY key) - 1 AS place, count(*) OVER () AS total
        FROM vectors v WHERE key IN (SELECT key FROM originals_of);
      CREATE INDEX ON mixed (place);
      INSERT INTO vectors SELECT a.kb, a.key + ${keys}, a.doc + ${docs}, a.dimensions,
          (l2_normalize(a.embedding + a.embedding + b.embedding))
        FROM mixed a JOIN mixed b ON b.place = (a.place + ${SHIFT * copy}) % a.total`);
    await copyWords(own, { keys, docs });
    await own.unsafe(
      "SELECT setval(pg_get_serial_sequence('documents', 'doc'), (SELECT max(doc) FROM documents))",
    );
  });
}

/** A segment names its chunks by the differences of their keys, so only the first of them changes. */
async function copyWords(own: postgres.TransactionSql, by: { keys: number; docs: number }) {
  const rows = await own.unsafe<{ segment: string; chunks: Uint8Array }[]>(
    `SELECT segment, chunks FROM word_segments WHERE removed = 0
      AND segment <= (SELECT max(key) + 1 FROM originals_of)`,
  );
  for (const { segment, chunks } of rows) {
    const number = Number(segment) + by.keys;
    await own`INSERT INTO word_segments (kb, segment, added, removed, length, chunks, pages, filter)
      SELECT kb, ${number}::bigint, added, removed, length, ${moved(chunks, by)}, pages, filter
      FROM word_segments WHERE segment = ${segment}::bigint`;
    await own.unsafe(`INSERT INTO word_pages SELECT kb, page + ${by.keys * MAX_PAGES}, terms, lists
      FROM word_pages WHERE page >= ${Number(segment) * MAX_PAGES}
        AND page < ${(Number(segment) + 1) * MAX_PAGES}`);
  }
  await own.unsafe(`SELECT setval('chunk_keys', ${by.keys} + (SELECT max(segment) FROM word_segments
    WHERE segment <= (SELECT max(key) + 1 FROM originals_of)))`);
}

function moved(chunks: Uint8Array, by: { keys: number; docs: number }): Uint8Array {
  const from = new ByteReader(chunks);
  const to = new ByteWriter();
  const count = from.number();
  to.number(count);
  for (let at = 0; at < count; at++) {
    const [key, doc, length] = [from.number(), from.number(), from.number()];
    to.number(at === 0 ? key + by.keys : key);
    // Zigzag: a first document's number is positive.
    to.number(at === 0 ? doc + 2 * by.docs : doc);
    to.number(length);
  }
  return to.take();
}
