// Tests pruning: more than one block of keys, frequent and rare terms, compared with plain BM25.
import { rmSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { tempFolder } from "../../../../test/support/temp-folder.ts";
import { type Database, openDatabase } from "../database.ts";
import { packParts } from "../thread/packed-messages.ts";
import { openReader, type Reader } from "../thread/reader.ts";
import { openWriter, type Writer } from "../thread/writer.ts";

const CHUNKS = 9000;
const PER_DOCUMENT = 1500;

let folder: string;
let database: Database;
let reader: Reader;
let writer: Writer;
let state = 42;

function random(): number {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return state / 2 ** 32;
}

/** Term n is about n times rarer than the first. */
function sampleTerms(): string[] {
  const length = 3 + Math.floor(random() * 12);
  return Array.from({ length }, () => `t${Math.floor(2 ** (random() * 9))}`);
}

const all = Array.from({ length: CHUNKS }, sampleTerms);
const removed = new Set<number>();

beforeAll(() => {
  folder = tempFolder("lexical");
  database = openDatabase(folder);
  writer = openWriter(database);
  reader = openReader(database);
  for (let from = 0; from < CHUNKS; from += PER_DOCUMENT) {
    const id = `d${from / PER_DOCUMENT}`;
    const terms = all.slice(from, from + PER_DOCUMENT);
    const chunks = terms.map((list, ordinal) => {
      const place = { start: ordinal, end: ordinal + 1, text: "x" };
      return { ordinal, ...place, place: {}, headings: [], terms: list };
    });
    for (const part of packParts(chunks)) writer.stage(id, part);
    const format = from === 0 ? ("pdf" as const) : ("txt" as const);
    const text = "x".repeat(PER_DOCUMENT);
    const extracted = { format, text, blocks: [], pages: [], warnings: [] };
    writer.put(
      {
        id,
        filename: id,
        contentHash: id,
        format,
        sizeBytes: 1,
        metadata: {},
        fingerprint: "f",
        extracted: { ...extracted, method: "text_extraction" },
      },
      id,
    );
  }
});
afterAll(() => {
  database.close();
  rmSync(folder, { recursive: true });
});

function plainBm25(
  query: readonly string[],
  limit: number,
  allows = (_: number) => true,
): number[] {
  const alive = all.flatMap((terms, at) => (removed.has(at) ? [] : [{ terms, at }]));
  const average = alive.reduce((sum, { terms }) => sum + terms.length, 0) / alive.length;
  const rarity = new Map(
    query.map((term) => {
      const holders = alive.filter(({ terms }) => terms.includes(term)).length;
      return [term, Math.log(1 + (alive.length - holders + 0.5) / (holders + 0.5))];
    }),
  );
  return alive
    .filter(({ at }) => allows(at))
    .map(({ terms }) =>
      query.reduce((sum, term) => {
        const tf = terms.filter((each) => each === term).length;
        const norm = 1.2 * (0.25 + (0.75 * terms.length) / average);
        return sum + ((rarity.get(term) ?? 0) * tf * 2.2) / (tf + norm);
      }, 0),
    )
    .filter((score) => score > 0)
    .sort((a, b) => b - a)
    .slice(0, limit);
}

const QUERIES = [
  ["t1", "t2", "t400"],
  ["t1", "t3", "t7", "t20", "t90", "t300", "t333"],
  ["t1"],
  ["t500", "t480"],
  ["t2", "t4", "t8", "t16"],
];

function expectExact(query: readonly string[], limit: number): void {
  const terms = query.map((term) => ({ term, weight: 1 }));
  const found = reader.lexical({ terms, limit }).hits.scores;
  const wanted = plainBm25(query, limit);
  expect(found).toHaveLength(wanted.length);
  found.forEach((score, at) => {
    expect(score).toBeCloseTo(wanted[at] ?? -1, 9);
  });
}

test.each(QUERIES)("the best few are exact for %s %s %s %s", (...query) => {
  for (const limit of [1, 10, 200]) expectExact(query, limit);
});

test("they are exact within a filter", () => {
  const [query = []] = QUERIES;
  const terms = query.map((term) => ({ term, weight: 1 }));
  const found = reader.lexical({ terms, limit: 10, filter: { formats: ["pdf"] } }).hits.scores;
  const wanted = plainBm25(query, 10, (at) => at < PER_DOCUMENT);
  found.forEach((score, at) => {
    expect(score).toBeCloseTo(wanted[at] ?? -1, 9);
  });
  expect(found).toHaveLength(10);
});

test("they stay exact after a document is removed and another added", () => {
  writer.remove("d2");
  for (let at = 2 * PER_DOCUMENT; at < 3 * PER_DOCUMENT; at++) removed.add(at);
  for (const query of QUERIES) expectExact(query, 10);
});
