import { expect, test } from "vitest";
import { openBitScan, rowWidth } from "./hamming.ts";

function bitsApart(a: Uint8Array, b: Uint8Array): number {
  return a.reduce((sum, byte, at) => {
    let rest = byte ^ (b[at] ?? 0);
    let count = 0;
    for (; rest !== 0; rest &= rest - 1) count++;
    return sum + count;
  }, 0);
}

test.each([8, 128, 384, 768, 1536, 4096, 8192])("distances of %i bits are exact", (dimensions) => {
  const width = rowWidth(dimensions);
  const rows = 100;
  const from = 65_536;
  const out = from + rows * width;
  const { memory, scan } = openBitScan(width);
  memory.grow(Math.ceil((out + rows * 2) / 65_536));
  const bytes = new Uint8Array(memory.buffer);
  const fill = (at: number, seed: number) => {
    for (let byte = 0; byte < width; byte++)
      bytes[at + byte] = Math.imul(seed + byte, 2654435761) >>> 24;
  };
  fill(0, 7);
  for (let row = 0; row < rows; row++) fill(from + row * width, row * 31);
  // The farthest two rows can be apart.
  for (let byte = 0; byte < width; byte++) bytes[from + byte] = ~(bytes[byte] ?? 0);
  scan(from, out, out);
  const found = [...new Uint16Array(memory.buffer, out, rows)];
  const query = bytes.subarray(0, width);
  const expected = Array.from({ length: rows }, (_, row) =>
    bitsApart(query, bytes.subarray(from + row * width, from + (row + 1) * width)),
  );
  expect(found).toEqual(expected);
  expect(found[0]).toBe(width * 8);
});
