import { expect, test } from "vitest";
import { bitBytes } from "./kernel.ts";
import { codesOf, packSigns, quantise } from "./quantise.ts";
import { VectorTable } from "./vector-table.ts";

const DIMENSIONS = 64;
const ROWS = 20_000;

/** Clustered, as embeddings are: each row near one of fifty centres. */
function sampleRows(count: number): Float32Array {
  let state = 1;
  const random = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 31 - 1;
  };
  const centres = Float32Array.from({ length: 50 * DIMENSIONS }, random);
  return Float32Array.from({ length: count * DIMENSIONS }, (_, at) => {
    const centre = (Math.floor(at / DIMENSIONS) % 50) * DIMENSIONS;
    return (centres[centre + (at % DIMENSIONS)] ?? 0) + 0.7 * random();
  });
}

function cosine(rows: Float32Array, row: number, query: Float32Array): number {
  const vector = rows.subarray(row * DIMENSIONS, (row + 1) * DIMENSIONS);
  const dot = vector.reduce((sum, value, at) => sum + value * (query[at] ?? 0), 0);
  return dot / (Math.hypot(...vector) * Math.hypot(...query));
}

const rows = sampleRows(ROWS);
const query = rows.slice(123 * DIMENSIONS, 124 * DIMENSIONS);

/** One of ten documents, each with a tenth of every cluster. */
function docOf(row: number): number {
  return (Math.floor(row / 50) % 10) + 1;
}

const stored = new Map<number, Uint8Array>();

/** Row r has key r + 1. */
function put(table: VectorTable, key: number, doc: number, vector: Float32Array): void {
  const coded = quantise(vector) as Uint8Array;
  const bits = new Uint8Array(bitBytes(DIMENSIONS));
  packSigns(codesOf(coded), bits);
  stored.set(key, coded);
  table.put(key, doc, bits);
}

function filledTable(): VectorTable {
  const table = new VectorTable(DIMENSIONS);
  for (let row = 0; row < ROWS; row++)
    put(table, row + 1, docOf(row), rows.subarray(row * DIMENSIONS, (row + 1) * DIMENSIONS));
  return table;
}

async function nearest(table: VectorTable, limit: number, mask?: Uint8Array) {
  const read = async (keys: readonly number[]) =>
    keys.flatMap((key) => {
      const vector = stored.get(key);
      return vector ? [[key, vector] as const] : [];
    });
  const first = await table.nearest({ vector: query, limit, mask, read });
  // Then from what is kept in memory.
  expect(await table.nearest({ vector: query, limit, mask, read: async () => [] })).toEqual(first);
  return first;
}

function exactKeys(limit: number, allows: (row: number) => boolean): number[] {
  return Array.from({ length: ROWS }, (_, row) => row)
    .filter(allows)
    .map((row) => ({ row, score: cosine(rows, row, query) }))
    .sort((a, b) => b.score - a.score)
    .slice(0, limit)
    .map(({ row }) => row + 1);
}

function recall(found: readonly { key: number }[], exact: readonly number[]): number {
  const wanted = new Set(exact);
  return found.filter((hit) => wanted.has(hit.key)).length / exact.length;
}

test("the bits lead to nearly all of the true nearest, with their cosine", async () => {
  const found = await nearest(filledTable(), 20);
  const exact = exactKeys(20, () => true);
  expect(recall(found, exact)).toBeGreaterThanOrEqual(0.9);
  for (const { key, score } of found) expect(score).toBeCloseTo(cosine(rows, key - 1, query), 2);
});

test("a wide filter lets through only what it allows", async () => {
  const mask = Uint8Array.from([0, 1, 1, 1, 0, 1, 0, 1, 0, 1, 0]);
  const allows = (row: number) => mask[docOf(row)] === 1;
  const found = await nearest(filledTable(), 20, mask);
  expect(found.every((hit) => allows(hit.key - 1))).toBe(true);
  expect(recall(found, exactKeys(20, allows))).toBeGreaterThanOrEqual(0.9);
});

test("a narrow filter gives exact results", async () => {
  const mask = Uint8Array.from([0, 0, 0, 1]);
  const exact = exactKeys(40, (row) => docOf(row) === 3);
  const found = await nearest(filledTable(), 40, mask);
  // One byte per dimension can swap neighbours with almost equal scores, but no others.
  expect(recall(found, exact)).toBeGreaterThanOrEqual(0.95);
  found.forEach(({ score }, at) => {
    expect(score).toBeCloseTo(cosine(rows, (exact[at] ?? 0) - 1, query), 2);
  });
});

test("removed rows are not found, and a vector that is replaced counts at once", async () => {
  const table = filledTable();
  expect((await nearest(table, 1))[0]?.key).toBe(124);
  for (let key = 1; key <= 15_000; key++) table.remove(key);
  expect(table.isMostlyGone).toBe(true);
  const found = await nearest(table, 20);
  expect(found.every((hit) => hit.key > 15_000)).toBe(true);
  expect(
    recall(
      found,
      exactKeys(20, (row) => row >= 15_000),
    ),
  ).toBeGreaterThanOrEqual(0.9);
  put(table, ROWS, 1, query);
  expect((await nearest(table, 1))[0]?.key).toBe(ROWS);
});
