// A stored vector: one signed byte per dimension, then a scale (little-endian f32). What is scanned of it is one bit per
// dimension: 1 where its number is above zero.

const STEPS = 127;
const SCALE_BYTES = 4;

/** Undefined for a vector without a direction, which has no neighbours. */
export function quantise(vector: Float32Array): Uint8Array | undefined {
  let largest = 0;
  let squares = 0;
  for (const value of vector) {
    largest = Math.max(largest, Math.abs(value));
    squares += value * value;
  }
  if (!(squares > 0) || !Number.isFinite(squares)) return undefined;
  const blob = new Uint8Array(vector.length + SCALE_BYTES);
  const codes = new Int8Array(blob.buffer, 0, vector.length);
  const step = largest / STEPS;
  let coded = 0;
  for (let at = 0; at < vector.length; at++) {
    const code = Math.round((vector[at] as number) / step);
    codes[at] = code;
    coded += code * code;
  }
  // The scale makes the coded vector a unit vector, whatever the length of the input.
  new DataView(blob.buffer).setFloat32(vector.length, 1 / Math.sqrt(coded), true);
  return blob;
}

export function restore(blob: Uint8Array): Float32Array {
  const scale = scaleOf(blob);
  return Float32Array.from(codesOf(blob), (code) => code * scale);
}

export function codesOf({ buffer, byteOffset, byteLength }: Uint8Array): Int8Array {
  return new Int8Array(buffer, byteOffset, byteLength - SCALE_BYTES);
}

export function scaleOf({ buffer, byteOffset, byteLength }: Uint8Array): number {
  return new DataView(buffer, byteOffset + byteLength - SCALE_BYTES).getFloat32(0, true);
}

export function packSigns(values: ArrayLike<number>, bits: Uint8Array): void {
  bits.fill(0);
  for (let at = 0; at < values.length; at++) {
    if ((values[at] as number) > 0) bits[at >> 3] = (bits[at >> 3] as number) | (1 << (at & 7));
  }
}
