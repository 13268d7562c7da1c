// Picks the rows whose bits differ least from the query's. A sample of the distances shows how far to reach, so the rows
// are read once and never sorted.
import type { DocMask } from "../thread/filters.ts";

/** One row in this many is sampled to estimate the cut-off; a small margin makes up for the sampling error. */
const SAMPLE_STEP = 8;
const SAMPLE_SLACK = 1.25;

/** A block of rows with their distances from the query, in bits. */
interface Scanned {
  readonly firstRow: number;
  readonly docs: Uint32Array;
  /** 0 if the row was removed. */
  readonly scales: Float32Array;
  readonly distances: Uint16Array;
}

interface Wanted {
  readonly wanted: number;
  readonly mask: DocMask | undefined;
  readonly dimensions: number;
}

/** At least `wanted` rows if there are that many, including all ties with the last. */
export function nearestByBits(
  blocks: readonly Scanned[],
  { wanted, mask, dimensions }: Wanted,
): number[] {
  const histogram = new Uint32Array(dimensions + 1);
  for (const block of blocks) sampleDistances(histogram, block, mask);
  let reach = 0;
  for (let seen = 0; reach < dimensions; reach++) {
    seen += (histogram[reach] as number) * SAMPLE_STEP;
    if (seen >= wanted * SAMPLE_SLACK) break;
  }
  for (; ; reach++) {
    const rows: number[] = [];
    for (const block of blocks) collectNear(rows, block, { reach, mask });
    if (rows.length >= wanted || reach >= dimensions) return rows;
  }
}

function sampleDistances(
  histogram: Uint32Array,
  { docs, scales, distances }: Scanned,
  mask: DocMask | undefined,
): void {
  for (let at = 0; at < distances.length; at += SAMPLE_STEP) {
    if (scales[at] === 0 || (mask && mask[docs[at] as number] !== 1)) continue;
    const distance = distances[at] as number;
    histogram[distance] = (histogram[distance] as number) + 1;
  }
}

function collectNear(
  rows: number[],
  { firstRow, docs, scales, distances }: Scanned,
  { reach, mask }: { readonly reach: number; readonly mask: DocMask | undefined },
): void {
  for (let at = 0; at < distances.length; at++) {
    if ((distances[at] as number) > reach || scales[at] === 0) continue;
    if (mask && mask[docs[at] as number] !== 1) continue;
    rows.push(firstRow + at);
  }
}
