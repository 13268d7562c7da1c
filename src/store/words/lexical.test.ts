// The best few are compared with plain BM25: merged and fresh segments, frequent and rare terms, removals and filters.
import { rmSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { tempFolder } from "../../../test/support/temp-folder.ts";
import { type Connection, type Engine, type Sql, sql } from "../sql.ts";
import { type Database, openDatabase } from "../sqlite/database.ts";
import { openEngine } from "../sqlite/engine.ts";
import type { LexicalFound, LexicalQuery } from "../store.ts";
import type { AllowedDocuments } from "./lexical.ts";
import { addWords, removeWords } from "./segments.ts";
import { openWords } from "./words.ts";

const CHUNKS = 9000;
/** One document of the first kind is a segment of its own size, the others are merged. */
const PER_DOCUMENT = [4000, ...Array.from({ length: 50 }, () => 100)];

let folder: string;
let database: Database;
let engine: Engine;
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

interface Sample {
  readonly key: number;
  readonly doc: number;
  readonly terms: readonly string[];
}

const samples: Sample[] = [];
const removed = new Set<number>();

async function add(doc: number, count: number): Promise<void> {
  await engine.write(async (db) => {
    const keys = await db.dialect.reserveKeys(db, count + 1);
    const chunks = keys.slice(0, count).map((key) => ({ key, doc, terms: sampleTerms() }));
    samples.push(...chunks);
    await addWords(db, keys.at(-1) ?? 0, chunks);
  });
}

async function remove(doc: number): Promise<void> {
  const keys = samples.filter((chunk) => chunk.doc === doc).map(({ key }) => key);
  removed.add(doc);
  await engine.write(async (db) => {
    const [number = 0] = await db.dialect.reserveKeys(db, 1);
    await removeWords(db, number, keys);
  });
}

beforeAll(async () => {
  folder = tempFolder("lexical");
  database = openDatabase(folder);
  engine = openEngine(database);
  for (const [doc, count] of PER_DOCUMENT.entries()) await add(doc, count);
  expect(samples).toHaveLength(CHUNKS);
});
afterAll(() => {
  database.close();
  rmSync(folder, { recursive: true });
});

function plainBm25(query: readonly string[], isAllowed = (_: Sample) => true) {
  const alive = samples.filter(({ doc }) => !removed.has(doc));
  const average = alive.reduce((sum, { terms }) => sum + terms.length, 0) / alive.length;
  const rarity = new Map(
    query.map((term) => {
      const holders = alive.filter(({ terms }) => terms.includes(term)).length;
      return [term, Math.log(1 + (alive.length - holders + 0.5) / (holders + 0.5))];
    }),
  );
  return alive
    .filter(isAllowed)
    .map(({ key, terms }) => {
      const norm = 1.2 * (0.25 + (0.75 * terms.length) / average);
      const score = query.reduce((sum, term) => {
        const times = terms.filter((each) => each === term).length;
        return sum + ((rarity.get(term) ?? 0) * times * 2.2) / (times + norm);
      }, 0);
      // Equal chunks are in the order of their keys.
      return { key, score, rounded: Math.round(score * 1e8) };
    })
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.rounded - a.rounded || a.key - b.key);
}

const words = openWords(64 * 1024);
const search = (query: LexicalQuery, allowed: AllowedDocuments = {}): Promise<LexicalFound> =>
  engine.read((db) => words.lexical(db, query, allowed));

const QUERIES = [
  ["t1", "t2", "t400"],
  ["t1", "t3", "t7", "t20", "t90", "t300", "t333"],
  ["t1"],
  ["t500", "t480"],
  ["t2", "t4", "t8", "t16"],
  ["t511", "nowhere"],
];
const weighted = (query: readonly string[]) => query.map((term) => ({ term, weight: 1 }));

