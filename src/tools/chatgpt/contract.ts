// The two tools that ChatGPT expects from a knowledge source, in OpenAI's published shapes.
import * as z from "zod";
import type { Metadata } from "../../domain/document.ts";
import type { KnowledgeError } from "../../domain/errors.ts";

const refused = z.object({ error: z.string(), message: z.string() });

export const SEARCH = {
  name: "search",
  input: z.object({ query: z.string().trim().min(1, "must not be empty").max(4_096) }),
  success: z.object({
    results: z.array(z.object({ id: z.string(), title: z.string(), url: z.string() })),
  }),
  failure: refused,
};

export const FETCH = {
  name: "fetch",
  input: z.object({ id: z.string().min(1, "must not be empty").max(200) }),
  success: z.object({
    id: z.string(),
    title: z.string(),
    text: z.string(),
    url: z.string(),
    metadata: z.record(z.string(), z.string()),
  }),
  failure: refused,
};

export function toError({ code, message }: KnowledgeError) {
  return { error: code.toLowerCase(), message };
}

/** Where people find it: the page it came from, otherwise its URI on this server. */
export function toUrl(id: string, metadata: Metadata): string {
  const source = metadata["source_url"] ?? metadata["url"];
  const isPage = typeof source === "string" && /^https?:\/\//i.test(source);
  return isPage ? source : `knowledge://documents/${encodeURIComponent(id)}`;
}
