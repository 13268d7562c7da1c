// The server store at scale: node bench/scale-postgres.ts --data DIR [--chunks 100000] [--out FILE]
// [--url URL of a database that an earlier run filled, which is filled up] [--index-last] [--copies 9]. On a PostgreSQL
// that syncs every commit; the yardstick is the time to embed a query, in the same run.
import { writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import postgres from "postgres";
import { startPostgres } from "../scripts/postgres.ts";
import type { SearchFilter } from "../src/domain/passage.ts";
import { openEmbed } from "../src/embed/embed.ts";
import { openLog } from "../src/observe/log.ts";
import { openPostgres } from "../src/store/postgres/postgres.ts";
import type { Store } from "../src/store/store.ts";
import { copyRows } from "./support/copied-rows.ts";
import { openScaleCorpus, type ScaleCorpus } from "./support/scale-corpus.ts";

const CHUNKS_PER_DOCUMENT = 20;
const LIMIT = 50;
const INDEX = "knowledge.vectors_hnsw_384";
/** The first questions read postings that later ones find in memory. */
const WARM_UP = 100;
const RECALL_QUESTIONS = 40;
const NEXT_DOCUMENT = 10_000_000;

const { values: flags } = parseArgs({
  options: {
    data: { type: "string", default: "../shared/data" },
    cache: { type: "string", default: join(tmpdir(), "knowledge-bench") },
    model: { type: "string", default: "models/all-MiniLM-L6-v2" },
    chunks: { type: "string", default: "100000" },
    questions: { type: "string", default: "1000" },
    asked: { type: "string", default: "1000" },
    url: { type: "string" },
    /** The vector index is built once everything is stored: quicker than filling it along. */
    "index-last": { type: "boolean", default: false },
    /** Copies of what was stored, with the index last: a million chunks take minutes instead of hours. */
    copies: { type: "string", default: "0" },
    out: { type: "string" },
  },
});

type Question = ScaleCorpus["questions"][number];
const log = openLog({ level: "warn" });
const figures: Record<string, number> = {};

function note(name: string, value: number): void {
  figures[name] = Number(value.toPrecision(3));
  process.stdout.write(`${name}: ${figures[name]}\n`);
}

async function stage(
  name: string,
  questions: readonly Question[],
  run: (question: Question) => Promise<unknown>,
): Promise<number> {
  const times: number[] = [];
  for (const question of questions) {
    const began = performance.now();
    await run(question);
    times.push(performance.now() - began);
  }
  const sorted = times.slice(WARM_UP).sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? 0;
  note(`${name} p50 ms`, at(0.5));
  note(`${name} p95 ms`, at(0.95));
  return at(0.5);
}

async function fill(store: Store, corpus: ScaleCorpus, chunkCount: number): Promise<void> {
  const count = Math.ceil(chunkCount / CHUNKS_PER_DOCUMENT);
  const { documents: there } = await store.documents.totals();
  if (there >= count) return;
  const began = performance.now();
  for (let number = there; number < count; number++) {
    const { document, chunks } = corpus.document(number, CHUNKS_PER_DOCUMENT);
    await store.documents.put(document, chunks);
    if (number === 0 && flags["index-last"]) await putOffIndex();
    if (number % 1000 === 999) process.stderr.write(`${number + 1} documents\n`);
  }
  const seconds = (performance.now() - began) / 1000;
  note("put chunks/s", ((count - there) * CHUNKS_PER_DOCUMENT) / seconds);
}

/** The store takes an empty index of this name for its own. */
async function putOffIndex(): Promise<void> {
  await sql.unsafe(`DROP INDEX ${INDEX};
    CREATE INDEX vectors_hnsw_384 ON knowledge.vectors (key) WHERE false`);
}

async function buildIndex(): Promise<void> {
  const began = performance.now();
  await sql.unsafe(`DROP INDEX ${INDEX}`);
  await sql.begin(async (own) => {
    await own.unsafe("SET LOCAL statement_timeout = 0; SET LOCAL maintenance_work_mem = '3GB'");
    await own.unsafe(`CREATE INDEX IF NOT EXISTS vectors_hnsw_384 ON knowledge.vectors
      USING hnsw ((embedding::halfvec(384)) halfvec_cosine_ops) WHERE dimensions = 384`);
  });
  note("index built in s", (performance.now() - began) / 1000);
  await sql.unsafe("ANALYZE");
}

/** What sizing needs to know. */
async function measureDisk(): Promise<void> {
  const rows = await sql<{ name: string; mb: number }[]>`
    SELECT relname AS name, (pg_total_relation_size(oid) / 1048576)::integer AS mb FROM pg_class
    WHERE relnamespace = 'knowledge'::regnamespace AND relkind = 'r'
    UNION SELECT 'the vector index', (pg_relation_size(${INDEX}::regclass) / 1048576)::integer`;
  for (const { name, mb } of rows) if (mb > 0) note(`${name} MB`, mb);
}

async function search({ documents }: Store, corpus: ScaleCorpus): Promise<void> {
  const questions = corpus.questions.slice(0, Number(flags.asked));
  const weighted = ({ terms }: Question) => terms.map((term) => ({ term, weight: 1 }));
  const one: SearchFilter = { metadata: { team: ["team-7"] } };
  const most: SearchFilter = { formats: ["md"] };
  const lexical = (q: Question, filter: SearchFilter = {}) =>
    documents.lexical({ terms: weighted(q), limit: LIMIT, filter }).then(({ hits }) => hits);
  const nearest = ({ vector }: Question, filter: SearchFilter = {}) =>
    documents.nearest({ vector, limit: LIMIT, filter });
  await stage("lexical", questions, (q) => lexical(q));
  await stage("lexical, 1 % filter", questions, (q) => lexical(q, one));
  await stage("lexical, 90 % filter", questions, (q) => lexical(q, most));
  await stage("vector", questions, (q) => nearest(q));
  await stage("vector, 1 % filter", questions, (q) => nearest(q, one));
  await stage("vector, 90 % filter", questions, (q) => nearest(q, most));
  await stage("term statistics", questions, ({ terms }) => documents.termStatistics(terms));
  const typos = questions.slice(0, WARM_UP + 100);
  await stage("similar terms", typos, (q) =>
    documents.similarTerms([`${q.terms[0] ?? "term"}x`], 5),
  );
  const hybrid = await stage("hybrid", questions, async (q) => {
    const [byTerm, byVector] = await Promise.all([lexical(q), nearest(q)]);
    const best = [...byTerm.slice(0, 5), ...byVector.slice(0, 5)];
    return documents.chunks(best.map((hit) => hit.key));
  });
  note("hybrid p50 / query embedding p50", hybrid / (await embedding(questions)));
}

/** Of the ten nearest that a comparison with every vector finds, the share that the store finds. */
async function recallOf({ documents }: Store, questions: readonly Question[]): Promise<number> {
  let found = 0;
  for (const { vector } of questions.slice(0, RECALL_QUESTIONS)) {
    const exact = await sql.begin(async (own) => {
      await own.unsafe("SET LOCAL enable_indexscan = off; SET LOCAL statement_timeout = 0");
      return own<{ key: string }[]>`SELECT key FROM knowledge.vectors WHERE dimensions = 384
        ORDER BY embedding::halfvec(384) <=> ${`[${vector.join()}]`}::text::halfvec(384) LIMIT 10`;
    });
    const keys = new Set(exact.map(({ key }) => Number(key)));
    const hits = await documents.nearest({ vector, limit: 10 });
    found += hits.filter(({ key }) => keys.has(key)).length;
  }
  return found / (10 * Math.min(RECALL_QUESTIONS, questions.length));
}

async function embedding(questions: readonly Question[]): Promise<number> {
  const embed = openEmbed({
    kind: "local",
    modelDir: flags.model,
    workerUrl: new URL("../src/embed/onnx/worker.ts", import.meta.url),
    workers: 1,
    idleMs: 60_000,
    log,
  });
  const p50 = await stage("query embedding", questions, ({ text }) => embed.query(text));
  await embed.close();
  return p50;
}

const server = flags.url ? undefined : await startPostgres({ durable: true });
const url = flags.url ?? server?.url;
if (!url) process.exit(1);
const corpus = await openScaleCorpus({
  data: flags.data,
  cache: flags.cache,
  modelDir: flags.model,
  questions: Number(flags.questions),
});
const sql = postgres(url, { max: 1, onnotice: () => {} });
const writing = openPostgres({ url, log });
await fill(writing, corpus, Number(flags.chunks));
for (let copy = 1; copy <= Number(flags.copies); copy++) await copyRows(sql, copy);
// The copies' segments of words are merged.
const { document, chunks } = corpus.document(NEXT_DOCUMENT, CHUNKS_PER_DOCUMENT);
if (flags.copies !== "0") await writing.documents.put(document, chunks);
await writing.close();
if (flags["index-last"]) await buildIndex();
const store = openPostgres({ url, log });
await search(store, corpus);
note("recall@10", await recallOf(store, corpus.questions));
note("RSS MB", process.memoryUsage.rss() / 2 ** 20);
await measureDisk();
await store.close();
await sql.end();
await server?.stop();
if (flags.out) writeFileSync(flags.out, JSON.stringify(figures, null, 2));
