// The embedded store at scale: node bench/scale.ts --data DIR [--chunks 10000,100000] [--base DIR] [--out FILE]
// Each stage is timed through the store's port, so with the way to its thread and back. A base that is named is kept,
// and filled only with what it lacks: a million chunks take long.
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { SearchFilter } from "../src/domain/passage.ts";
import { openLog } from "../src/observe/log.ts";
import { openSqlite } from "../src/store/sqlite/sqlite.ts";
import type { Store } from "../src/store/store.ts";
import { exactNearest, recallOf } from "./support/recall.ts";
import { openScaleCorpus, type ScaleCorpus } from "./support/scale-corpus.ts";

const CHUNKS_PER_DOCUMENT = 20;
const LIMIT = 50;
const RECALL_QUESTIONS = 200;

const { values: flags } = parseArgs({
  options: {
    data: { type: "string", default: "../shared/data" },
    cache: { type: "string", default: join(tmpdir(), "knowledge-bench") },
    model: { type: "string", default: "models/all-MiniLM-L6-v2" },
    chunks: { type: "string", default: "10000,100000" },
    base: { type: "string" },
    out: { type: "string" },
  },
});

type Figures = Record<string, number | string>;

function openAt(dataDir: string): Store {
  const workerUrl = new URL("../src/store/sqlite/thread/worker.ts", import.meta.url);
  return openSqlite({ dataDir, workerUrl, log: openLog({ level: "warn" }) });
}

function percentiles(times: number[]): { p50: number; p95: number } {
  const sorted = [...times].sort((a, b) => a - b);
  const at = (share: number) => round(sorted[Math.floor(sorted.length * share)] ?? 0);
  return { p50: at(0.5), p95: at(0.95) };
}

function round(value: number): number {
  return Number(value.toPrecision(3));
}

async function timed<Result>(work: () => Promise<Result>): Promise<{ ms: number; result: Result }> {
  const began = performance.now();
  const result = await work();
  return { ms: performance.now() - began, result };
}

async function stage(
  figures: Figures,
  name: string,
  corpus: ScaleCorpus,
  run: (question: ScaleCorpus["questions"][number]) => Promise<unknown>,
): Promise<void> {
  const times: number[] = [];
  for (const question of corpus.questions) times.push((await timed(() => run(question))).ms);
  // The first hundred read postings that later ones find in memory.
  const { p50, p95 } = percentiles(times.slice(100));
  figures[`${name} p50 ms`] = p50;
  figures[`${name} p95 ms`] = p95;
}

async function fill(store: Store, corpus: ScaleCorpus, chunkCount: number): Promise<Figures> {
  const count = Math.ceil(chunkCount / CHUNKS_PER_DOCUMENT);
  const { documents: first } = await store.documents.totals();
  let storing = 0;
  for (let number = first; number < count; number++) {
    const { document, chunks } = corpus.document(number, CHUNKS_PER_DOCUMENT);
    storing += (await timed(() => store.documents.put(document, chunks))).ms;
  }
  if (first === count) return {};
  return { "put chunks/s": Math.round(((count - first) * CHUNKS_PER_DOCUMENT * 1000) / storing) };
}

async function searchFigures(store: Store, corpus: ScaleCorpus, figures: Figures): Promise<void> {
  const { documents } = store;
  const terms = (question: { terms: readonly string[] }) =>
    question.terms.map((term) => ({ term, weight: 1 }));
  const filter: SearchFilter = { metadata: { team: ["team-7"] } };
  await stage(figures, "lexical", corpus, (q) =>
    documents.lexical({ terms: terms(q), limit: LIMIT }),
  );
  await stage(figures, "lexical, 1 % filter", corpus, (q) =>
    documents.lexical({ terms: terms(q), limit: LIMIT, filter }),
  );
  await stage(figures, "vector", corpus, (q) =>
    documents.nearest({ vector: q.vector, limit: LIMIT }),
  );
  await stage(figures, "vector, 1 % filter", corpus, (q) =>
    documents.nearest({ vector: q.vector, limit: LIMIT, filter }),
  );
  await stage(figures, "vector, 90 % filter", corpus, (q) =>
    documents.nearest({ vector: q.vector, limit: LIMIT, filter: { formats: ["md"] } }),
  );
  await stage(figures, "term statistics", corpus, (q) => documents.termStatistics(q.terms));
  const hits = await documents.nearest({
    vector: corpus.questions[0]?.vector ?? new Float32Array(),
    limit: 10,
  });
  await stage(figures, "fetch 10 chunks", corpus, () =>
    documents.chunks(hits.map((hit) => hit.key)),
  );
  await stage(figures, "similar terms", corpus, (q) =>
    documents.similarTerms([`${q.terms[0] ?? "term"}x`], 5),
  );
}

