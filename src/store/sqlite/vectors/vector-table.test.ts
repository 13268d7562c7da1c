import { expect, test } from "vitest";
import { quantise } from "./quantise.ts";
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

/** Row r has key r + 1. */
function filledTable(): VectorTable {
  const table = new VectorTable(DIMENSIONS);
  for (let row = 0; row < ROWS; row++) {
    const vector = rows.subarray(row * DIMENSIONS, (row + 1) * DIMENSIONS);
    table.add(row + 1, docOf(row), quantise(vector, DIMENSIONS));
  }
  return table;
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

test("the bits lead to nearly all of the true nearest, with their cosine", () => {
  const found = filledTable().nearest(query, 20);
  expect(
    recall(
      found,
      exactKeys(20, () => true),
    ),
  ).toBeGreaterThanOrEqual(0.9);
  for (const { key, score } of found) expect(score).toBeCloseTo(cosine(rows, key - 1, query), 2);
});

test("a wide filter lets through only what it allows", () => {
  const mask = Uint8Array.from([0, 1, 1, 1, 0, 1, 0, 1, 0, 1, 0]);
  const allows = (row: number) => mask[docOf(row)] === 1;
  const found = filledTable().nearest(query, 20, mask);
  expect(found.every((hit) => allows(hit.key - 1))).toBe(true);
  expect(recall(found, exactKeys(20, allows))).toBeGreaterThanOrEqual(0.9);
});

test("a narrow filter gives exact results", () => {
  const mask = Uint8Array.from([0, 0, 0, 1]);
  const exact = exactKeys(40, (row) => docOf(row) === 3);
  const found = filledTable().nearest(query, 40, mask);
  // One byte per dimension can swap neighbours with almost equal scores, but no others.
  expect(recall(found, exact)).toBeGreaterThanOrEqual(0.95);
  found.forEach(({ score }, at) => {
    expect(score).toBeCloseTo(cosine(rows, (exact[at] ?? 0) - 1, query), 2);
  });
});

test("removed rows are not found, before and after the gaps are closed", () => {
  const table = filledTable();
  table.remove(1, 15_000);
  const allows = (row: number) => row >= 15_000;
  const before = table.nearest(query, 20);
  expect(before.every((hit) => hit.key > 15_000)).toBe(true);
  table.compact();
  expect(table.nearest(query, 20)).toEqual(before);
  expect(recall(before, exactKeys(20, allows))).toBeGreaterThanOrEqual(0.9);
  table.add(ROWS + 1, 1, quantise(query, DIMENSIONS));
  expect(table.nearest(query, 1)[0]?.key).toBe(ROWS + 1);
});
