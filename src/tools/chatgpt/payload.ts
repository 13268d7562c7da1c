import type { Metadata } from "../../domain/document.ts";
import type { KnowledgeError } from "../../domain/errors.ts";

export function toError({ code, message }: KnowledgeError) {
  return { error: code.toLowerCase(), message };
}

/** Where people find it: the page it came from, otherwise its URI on this server. */
export function toUrl(id: string, metadata: Metadata): string {
  const source = metadata["source_url"] ?? metadata["url"];
  const isPage = typeof source === "string" && /^https?:\/\//i.test(source);
  return isPage ? source : `knowledge://documents/${encodeURIComponent(id)}`;
}
