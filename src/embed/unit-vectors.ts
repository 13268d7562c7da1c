// Vectors of length one: their dot product is the cosine.

/** Changes the vector in place, because a search makes one for each sentence. */
export function toUnit(vector: Float32Array): Float32Array {
  let squares = 0;
  for (let at = 0; at < vector.length; at++) squares += (vector[at] as number) ** 2;
  // A zero vector has no direction: it stays zero instead of turning into NaN.
  const scale = squares > 0 ? 1 / Math.sqrt(squares) : 0;
  for (let at = 0; at < vector.length; at++) vector[at] = (vector[at] as number) * scale;
  return vector;
}

export function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < a.length; at++) sum += (a[at] as number) * (b[at] as number);
  return sum;
}
