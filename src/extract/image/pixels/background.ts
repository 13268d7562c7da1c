// The colour behind the letters: the median of a window, on a coarse grid. Letters cover less than half of any window,
// and a median keeps the edges between areas sharp.
import type { Pixels } from "./png.ts";

/** Pixels per step of the grid. */
export const STEP = 3;

export interface Plane {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
}

/** Returns one plane per colour channel; `half` is half of the window's size in pixels. */
export function backgroundOf(pixels: Pixels, half: number): readonly [Plane, Plane, Plane] {
  const reach = Math.max(2, Math.round(half / STEP));
  const plane = (channel: number) => medians(sampled(pixels, channel), reach);
  return [plane(0), plane(1), plane(2)];
}

function sampled(pixels: Pixels, channel: number): Plane {
  const width = Math.ceil(pixels.width / STEP);
  const height = Math.ceil(pixels.height / STEP);
  const data = new Uint8Array(width * height);
  for (let y = 0; y < height; y += 1) {
    const row = Math.min(pixels.height - 1, y * STEP + 1) * pixels.width;
    for (let x = 0; x < width; x += 1) {
      const at = row + Math.min(pixels.width - 1, x * STEP + 1);
      data[y * width + x] = pixels.data[at * pixels.channels + channel] ?? 0;
    }
  }
  return { width, height, data };
}

function medians(plane: Plane, reach: number): Plane {
  const { width, height } = plane;
  const data = new Uint8Array(width * height);
  for (let y = 0; y < height; y += 1) {
    const window = openWindow(plane, Math.max(0, y - reach), Math.min(height - 1, y + reach));
    for (let x = 0; x < Math.min(reach, width); x += 1) window.move(x, 1);
    for (let x = 0; x < width; x += 1) {
      if (x + reach < width) window.move(x + reach, 1);
      if (x - reach - 1 >= 0) window.move(x - reach - 1, -1);
      data[y * width + x] = window.median();
    }
  }
  return { width, height, data };
}

/**
 * Keeps a histogram of some rows while columns are added and removed; the median moves only a
 * little each time.
 */
function openWindow({ width, data }: Plane, top: number, bottom: number) {
  const counts = new Int32Array(256);
  const held = { total: 0, below: 0, median: 0 };
  const count = (value: number) => counts[value] ?? 0;
  return {
    move(x: number, by: 1 | -1): void {
      for (let y = top; y <= bottom; y += 1) {
        const value = data[y * width + x] as number;
        counts[value] = (counts[value] as number) + by;
        if (value < held.median) held.below += by;
      }
      held.total += by * (bottom - top + 1);
    },
    median(): number {
      const middle = held.total >> 1;
      while (held.below > middle) {
        held.median -= 1;
        held.below -= count(held.median);
      }
      while (held.below + count(held.median) <= middle) {
        held.below += count(held.median);
        held.median += 1;
      }
      return held.median;
    },
  };
}
