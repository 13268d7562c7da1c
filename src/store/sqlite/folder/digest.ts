import { createHash } from "node:crypto";

/** The first bits of the text's hash, at most 64; never 0, which means "nothing". */
export function digest(text: string, bits: number): bigint {
  const hash = createHash("sha256").update(text).digest().readBigUInt64BE();
  return hash >> BigInt(64 - bits) || 1n;
}
