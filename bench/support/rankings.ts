// A query's rankings by each part of search: words, the model's vectors, the light encoder's, and all of it together.
import type { Embed, Light } from "../../src/embed/embed.ts";
import {
  blend,
  boundsOf,
  fuse,
  type Sides,
  WEIGHTS,
  withMissingScores,
} from "../../src/search/fuse.ts";
import { toQuery } from "../../src/search/query.ts";
import { recallByWords } from "../../src/search/recall-words.ts";
import { openAnalyser } from "../../src/search/search.ts";
import type { Hit } from "../../src/store/store.ts";
import type { Base } from "./base.ts";

const DEPTH = 200;
const PASSAGES = 50; // the most that a search may be asked for
const RRF_K = 60;

export type Way = "words" | "model" | "light" | "light + words" | "rrf" | "ours";
type Rankings = Readonly<Record<Way, readonly string[]>>;

export interface Ranker {
  /** Documents by their best passage. */
  rank(text: string): Promise<Rankings>;
}

const analyser = openAnalyser();

/** `asked`: whether the model's own ranking is wanted, which takes most of the time. */
export async function openRanker(base: Base, embed: Embed, asked: boolean): Promise<Ranker> {
  const light = (await embed.light?.load()) as Light;
  const keys = [...base.textOf.keys()];
  const texts = [...base.textOf.values()];
  const byModel = asked ? await embed.passages(texts) : [];
  const byLight = texts.map(light.encode);
  const nearest = (vectors: readonly Float32Array[], query: Float32Array): readonly Hit[] =>
    keys
      .map((key, at) => ({ key, score: dot(vectors[at] as Float32Array, query) }))
      .sort((a, b) => b.score - a.score)
      .slice(0, DEPTH);
  const toNames = (hits: readonly { readonly key: number }[]) => [
    ...new Set(hits.map(({ key }) => base.nameOf.get(key) ?? "")),
  ];
  return {
    async rank(text) {
      const limit = DEPTH;
      const terms = analyser.terms(text).map((term) => ({ term, weight: 1 }));
      const { hits: plain } = await base.store.lexical({ terms, limit });
      const query = toQuery(text, analyser, light);
      const { hits: words } = await recallByWords(base.store, query, { limit });
      const model = asked ? nearest(byModel, await embed.query(text)) : [];
      const own = nearest(byLight, light.encode(text));
      const { passages } = await base.search.search({ text, limit: PASSAGES });
      return {
        words: toNames(plain),
        model: toNames(model),
        light: toNames(own),
        "light + words": toNames(withoutRescoring({ words, vectors: own, limit })),
        rrf: toNames(rrf(plain, light.encoderFor(text) === "model" ? model : own)),
        ours: [...new Set(passages.map(({ filename }) => filename))],
      };
    },
  };
}

/** Both light vectors and words, as fused before the passages are read. */
function withoutRescoring(sides: Sides): readonly Hit[] {
  const bounds = boundsOf(sides);
  const weights = WEIGHTS.light.light;
  return [...fuse(sides, "light").parts]
    .map(([key, parts]) => {
      const { lexical, vector } = withMissingScores(parts, bounds);
      return { key, score: blend(lexical, vector, weights) };
    })
    .sort((a, b) => b.score - a.score || a.key - b.key);
}

function rrf(...lists: readonly (readonly Hit[])[]): readonly Hit[] {
  const scores = new Map<number, number>();
  for (const list of lists) {
    for (const [rank, { key }] of list.slice(0, 100).entries()) {
      scores.set(key, (scores.get(key) ?? 0) + 1 / (RRF_K + rank + 1));
    }
  }
  return [...scores].map(([key, score]) => ({ key, score })).sort((a, b) => b.score - a.score);
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < a.length; at++) sum += (a[at] as number) * (b[at] as number);
  return sum;
}
