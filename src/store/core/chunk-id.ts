// A chunk's public id: a UUID derived from its document's id and its ordinal, so that both stores return the
// same one without storing it.
import { hash } from "node:crypto";

export function chunkId(documentId: string, ordinal: number): string {
  const hex = hash("sha256", `${documentId}/${ordinal}`);
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 0x3) | 0x8).toString(16);
  const parts = [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`];
  return [...parts, variant + hex.slice(17, 20), hex.slice(20, 32)].join("-");
}
