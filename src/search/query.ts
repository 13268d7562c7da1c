// What a query asks for: its terms, its quoted phrases, and how far an English model can be trusted with it.
import type { Analyser } from "../text/analyse.ts";

export interface Query {
  readonly text: string;
  /** In order, repeats kept. */
  readonly terms: readonly string[];
  readonly phrases: readonly Phrase[];
  /** 0 to 1: how far it is written in other than the Latin script. */
  readonly foreign: number;
}

export interface Phrase {
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
  return { text, terms: analyser.terms(text), phrases, foreign: foreignShare(text) };
}

function foreignShare(text: string): number {
  const letters = text.match(/\p{L}/gu) ?? [];
  const foreign = letters.filter((letter) => !/\p{sc=Latin}/u.test(letter));
  // Names and terms in Latin letters do not make a Japanese question an English one.
  return letters.length === 0 ? 0 : Math.min(1, (2 * foreign.length) / letters.length);
}

/** Marks of emphasis, tables and code, and how lines are broken, are no part of what a phrase says. */
export function toPlain(text: string): string {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[\s*_`|\\]+/g, " ")
    .trim();
}
