import { createHash } from "node:crypto";

/** Names a question by its own text, so that a reply is never taken for another question's. */
export function questionKey(kind: "confirm" | "sample", text: string): string {
  return `${kind}-${createHash("sha256").update(text).digest("hex").slice(0, 16)}`;
}
