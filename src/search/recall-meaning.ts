// Recall by meaning: the query's vector → the nearest passages. Two encoders share one space: the model reads English,
// the light encoder many languages, and it takes over where the model can't be used.
import { KnowledgeError } from "../domain/errors.ts";
import type { Embed, Light } from "../embed/embed.ts";
import type { Log } from "../observe/log.ts";
import type { DocumentStore, Hit } from "../store/store.ts";
import { mixesScripts } from "../text/scripts.ts";
import type { Recall } from "./recall-words.ts";

export interface MeaningRecall {
  /** Best first; `score` is a cosine. */
  readonly hits: readonly Hit[];
  /** Why there is no recall by meaning. */
  readonly reason?: string;
}

export interface MeaningParts {
  readonly store: DocumentStore;
  readonly embed: Embed;
  readonly log: Log;
}

export async function recallByMeaning(
  { store, embed, log }: MeaningParts,
  text: string,
  { limit, filter }: Recall,
  signal?: AbortSignal,
): Promise<MeaningRecall> {
  try {
    const [vectors, baseline] = await Promise.all([
      toVectors({ embed, log }, text, signal),
      toBaseline(embed),
    ]);
    const about = { model: embed.fingerprint, limit, ...(filter && { filter }) };
    const lists = await Promise.all(
      vectors.map((vector) => store.nearest({ vector, ...about }, signal)),
    );
    const hits = better(lists, limit);
    return { hits: baseline === 0 ? hits : hits.map((hit) => aboveBaseline(hit, baseline)) };
  } catch (error) {
    if (!isUnavailable(error)) throw error;
    log.warn("search.by-words-alone", { reason: error.message });
    return { hits: [], reason: error.message };
  }
}

/** One vector, or one of each encoder for a query that mixes scripts. */
async function toVectors(
  { embed, log }: Pick<MeaningParts, "embed" | "log">,
  text: string,
  signal?: AbortSignal,
): Promise<readonly Float32Array[]> {
  const light = await loadLight({ embed, log });
  if (light === undefined) return [await embed.query(text, signal)];
  const own = light.encode(text);
  const isKnown = own.some((value) => value !== 0);
  const isMixed = isKnown && mixesScripts(text);
  if (isKnown && !isMixed && light.reader(text) === "light") return [own];
  try {
    const vector = await embed.query(text, signal);
    return isMixed ? [own, vector] : [vector];
  } catch (error) {
    if (!isUnavailable(error) || !isKnown) throw error;
    log.warn("search.without-model", { reason: error.message });
    return [own];
  }
}

async function loadLight({
  embed,
  log,
}: Pick<MeaningParts, "embed" | "log">): Promise<Light | undefined> {
  try {
    return await embed.light?.load();
  } catch (error) {
    if (!isUnavailable(error)) throw error;
    log.warn("search.without-light", { reason: error.message });
    return undefined;
  }
}

/** Where the light encoder is, the space is the shipped model's, whose baseline is none. */
async function toBaseline(embed: Embed): Promise<number> {
  return embed.light === undefined ? embed.baseline() : 0;
}

/** Each passage by the better of its cosines. */
function better(lists: readonly (readonly Hit[])[], limit: number): readonly Hit[] {
  const [first = [], ...others] = lists;
  if (others.length === 0) return first;
  const best = new Map(first.map(({ key, score }) => [key, score]));
  for (const { key, score } of others.flat()) best.set(key, Math.max(score, best.get(key) ?? -1));
  const hits = [...best].map(([key, score]) => ({ key, score }));
  return hits.sort((a, b) => b.score - a.score || a.key - b.key).slice(0, limit);
}

/** As far above chance as the shipped model's cosines are: the weights and the scale were chosen with those. */
function aboveBaseline({ key, score }: Hit, baseline: number): Hit {
  return { key, score: (score - baseline) / (1 - baseline) };
}

function isUnavailable(error: unknown): error is KnowledgeError {
  return error instanceof KnowledgeError && error.code === "MODEL_UNAVAILABLE";
}
