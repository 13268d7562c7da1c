// Cursors of lists that are read page by page. Ours are offsets; clients pass them back unchanged.
import { KnowledgeError } from "../errors.ts";

export function toOffset(cursor: string | undefined): number {
  if (cursor === undefined) return 0;
  if (/^\d{1,12}$/.test(cursor)) return Number(cursor);
  throw unknownCursor();
}

/** The cursor of the page after one with `count` items; undefined after the last. */
export function nextOffset(offset: number, count: number, total: number): string | undefined {
  const next = offset + count;
  return next < total && count > 0 ? String(next) : undefined;
}

/** The items of one page of a list that is all there. */
export function toPage<Item>(all: readonly Item[], cursor: string | undefined, size: number) {
  const offset = toOffset(cursor);
  const page = all.slice(offset, offset + size);
  return { page, next: nextOffset(offset, page.length, all.length) };
}

export function unknownCursor(): KnowledgeError {
  return new KnowledgeError(
    "INVALID_PARAMETER",
    "Unknown cursor. Pass the nextCursor of the previous page, or none to start over.",
  );
}
