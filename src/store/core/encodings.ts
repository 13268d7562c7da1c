// What is left to do for a document's vectors is recorded in the store, one byte per chunk, so any process can continue:
//
//   waiting ──refined──▶ model          light (the model does not read it)
import type { Encoding } from "../refinements.ts";

/** Bytes of the stored format; 0 if nobody said which encoder it was. */
const BYTES: Readonly<Record<Encoding, number>> = { light: 1, waiting: 2, model: 3 };
const NAMES = Object.keys(BYTES) as readonly Encoding[];

export function packEncodings(encodings: readonly (Encoding | undefined)[]): Uint8Array {
  return Uint8Array.from(encodings, (each) => (each ? BYTES[each] : 0));
}

export function unpackEncodings(made: Uint8Array): readonly (Encoding | undefined)[] {
  return Array.from(made, (byte) => NAMES[byte - 1]);
}

export function countWaiting(encodings: readonly (Encoding | undefined)[]): number {
  return encodings.filter((each) => each === "waiting").length;
}
