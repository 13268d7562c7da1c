// Connected components of ink: each patch of adjacent dark pixels, with its box and its runs.
import type { Box } from "../../box.ts";
import type { Pixels } from "./png.ts";

export interface Patch extends Box {
  /** The number of dark pixels. */
  readonly area: number;
  /** Each run goes from `start` to `end` within one row. */
  readonly runs: readonly Run[];
}

interface Run {
  readonly y: number;
  readonly start: number;
  readonly end: number;
}

const DARK = 128;
// A page of small print has about 200,000 runs; more is grain, which contains no letters.
const MAX_RUNS = 600_000;

/** Returns no patches if the picture is noise. */
export function patchesOf({ width, height, data }: Pixels): readonly Patch[] {
  const runs: Run[] = [];
  const links = openLinks();
  let above: readonly [number, number] = [0, 0];
  for (let y = 0; y < height; y += 1) {
    const first = runs.length;
    for (let x = 0; x < width; x += 1) {
      if ((data[y * width + x] as number) >= DARK) continue;
      const start = x;
      while (x < width && (data[y * width + x] as number) < DARK) x += 1;
      runs.push({ y, start, end: x });
    }
    if (runs.length > MAX_RUNS) return [];
    join(runs, above, first, links);
    above = [first, runs.length];
  }
  return gather(runs, links);
}

type Links = ReturnType<typeof openLinks>;

/** Tracks which runs are connected: a forest with one root per patch. */
function openLinks() {
  const parents: number[] = [];
  const rootOf = (at: number): number => {
    let root = at;
    while ((parents[root] ?? root) !== root) root = parents[root] as number;
    parents[at] = root;
    return root;
  };
  return {
    rootOf,
    join: (one: number, other: number) => {
      parents[rootOf(other)] = rootOf(one);
    },
  };
}

/** Connects the runs of a row with those above that touch them, also at corners. */
function join(
  runs: readonly Run[],
  [from, until]: readonly [number, number],
  first: number,
  links: Links,
): void {
  let over = from;
  for (let at = first; at < runs.length; at += 1) {
    const run = runs[at] as Run;
    while (over < until && (runs[over] as Run).end < run.start) over += 1;
    for (let next = over; next < until && (runs[next] as Run).start <= run.end; next += 1)
      links.join(next, at);
  }
}

function gather(runs: readonly Run[], links: Links): readonly Patch[] {
  const parts = Map.groupBy(runs.keys(), (at) => links.rootOf(at));
  return [...parts.values()].map((places) => toPatch(places.map((at) => runs[at] as Run)));
}

function toPatch(runs: readonly Run[]): Patch {
  let [left, right, area] = [Number.POSITIVE_INFINITY, 0, 0];
  for (const { start, end } of runs) {
    left = Math.min(left, start);
    right = Math.max(right, end);
    area += end - start;
  }
  const top = runs[0]?.y ?? 0;
  const bottom = (runs.at(-1)?.y ?? 0) + 1;
  return { x: left, y: top, width: right - left, height: bottom - top, area, runs };
}

const FAINT_EDGE = 0.3;
const MAX_FAINT = 0.25;

/**
 * Letters have an edge on every side. Where the background was guessed wrongly, as at the corner of
 * a box or a shadow, the area continues beyond the patch and the picture has no edge there.
 */
export function hasEdges({ runs }: Patch, picture: Pixels): boolean {
  const steps = runs.flatMap(({ y, start, end }) => [
    edge(picture, y, start, -1),
    edge(picture, y, end - 1, 1),
  ]);
  // Not spread into Math.max, because a hostile patch has more runs than a call can have arguments.
  const strong = steps.reduce((most, each) => Math.max(most, each), 0) * FAINT_EDGE;
  return steps.filter((each) => each < strong).length <= steps.length * MAX_FAINT;
}

/**
 * The largest difference across the end of a run, in the channel that shows it most. Edges are a
 * few pixels wide.
 */
function edge(picture: Pixels, y: number, last: number, outward: 1 | -1): number {
  const inside = [last, last - outward];
  const outside = [last + outward, last + 2 * outward, last + 3 * outward];
  return Math.max(
    ...inside.flatMap((one) => outside.map((other) => difference(picture, y, one, other))),
  );
}

function difference({ width, channels, data }: Pixels, y: number, one: number, other: number) {
  const place = (x: number) => (y * width + Math.min(width - 1, Math.max(0, x))) * channels;
  const [here, there] = [place(one), place(other)];
  let most = 0;
  for (let channel = 0; channel < channels; channel += 1)
    most = Math.max(most, Math.abs((data[here + channel] ?? 0) - (data[there + channel] ?? 0)));
  return most;
}

/** The side of the largest square that fits into a patch. */
export function thickness({ x, width, runs }: Patch): number {
  let above = new Uint16Array(width + 1);
  let here = new Uint16Array(width + 1);
  let [row, largest] = [-1, 0];
  for (const { y, start, end } of runs) {
    if (y !== row) {
      [above, here] = [here, above];
      here.fill(0);
      row = y;
    }
    for (let at = start - x; at < end - x; at += 1) {
      const side = 1 + Math.min(above[at] ?? 0, above[at + 1] ?? 0, here[at] ?? 0);
      here[at + 1] = side;
      largest = Math.max(largest, side);
    }
  }
  return largest;
}
