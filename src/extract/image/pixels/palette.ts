// Colours reduced to a small palette, with which a page takes a tenth of the bytes.
import type { Pixels } from "./png.ts";

export interface Indexed extends Omit<Pixels, "channels"> {
  /** Red, green and blue of each colour; `data` has one index into it per pixel. */
  readonly palette: Uint8Array;
}

type Colour = readonly [red: number, green: number, blue: number];

interface Bin {
  readonly count: number;
  readonly mean: Colour;
}

// Colours that share their upper four bits are counted together.
const BINS = 4_096;

/** The most frequent colours stay; the others become the nearest of them. */
export function toPalette(pixels: Pixels, most: number): Indexed {
  const { width, height } = pixels;
  const bins = binsOf(pixels);
  const kept = bins
    .filter(({ count }) => count > 0)
    .toSorted((a, b) => b.count - a.count)
    .slice(0, most)
    .map(({ mean }) => mean);
  const indexOf = bins.map(({ count, mean }) => (count === 0 ? 0 : nearestTo(mean, kept)));
  const data = new Uint8Array(width * height);
  for (let at = 0; at < data.length; at += 1) data[at] = indexOf[binAt(pixels, at)] as number;
  return { width, height, data, palette: Uint8Array.from(kept.flat(), Math.round) };
}

function binsOf(pixels: Pixels): readonly Bin[] {
  const { data, channels, width, height } = pixels;
  const counts = new Uint32Array(BINS);
  const sums = new Float64Array(BINS * 3);
  for (let at = 0; at < width * height; at += 1) {
    const bin = binAt(pixels, at);
    counts[bin] = (counts[bin] as number) + 1;
    for (let channel = 0; channel < 3; channel += 1) {
      const sum = bin * 3 + channel;
      sums[sum] = (sums[sum] as number) + (data[at * channels + channel] as number);
    }
  }
  const mean = (sum: number, count: number) => (sums[sum] as number) / count;
  return Array.from(counts, (count, bin) => {
    const from = bin * 3;
    return { count, mean: [mean(from, count), mean(from + 1, count), mean(from + 2, count)] };
  });
}

function binAt({ data, channels }: Pixels, at: number): number {
  const from = at * channels;
  const red = (data[from] as number) >> 4;
  const green = (data[from + 1] as number) >> 4;
  return (red << 8) | (green << 4) | ((data[from + 2] as number) >> 4);
}

function nearestTo([red, green, blue]: Colour, palette: readonly Colour[]): number {
  const distances = palette.map(([r, g, b]) => (r - red) ** 2 + (g - green) ** 2 + (b - blue) ** 2);
  return distances.indexOf(Math.min(...distances));
}
