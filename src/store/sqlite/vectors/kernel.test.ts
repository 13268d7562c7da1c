import { expect, test } from "vitest";
import {
  bitBytes,
  codeBytes,
  openBitKernel,
  openCodeKernel,
  PAGE_BYTES,
  QUERY_AT,
} from "./kernel.ts";

const ROWS = 100;
const LENGTHS = [8, 32, 128, 384, 768, 1536, 4096, 8192];

function noise(seed: number): number {
  return Math.imul(seed + 1, 2654435761) >>> 24;
}

function bitsApart(a: Uint8Array, b: Uint8Array): number {
  return a.reduce((sum, byte, at) => {
    let count = 0;
    for (let rest = byte ^ (b[at] ?? 0); rest !== 0; rest &= rest - 1) count++;
    return sum + count;
  }, 0);
}

test.each(LENGTHS)("distances of %i bits are exact", (dimensions) => {
  const width = bitBytes(dimensions);
  const out = PAGE_BYTES + ROWS * width;
  const { memory, scan } = openBitKernel(dimensions);
  memory.grow(Math.ceil((out + ROWS * 2) / PAGE_BYTES));
  const bytes = new Uint8Array(memory.buffer);
  const row = (at: number) =>
    bytes.subarray(PAGE_BYTES + at * width, PAGE_BYTES + (at + 1) * width);
  const query = bytes.subarray(QUERY_AT, QUERY_AT + width);
  query.forEach((_, at) => {
    query[at] = noise(at);
  });
  for (let at = 0; at < ROWS; at++)
    row(at).forEach((_, byte, all) => {
      all[byte] = noise(at * 31 + byte);
    });
  // The maximum distance between two rows.
  row(0).set(query.map((byte) => ~byte));
  scan(PAGE_BYTES, out, out);
  const found = [...new Uint16Array(memory.buffer, out, ROWS)];
  expect(found).toEqual(Array.from({ length: ROWS }, (_, at) => bitsApart(query, row(at))));
  expect(found[0]).toBe(width * 8);
});

test.each(LENGTHS)("products of %i codes and numbers are exact", (dimensions) => {
  const { memory, dot } = openCodeKernel(dimensions);
  memory.grow(Math.ceil(codeBytes(dimensions) / PAGE_BYTES));
  const numbers = new Int16Array(memory.buffer, QUERY_AT, dimensions);
  const codes = new Int8Array(memory.buffer, PAGE_BYTES, dimensions);
  for (let at = 0; at < dimensions; at++) {
    numbers[at] = noise(at) * 7 - 900;
    codes[at] = noise(at * 31) - 128;
  }
  const product = codes.reduce((sum, code, at) => sum + code * (numbers[at] ?? 0), 0);
  expect(dot(PAGE_BYTES)).toBe(product);
});
