// Stored vectors: one signed byte per dimension and one scale per vector. All vectors of a segment are stored
// together: count × dimensions bytes, then count scales (little-endian f32; 0: the chunk has no vector).

const STEPS = 127;

export function quantise(vectors: Float32Array, dimensions: number): Uint8Array {
  const count = vectors.length / dimensions;
  const blob = new Uint8Array(count * (dimensions + 4));
  const codes = new Int8Array(blob.buffer, 0, count * dimensions);
  const scales = new DataView(blob.buffer, count * dimensions);
  for (let row = 0; row < count; row++) {
    const vector = vectors.subarray(row * dimensions, (row + 1) * dimensions);
    let largest = 0;
    let squares = 0;
    for (const value of vector) {
      largest = Math.max(largest, Math.abs(value));
      squares += value * value;
    }
    if (!(squares > 0) || !Number.isFinite(squares)) continue;
    const step = largest / STEPS;
    let coded = 0;
    for (let at = 0; at < dimensions; at++) {
      const code = Math.round((vector[at] as number) / step);
      codes[row * dimensions + at] = code;
      coded += code * code;
    }
    // The scale makes the coded vector a unit vector, whatever the length of the input.
    scales.setFloat32(row * 4, 1 / Math.sqrt(coded), true);
  }
  return blob;
}

/** Decodes the vectors; undefined for chunks without one. */
export function restore(blob: Uint8Array, dimensions: number): (Float32Array | undefined)[] {
  const count = blob.length / (dimensions + 4);
  const codes = new Int8Array(blob.buffer, blob.byteOffset, count * dimensions);
  const scales = new DataView(blob.buffer, blob.byteOffset + count * dimensions);
  return Array.from({ length: count }, (_, row) => {
    const scale = scales.getFloat32(row * 4, true);
    const from = row * dimensions;
    return scale === 0
      ? undefined
      : Float32Array.from(codes.subarray(from, from + dimensions), (code) => code * scale);
  });
}

/** Each vector of a blob, if present, as a separate blob. */
export function eachVector(
  blob: Uint8Array,
  dimensions: number,
  take: (at: number, vector: Uint8Array) => void,
): void {
  const count = blob.length / (dimensions + 4);
  for (let at = 0; at < count; at++) {
    const vector = new Uint8Array(dimensions + 4);
    vector.set(blob.subarray(at * dimensions, (at + 1) * dimensions));
    const scaleAt = count * dimensions + at * 4;
    const scale = blob.subarray(scaleAt, scaleAt + 4);
    if (scale.every((byte) => byte === 0)) continue;
    vector.set(scale, dimensions);
    take(at, vector);
  }
}
