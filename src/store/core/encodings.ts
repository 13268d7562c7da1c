// What is left to do for a document's vectors is recorded in the store, one byte per chunk, so any process can continue.
//
//   light-unchecked ─┐                       ┌─▶ light    (the model does not read it)
//   model-unchecked ─┴─ checked by its text ─┼─▶ waiting ──refined──▶ model
//                                            └─▶ model
//   another table or rule makes every chunk unchecked again
import type { Encoding } from "../ports/refinements.ts";

/** Bytes of the stored format. Absent rows count as MODEL_UNCHECKED. */
const MODEL_UNCHECKED = 0;
const LIGHT_UNCHECKED = 1;
export const BYTES: Readonly<Record<Encoding, number>> = { light: 2, waiting: 3, model: 4 };

export const isUnchecked = (byte: number) => byte === MODEL_UNCHECKED || byte === LIGHT_UNCHECKED;
export const isModel = (byte: number) => byte === MODEL_UNCHECKED || byte === BYTES.model;

/** A document without encoders and a chunk without an encoding are checked later. */
export function packEncodings(encodings: readonly (Encoding | undefined)[]): Uint8Array {
  return Uint8Array.from(encodings, (each) => (each ? BYTES[each] : LIGHT_UNCHECKED));
}

export function unpackEncoding(byte: number | undefined): Encoding | undefined {
  const found = Object.entries(BYTES).find(([, value]) => value === byte);
  return found?.[0] as Encoding | undefined;
}

/** When the table or the rule changes, every vector is checked again, whichever encoder made it. */
export function uncheck(made: Uint8Array): Uint8Array {
  return made.map((byte) => (isModel(byte) ? MODEL_UNCHECKED : LIGHT_UNCHECKED));
}

export function countOpen(made: Uint8Array): { unchecked: number; waiting: number } {
  const count = (isCounted: (byte: number) => boolean) => made.filter(isCounted).length;
  return { unchecked: count(isUnchecked), waiting: count((byte) => byte === BYTES.waiting) };
}