async function expectExact(query: readonly string[], limit: number): Promise<void> {
  const { hits, statistics } = await search({ terms: weighted(query), limit });
  const wanted = plainBm25(query).slice(0, limit);
  expect(hits.map(({ key }) => key)).toEqual(wanted.map(({ key }) => key));
  hits.forEach(({ score }, at) => {
    expect(score).toBeCloseTo(wanted[at]?.score ?? -1, 9);
  });
  for (const term of query) {
    const holders = samples.filter(({ doc, terms }) => !removed.has(doc) && terms.includes(term));
    expect(statistics.frequencies.get(term)).toBe(holders.length);
  }
}

test.each(QUERIES)("the best few are exact for %s %s %s %s", async (...query) => {
  for (const limit of [1, 10, 200]) await expectExact(query, limit);
});

test("they are exact within a filter, whether it is known before or checked afterwards", async () => {
  const [query = []] = QUERIES;
  const wanted = plainBm25(query, ({ doc }) => doc % 7 === 3).slice(0, 10);
  const keys = new Set(samples.filter(({ doc }) => doc % 7 === 3).map(({ key }) => key));
  const before = { allows: (doc: number) => doc % 7 === 3 };
  const after = {
    check: async (asked: readonly number[]) => new Set(asked.filter((key) => keys.has(key))),
  };
  for (const allowed of [before, after]) {
    const { hits } = await search({ terms: weighted(query), limit: 10 }, allowed);
    expect(hits.map(({ key }) => key)).toEqual(wanted.map(({ key }) => key));
  }
});

test("they stay exact while documents are removed, merged away and added", async () => {
  await remove(2);
  for (const query of QUERIES) await expectExact(query, 10);
  for (let doc = 10; doc < 40; doc++) await remove(doc);
  for (const query of QUERIES) await expectExact(query, 10);
  await remove(0);
  for (let doc = 60; doc < 75; doc++) await add(doc, 30);
  for (const query of QUERIES) await expectExact(query, 10);
  const rows = database.all<{ segments: number }>("SELECT count(*) AS segments FROM word_segments");
  expect(rows[0]?.segments).toBeLessThan(25);
});

test.each([1, 2])(
  "a search whose statement %i comes after a merge finds the same",
  async (late) => {
    await add(300 + late, 30);
    const query = weighted(["t1"]);
    const other = openWords(64 * 1024);
    const hits = await engine.write(async (db) => {
      let statements = 0;
      // On PostgreSQL each statement sees what is there when it begins.
      const changing = {
        ...db,
        async all<Row>(statement: Sql): Promise<readonly Row[]> {
          if (++statements === late) await mergeSmall(db);
          return db.all<Row>(statement);
        },
      };
      return (await other.lexical(changing, { terms: query, limit: CHUNKS }, {})).hits;
    });
    const wanted = plainBm25(["t1"]).map(({ key }) => key);
    expect(hits.map(({ key }) => key).sort()).toEqual(wanted.sort());
  },
);

/** Adds chunks until all small segments have become one. */
async function mergeSmall(db: Connection): Promise<void> {
  for (let doc = 200; ; doc++) {
    const keys = await db.dialect.reserveKeys(db, 3);
    const chunks = keys.slice(1).map((key) => ({ key, doc, terms: ["other"] }));
    samples.push(...chunks);
    await addWords(db, keys[0] ?? 0, chunks);
    const sizes = await db.all<{ added: number }>(sql`SELECT added FROM word_segments`);
    if (sizes.every(({ added }) => added === 0 || added > 1000)) return;
  }
}

test("a full segment that loses half of its chunks is written again without them", async () => {
  await add(100, 5000);
  await add(101, 5000);
  const size = () =>
    Number(
      database.get<{ bytes: number }>("SELECT sum(length(lists)) AS bytes FROM word_pages")?.bytes,
    );
  for (let doc = 102; doc < 109; doc++) await add(doc, 5000);
  const before = size();
  for (let doc = 101; doc < 109; doc++) await remove(doc);
  for (const query of QUERIES) await expectExact(query, 10);
  expect(size()).toBeLessThan(before / 2);
});
