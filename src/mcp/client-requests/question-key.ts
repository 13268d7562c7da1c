import { createHash } from "node:crypto";

/** Identifies a question by its text, so that a reply is never mistaken for another question's. */
export function questionKey(kind: "confirm" | "sample", text: string): string {
  return `${kind}-${createHash("sha256").update(text).digest("hex").slice(0, 16)}`;
}
