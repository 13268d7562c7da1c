// Measures the skew of text lines and rotates the picture straight. Straight rows of text make a profile of high peaks
// and empty gaps: the angle with the sharpest profile is the text's.
import { type Pixels, sample } from "./png.ts";

const DEGREE = Math.PI / 180;
const MAX_DEGREES = 15;
const STEP_DEGREES = 0.5;
const MAX_POINTS = 20_000;
// The profile must be clearly sharper than without rotation, or the angle is noise.
const MIN_GAIN = 1.15;
const WHITE = 255;

/** In radians; positive if lines fall to the right. */
export function skewOf(ink: Pixels): number {
  const points = darkPoints(ink);
  if (points.length < 1_000) return 0;
  const straight = sharpness(points, 0, ink);
  let best = { angle: 0, sharp: straight };
  for (let degrees = -MAX_DEGREES; degrees <= MAX_DEGREES; degrees += STEP_DEGREES) {
    const angle = degrees * DEGREE;
    const sharp = sharpness(points, angle, ink);
    if (sharp > best.sharp) best = { angle, sharp };
  }
  return best.sharp > straight * MIN_GAIN ? best.angle : 0;
}

/** Points as x, y, x, y, …, sampled evenly from all dark pixels. */
function darkPoints({ width, data }: Pixels): Float32Array {
  const dark: number[] = [];
  for (const [at, value] of data.entries()) if (value < 100) dark.push(at);
  const every = Math.max(1, Math.ceil(dark.length / MAX_POINTS));
  const picked = dark.filter((_, place) => place % every === 0);
  return Float32Array.from(picked.flatMap((at) => [at % width, Math.floor(at / width)]));
}

function sharpness(points: Float32Array, angle: number, { width, height }: Pixels): number {
  const lean = Math.tan(angle);
  const rows = new Uint32Array(height + 2 * width);
  for (let at = 0; at < points.length; at += 2) {
    const row = Math.round((points[at + 1] as number) - lean * (points[at] as number)) + width;
    rows[row] = (rows[row] as number) + 1;
  }
  return rows.reduce((sum, count) => sum + count * count, 0);
}

/** Rotates about the centre to straighten lines that lean by `angle`. Uncovered corners are white. */
export function rotated(ink: Pixels, angle: number): Pixels {
  const { width, height } = ink;
  const out = new Uint8Array(width * height).fill(WHITE);
  const [sin, cos] = [Math.sin(angle), Math.cos(angle)];
  const [middleX, middleY] = [width / 2, height / 2];
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) {
      const fromX = cos * (x - middleX) - sin * (y - middleY) + middleX;
      const fromY = sin * (x - middleX) + cos * (y - middleY) + middleY;
      const isInside = fromX >= 0 && fromY >= 0 && fromX < width - 1 && fromY < height - 1;
      if (isInside) out[y * width + x] = sample(ink, fromX, fromY);
    }
  return { width, height, channels: 1, data: out };
}
