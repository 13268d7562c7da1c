// A whole search against the time to embed its query alone, each query asked both ways in turn:
// node bench/search.ts [--data DIR] [--chunks 10000,100000] [--base DIR] [--out FILE]
// A base that is named is kept, and filled only with what it lacks.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { openLog } from "../src/observe/log.ts";
import { openAnalyser, openSearch } from "../src/search/search.ts";
import { openSqlite } from "../src/store/sqlite/sqlite.ts";
import { openLocalModel } from "./support/cached-embed.ts";
import { openScaleCorpus, type ScaleCorpus } from "./support/scale-corpus.ts";

const { values: flags } = parseArgs({
  options: {
    data: { type: "string", default: "../shared/data" },
    chunks: { type: "string", default: "10000,100000" },
    base: { type: "string" },
    out: { type: "string" },
  },
});

const CHUNKS_PER_DOCUMENT = 20;
const QUESTIONS = 400;
const WARM = 100;
const log = openLog({ level: "error" });

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

function at(times: readonly number[], share: number): number {
  const sorted = times.slice(WARM).sort((a, b) => a - b);
  return Number((sorted[Math.floor(sorted.length * share)] ?? 0).toPrecision(3));
}

async function measure(corpus: ScaleCorpus, chunkCount: number) {
  const dataDir = flags.base ?? mkdtempSync(join(tmpdir(), "knowledge-search-"));
  const workerUrl = new URL("../src/store/sqlite/thread/worker.ts", import.meta.url);
  const store = openSqlite({ dataDir, workerUrl, log });
  const embed = openLocalModel();
  try {
    const { documents: first } = await store.documents.totals();
    for (let number = first; number < chunkCount / CHUNKS_PER_DOCUMENT; number++) {
      const { document, chunks } = corpus.document(number, CHUNKS_PER_DOCUMENT);
      await store.documents.put(document, chunks);
    }
    const analyser = openAnalyser();
    const search = openSearch({ store: store.documents, embed, analyser, log });
    const [alone, whole]: [number[], number[]] = [[], []];
    for (const { text } of corpus.questions) {
      alone.push(await timed(() => embed.query(text)));
      whole.push(await timed(() => search.search({ text, limit: 10 })));
    }
    const ratio = Number((at(whole, 0.5) / at(alone, 0.5)).toPrecision(3));
    return {
      chunks: chunkCount,
      "embedding alone p50 ms": at(alone, 0.5),
      "search p50 ms": at(whole, 0.5),
      "search p95 ms": at(whole, 0.95),
      "search against embedding": ratio,
    };
  } finally {
    await embed.close();
    await store.close();
    if (flags.base === undefined) rmSync(dataDir, { recursive: true, force: true });
  }
}

const corpus = await openScaleCorpus({
  data: flags.data,
  cache: join(tmpdir(), "knowledge-bench"),
  modelDir: join(import.meta.dirname, "../models/all-MiniLM-L6-v2"),
  questions: QUESTIONS,
});
const results: Record<string, number>[] = [];
for (const count of flags.chunks.split(",")) {
  const figures = await measure(corpus, Number(count));
  results.push(figures);
  for (const [name, value] of Object.entries(figures)) {
    process.stdout.write(`${name.padEnd(28)} ${value}\n`);
  }
}
if (flags.out) writeFileSync(flags.out, JSON.stringify(results, null, 2));
