// What a query asks for: its terms and what they count, and its quoted phrases.
import type { Light } from "../embed/embed.ts";
import type { Analyser } from "../text/analyse.ts";
import { STOP_WORDS } from "../text/english/stop-words.ts";
import { isJapanese, UNSPACED } from "../text/scripts.ts";
import type { LoadSynonyms } from "./synonyms.ts";

export interface Query {
  readonly text: string;
  /** In order, with repeats. */
  readonly terms: readonly string[];
  readonly phrases: readonly Phrase[];
  /** A verb and its particle joined: "back up" should also find "backup". */
  readonly joined: readonly string[];
  /** The last term if the query ends with it, because the word may still be being typed. */
  readonly unfinished: string | undefined;
  readonly weights: WordWeights;
  /** The words of which a term is absent, if they have other spellings or synonyms. */
  readonly replaceable: (absent: ReadonlySet<string>) => Promise<readonly Replaceable[]>;
}

/** Other words as their terms, because the analyser may cut them. */
export interface Replaceable {
  readonly weight: number;
  readonly spellings: readonly (readonly string[])[];
  readonly synonyms: readonly (readonly string[])[];
}

interface WordWeights {
  /** The weight of a term, at most 1. */
  readonly of: (term: string) => number;
  /** What a passage gains if all pairs of neighbouring words in the query are also neighbours in it. */
  readonly pairs: number;
}

interface Phrase {
  readonly text: string;
  readonly terms: readonly string[];
}

const QUOTED = /"([^"]+)"|“([^“”]+)”/g;

export function toQuery(
  text: string,
  analyser: Analyser,
  light: Light | undefined,
  load: LoadSynonyms = async () => undefined,
): Query {
  const phrases: Phrase[] = [];
  for (const [, straight, curly] of text.matchAll(QUOTED)) {
    const quoted = (straight ?? curly ?? "").trim();
    const terms = analyser.terms(quoted);
    if (terms.length > 0) phrases.push({ text: quoted, terms });
  }
  const terms = analyser.terms(text);
  const unfinished = /[\p{L}\p{N}]$/u.test(text) ? terms.at(-1) : undefined;
  const joined = joinedTerms(text, analyser);
  const weights = toWeights(text, light);
  const replaceable = async (absent: ReadonlySet<string>) => {
    const synonyms = isJapanese(text) ? await load() : undefined;
    if (synonyms === undefined) return [];
    const cut = (words: readonly string[]) => {
      const all = words.map((word) => analyser.terms(word));
      return [...new Map(all.map((each) => [each.join(" "), each])).values()].filter(isClear);
    };
    const words = synonyms.wordsIn(text);
    const gone = words.filter((word) => analyser.terms(word).some((term) => absent.has(term)));
    return gone.map((word) => ({
      weight: weights.of(word),
      spellings: cut(synonyms.spellingsOf(word)),
      synonyms: cut(synonyms.synonymsOf(word)),
    }));
  };
  return { text, terms, phrases, joined, unfinished, weights, replaceable };
}

/** A lone character, the stem of many words, says too little: 終 of 終わり. */
const isClear = (terms: readonly string[]) => terms.every(({ length }) => length > 1);

const PLAIN: WordWeights = { of: () => 1, pairs: 0.1 };
// A word with this much information (in nats) counts in full; one with less is common in any text, such as "how" or
// "場合", even if it is rare in a small knowledge base.
const ENGLISH = { full: 10, pairs: 0.12 };
// Character pairs, which are compared later, cover most of what neighbouring words would add.
const WITHOUT_SPACES = { full: 12, pairs: 0.05 };
const HAS_UNSPACED = new RegExp(`[${UNSPACED}]`, "u");

/** Other languages use plain weights, because weighting makes results worse in German and French. */
function toWeights(text: string, light: Light | undefined): WordWeights {
  if (light === undefined) return PLAIN;
  const isEnglish = light.encoderFor(text) === "model";
  if (!isEnglish && !HAS_UNSPACED.test(text)) return PLAIN;
  const { full, pairs } = isEnglish ? ENGLISH : WITHOUT_SPACES;
  return { of: (term) => Math.min(1, light.information(term) / full), pairs };
}

// English writes the verb as two words ("back up") and the noun as one ("backup"). The particle alone is a stop word and
// would be dropped.
const VERB_AND_PARTICLE =
  /(?<![\p{L}\p{N}])([a-z]{2,})\s+(down|in|off|on|out|over|up)(?![\p{L}\p{N}])/giu;

function joinedTerms(text: string, analyser: Analyser): readonly string[] {
  const joined = [...text.matchAll(VERB_AND_PARTICLE)]
    .filter(([, verb = ""]) => !STOP_WORDS.has(verb.toLowerCase()))
    .flatMap(([, verb, particle]) => analyser.terms(`${verb}${particle}`.toLowerCase()));
  return [...new Set(joined)];
}

/** Removes Markdown marks and line breaks, which are not part of a phrase. */
export function toPlain(text: string): string {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[\s*_`|\\]+/g, " ")
    .trim();
}
