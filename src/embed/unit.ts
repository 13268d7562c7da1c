// Vectors of length one: their dot product is the cosine.

export function toUnit(vector: Float32Array): Float32Array {
  let squares = 0;
  for (const value of vector) squares += value * value;
  // A zero vector has no direction: it stays zero instead of turning into NaN.
  const scale = squares > 0 ? 1 / Math.sqrt(squares) : 0;
  return vector.map((value) => value * scale);
}
