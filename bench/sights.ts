// A search by a caller who sees one of 100 scopes, against one by a caller who sees everything, in turn; made-up text and
// vectors, so that only the store and the search count: node bench/sights.ts [--chunks 100000] [--scopes 100]
import { hash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { openLog } from "../src/observe/log.ts";
import { openAnalyser, openSearch } from "../src/search/search.ts";
import { openSqlite } from "../src/store/sqlite/sqlite.ts";
import { openRandom } from "../stress/fuzz/random.ts";
import { letterEmbed } from "../test/support/plain-parts.ts";
import { sampleDocument } from "../test/support/sample-documents.ts";

const { values: flags } = parseArgs({
  options: {
    chunks: { type: "string", default: "100000" },
    scopes: { type: "string", default: "100" },
  },
});
const CHUNKS_PER_DOCUMENT = 20;
const WORDS_PER_CHUNK = 60;
const DIMENSIONS = 384;
const QUESTIONS = 300;
const WARM = 50;
const RECALLED = 10;
const RECALL_QUESTIONS = 40;

const random = openRandom(1);
/** Few words are frequent and most are rare, as in a language. */
const VOCABULARY = Array.from({ length: 20_000 }, (_, at) =>
  hash("sha256", String(at), "base64url")
    .replace(/[^a-zA-Z]/g, "")
    .slice(0, 8)
    .toLowerCase(),
);
const word = () => VOCABULARY[Math.floor(20_000 * random.next() ** 3)] as string;
const words = (count: number) => Array.from({ length: count }, word).join(" ");
const vector = () => Float32Array.from({ length: DIMENSIONS }, () => random.next() - 0.5);

function unit(vector: Float32Array): Float32Array {
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}

/** Of the nearest by exact comparison, the share that the store finds as well. */
async function recallOf(scope?: string): Promise<number> {
  const documents = scope === undefined ? store.documents : store.documents.seenBy([scope]);
  const seen = stored.filter((each) => scope === undefined || each.scope === scope);
  let found = 0;
  for (let at = 0; at < RECALL_QUESTIONS; at++) {
    const asked = unit(vector());
    const dot = (other: Float32Array) =>
      other.reduce((sum, value, i) => sum + value * (asked[i] ?? 0), 0);
    const exact = seen
      .map(({ id, vector: own }) => ({ id, score: dot(own) }))
      .sort((a, b) => b.score - a.score)
      .slice(0, RECALLED);
    const best = new Set(exact.map(({ id }) => id));
    const hits = await documents.nearest({ vector: asked, limit: RECALLED });
    const chunks = await documents.chunks(hits.map(({ key }) => key));
    found += chunks.filter(({ document, ordinal }) => best.has(`${document.id}/${ordinal}`)).length;
  }
  return found / RECALL_QUESTIONS / RECALLED;
}

const embed = { ...letterEmbed(), dimensions: DIMENSIONS, query: async () => vector() };
const fingerprint = `${embed.fingerprint}+made-up`;

const dataDir = mkdtempSync(join(tmpdir(), "bench-sights-"));
const workerUrl = new URL("../src/store/sqlite/thread/worker.ts", import.meta.url);
const log = openLog({ level: "error" });
const store = openSqlite({ dataDir, workerUrl, log });
/** Every vector with its scope, in the order of the chunks. */
const stored: { readonly scope: string; readonly id: string; readonly vector: Float32Array }[] = [];
try {
  /** Of each scope, a text of it. */
  const texts = new Map<string, string>();
  for (let made = 0; made < Number(flags.chunks); made += CHUNKS_PER_DOCUMENT) {
    const parts = Array.from({ length: CHUNKS_PER_DOCUMENT }, () => words(WORDS_PER_CHUNK));
    const { document, chunks } = sampleDocument(parts, { fingerprint });
    const scope = `s${(made / CHUNKS_PER_DOCUMENT) % Number(flags.scopes)}`;
    const placed = chunks.map((chunk) => ({ ...chunk, vector: unit(vector()) }));
    for (const { vector: of, ordinal } of placed)
      stored.push({ scope, id: `${document.id}/${ordinal}`, vector: of });
    texts.set(scope, parts[0] as string);
    await store.documents.put({ ...document, scope }, placed);
  }
  const search = openSearch({ store: store.documents, embed, analyser: openAnalyser(), log });
  const [all, one]: [number[], number[]] = [[], []];
  for (let at = 0; at < QUESTIONS; at++) {
    const scope = `s${at % Number(flags.scopes)}`;
    const asked = { text: texts.get(scope)?.split(" ").slice(0, 5).join(" ") ?? "", limit: 10 };
    for (const [times, sight] of [[all], [one, [scope]]] as const) {
      const began = performance.now();
      await search.search({ ...asked, ...(sight && { sight }) });
      times.push(performance.now() - began);
    }
  }
  const p50 = (times: number[]) => {
    const sorted = times.slice(WARM).sort((a, b) => a - b);
    return Number((sorted[sorted.length >> 1] ?? 0).toPrecision(3));
  };
  const report = {
    ...{ "everything p50 ms": p50(all), "one scope p50 ms": p50(one) },
    ...{ "everything recall@10": await recallOf(), "one scope recall@10": await recallOf("s7") },
  };
  process.stdout.write(
    `${JSON.stringify({ chunks: Number(flags.chunks), ...report, ratio: p50(one) / p50(all) })}\n`,
  );
} finally {
  await store.close();
  rmSync(dataDir, { recursive: true, force: true });
}