async function changeFigures(store: Store, corpus: ScaleCorpus, figures: Figures): Promise<void> {
  const adds: number[] = [];
  const removes: number[] = [];
  const after: number[] = [];
  for (let number = 0; number < 30; number++) {
    const { document, chunks } = corpus.document(10_000_000 + number, CHUNKS_PER_DOCUMENT);
    adds.push((await timed(() => store.documents.put(document, chunks))).ms);
    const question = corpus.questions[number];
    if (question) {
      const terms = question.terms.map((term) => ({ term, weight: 1 }));
      after.push((await timed(() => store.documents.lexical({ terms, limit: LIMIT }))).ms);
    }
    removes.push((await timed(() => store.documents.remove(document.id))).ms);
  }
  figures["add 20 chunks p50 ms"] = percentiles(adds).p50;
  figures["remove 20 chunks p50 ms"] = percentiles(removes).p50;
  figures["lexical right after an add p50 ms"] = percentiles(after).p50;
}

function sizeOf(folder: string): number {
  return readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
}

async function measure(corpus: ScaleCorpus, chunkCount: number): Promise<Figures> {
  const folder = flags.base ?? mkdtempSync(join(tmpdir(), "knowledge-scale-"));
  const figures: Figures = { chunks: chunkCount };
  try {
    const writing = openAt(folder);
    Object.assign(figures, await fill(writing, corpus, chunkCount));
    await writing.close();
    figures["disk bytes/chunk"] = Math.round(sizeOf(folder) / chunkCount);
    const rssBefore = process.memoryUsage.rss();
    const store = openAt(folder);
    const [question] = corpus.questions;
    const vector = question?.vector ?? new Float32Array();
    const opened = await timed(() => store.documents.nearest({ vector, limit: LIMIT }));
    figures["open and first search ms"] = round(opened.ms);
    await searchFigures(store, corpus, figures);
    figures["RSS grown by MB"] = Math.round((process.memoryUsage.rss() - rssBefore) / 2 ** 20);
    figures["recall@10"] = await recallOf(store, corpus);
    await changeFigures(store, corpus, figures);
    await store.close();
  } finally {
    if (flags.base === undefined) rmSync(folder, { recursive: true, force: true });
  }
  return figures;
}

/** Recall where every vector is a real embedding: one chunk a sentence. */
async function realRecall(corpus: ScaleCorpus): Promise<Figures> {
  const folder = mkdtempSync(join(tmpdir(), "knowledge-scale-"));
  const store = openAt(folder);
  try {
    const { document } = corpus.document(1, 1);
    const chunks = corpus.sentences.map((text, ordinal) => ({
      ordinal,
      start: 0,
      end: 0,
      text,
      place: {},
      headings: [],
      terms: [],
      vector: corpus.vectors.subarray(ordinal * 384, (ordinal + 1) * 384),
    }));
    await store.documents.put(document, chunks);
    const figures: Figures = { "real embeddings": corpus.sentences.length };
    for (const limit of [10, 50]) {
      let found = 0;
      for (const { vector } of corpus.questions.slice(0, RECALL_QUESTIONS)) {
        const hits = await store.documents.nearest({ vector, limit });
        const stored = await store.documents.chunks(hits.map((hit) => hit.key));
        const exact = new Set(exactNearest(corpus.vectors, vector, limit));
        found += stored.filter((chunk) => exact.has(chunk.ordinal)).length / limit;
      }
      figures[`recall@${limit}`] = round(found / RECALL_QUESTIONS);
    }
    return figures;
  } finally {
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

const corpus = await openScaleCorpus({
  data: flags.data,
  cache: flags.cache,
  modelDir: flags.model,
  questions: 1000,
});
const results: Figures[] = [await realRecall(corpus)];
process.stdout.write(`${JSON.stringify(results[0], null, 2)}\n`);
for (const count of flags.chunks.split(",").map(Number)) {
  const figures = await measure(corpus, count);
  process.stdout.write(`${JSON.stringify(figures, null, 2)}\n`);
  results.push(figures);
}
if (flags.out) writeFileSync(flags.out, JSON.stringify(results, null, 2));
