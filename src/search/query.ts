// What a query asks for: its terms and its quoted phrases.
import type { Analyser } from "../text/analyse.ts";

export interface Query {
  readonly text: string;
  /** In order, repeats kept. */
  readonly terms: readonly string[];
  readonly phrases: readonly Phrase[];
}

interface Phrase {
  readonly text: string;
  readonly terms: readonly string[];
}

const QUOTED = /"([^"]+)"|“([^“”]+)”/g;

export function toQuery(text: string, analyser: Analyser): Query {
  const phrases: Phrase[] = [];
  for (const [, straight, curly] of text.matchAll(QUOTED)) {
    const quoted = (straight ?? curly ?? "").trim();
    const terms = analyser.terms(quoted);
    if (terms.length > 0) phrases.push({ text: quoted, terms });
  }
  return { text, terms: analyser.terms(text), phrases };
}

/** Marks of emphasis, tables and code, and how lines are broken, are no part of what a phrase says. */
export function toPlain(text: string): string {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[\s*_`|\\]+/g, " ")
    .trim();
}
