// Scopes as they are read ahead, for both drivers.
import type { ScopeContent } from "../../domain/scope.ts";
import type { PackedScope } from "./scopes.ts";

/**
 * Limits the bytes of rules in one page, and in one scope that is read ahead: the caller's thread takes about 3 ms to
 * pack half a megabyte. A larger scope would not fit into a model's context anyway.
 */
export const PAGE_BYTES = 512 * 1024;

type Packed = [categories: [string, string][], entries: [string, string, string][]];

export function unpack({ content: bytes, ...scope }: PackedScope): ScopeContent {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8");
  const [categories, entries] = JSON.parse(text) as Packed;
  return {
    ...scope,
    categories: categories.map(([name, description]) => ({ name, description })),
    entries: entries.map(([category, keyword, content]) => ({ category, keyword, content })),
  };
}
