// Recall by meaning: the query's vector → the nearest passages. Two encoders share one space: the model reads English,
// the light encoder many languages, and it takes over where the model can't be used.
import { KnowledgeError } from "../domain/errors.ts";
import type { Embed, Light, Reader } from "../embed/embed.ts";
import type { Log } from "../observe/log.ts";
import type { DocumentStore, Hit } from "../store/store.ts";
import { mixesScripts } from "../text/scripts.ts";
import type { Recall } from "./recall-words.ts";

export interface MeaningRecall {
  /** Best first; `score` is a cosine. */
  readonly hits: readonly Hit[];
  /** Whose language the question is in. */
  readonly reader: Reader;
  readonly light: Light | undefined;
  /** Why there is no recall by meaning. */
  readonly reason?: string;
}

/**
 * What is done while the model is not loaded, which takes most of a second. "wait": for it. "warm": the light encoder
 * takes the question and the model is loaded for the next ones. "light": the same, for a process that ends after it.
 */
export type ColdStart = "wait" | "warm" | "light";

export interface MeaningParts {
  readonly store: DocumentStore;
  readonly embed: Embed;
  readonly coldStart?: ColdStart;
  readonly log: Log;
}

export async function recallByMeaning(
  { store, embed, log, coldStart = "wait" }: MeaningParts,
  text: string,
  { limit, filter }: Recall,
  signal?: AbortSignal,
): Promise<MeaningRecall> {
  const light = await loadLight({ embed, log });
  const reader = light?.reader(text) ?? "model";
  try {
    const [vectors, unrelated] = await Promise.all([
      light
        ? toVectors({ embed, log, light, coldStart }, text, signal)
        : [await embed.query(text, signal)],
      toBaseline(embed),
    ]);
    const about = { model: embed.fingerprint, limit, ...(filter && { filter }) };
    const lists = await Promise.all(
      vectors.map((vector) => store.nearest({ vector, ...about }, signal)),
    );
    const found = better(lists, limit);
    const hits = unrelated === 0 ? found : found.map((hit) => aboveUnrelated(hit, unrelated));
    return { hits, reader, light };
  } catch (error) {
    if (!isUnavailable(error)) throw error;
    log.warn("search.by-words-alone", { reason: error.message });
    return { hits: [], reader, light, reason: error.message };
  }
}

interface Encoders {
  readonly embed: Embed;
  readonly light: Light;
  readonly coldStart: ColdStart;
  readonly log: Log;
}

/** One vector, or one of each encoder for a question that mixes scripts. */
async function toVectors(
  { embed, light, log, coldStart }: Encoders,
  text: string,
  signal?: AbortSignal,
): Promise<readonly Float32Array[]> {
  const own = light.encode(text);
  const isKnown = own.some((value) => value !== 0);
  const isMixed = isKnown && mixesScripts(text);
  if (isKnown && !isMixed && light.reader(text) === "light") return [own];
  if (isKnown && coldStart !== "wait" && isCold(embed)) {
    // What goes wrong with it is said when a question waits for it.
    if (coldStart === "warm") embed.query(text).catch(() => undefined);
    return [own];
  }
  try {
    const vector = await embed.query(text, signal);
    return isMixed ? [own, vector] : [vector];
  } catch (error) {
    if (!isUnavailable(error) || !isKnown) throw error;
    log.warn("search.without-model", { reason: error.message });
    return [own];
  }
}

function isCold(embed: Embed): boolean {
  const { kind } = embed.state();
  return kind === "cold" || kind === "loading";
}

async function loadLight({
  embed,
  log,
}: Pick<Encoders, "embed" | "log">): Promise<Light | undefined> {
  try {
    return await embed.light?.load();
  } catch (error) {
    if (!isUnavailable(error)) throw error;
    log.warn("search.without-light", { reason: error.message });
    return undefined;
  }
}

/** Where the light encoder is, the space is the shipped model's, whose unrelated texts are at 0. */
async function toBaseline(embed: Embed): Promise<number> {
  return embed.light === undefined ? embed.unrelatedCosine() : 0;
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
function aboveUnrelated({ key, score }: Hit, unrelated: number): Hit {
  return { key, score: (score - unrelated) / (1 - unrelated) };
}

function isUnavailable(error: unknown): error is KnowledgeError {
  return error instanceof KnowledgeError && error.code === "MODEL_UNAVAILABLE";
}
