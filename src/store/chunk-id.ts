// A chunk's public id: a UUID made of its document's id and its place in it, so that both stores give the
// same one and none needs to be kept.
import { createHash } from "node:crypto";

export function chunkId(documentId: string, ordinal: number): string {
  const digest = createHash("sha256").update(`${documentId}/${ordinal}`).digest();
  digest[6] = ((digest[6] as number) & 0x0f) | 0x40;
  digest[8] = ((digest[8] as number) & 0x3f) | 0x80;
  const hex = digest.toString("hex");
  return [8, 12, 16, 20, 32]
    .map((end, part, ends) => hex.slice(part === 0 ? 0 : ends[part - 1], end))
    .join("-");
}
