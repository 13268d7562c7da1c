// Cursors of lists that are read page by page. Ours are offsets; clients pass them back unchanged.
import { KnowledgeError } from "../errors.ts";

export function toOffset(cursor: string | undefined): number {
  if (cursor === undefined) return 0;
  if (/^\d{1,12}$/.test(cursor)) return Number(cursor);
  throw unknownCursor();
}

export function unknownCursor(): KnowledgeError {
  return new KnowledgeError(
    "INVALID_PARAMETER",
    "Unknown cursor. Pass the nextCursor of the previous page, or none to start over.",
  );
}
