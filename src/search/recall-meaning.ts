// Recall by meaning: the query's vector → the nearest passages. Two encoders share one space: the model reads English,
// the light encoder many languages, and it takes over where the model can't be used.
import { KnowledgeError } from "../domain/errors.ts";
import type { Embed, EncoderName, Light } from "../embed/embed.ts";
import type { Log } from "../observe/log.ts";
import type { DocumentStore, Hit } from "../store/store.ts";
import { mixesScripts } from "../text/scripts.ts";
import type { Recall } from "./recall-words.ts";

export interface MeaningRecall {
  /** Best first; `score` is a cosine. */
  readonly hits: readonly Hit[];
  /** The encoder that reads the question's language. */
  readonly encoder: EncoderName;
  /** Why there is no recall by meaning. */
  readonly reason?: string;
}

/**
 * What to do while the model is not loaded, which takes most of a second. "wait" for it; "warm": use the light encoder and
 * load the model for the next questions; "light": use the light encoder and do not load it, for a process that exits.
 */
export type ColdStart = "wait" | "warm" | "light";

export interface MeaningParts {
  readonly store: Pick<DocumentStore, "nearest">;
  readonly embed: Embed;
  readonly coldStart?: ColdStart;
  readonly log: Log;
}

interface Question {
  readonly text: string;
  readonly light: Light | undefined;
}

/**
 * With the model in use, and with every other model that documents still have vectors of: after a switch they are
 * embedded again one by one, and until then each is found as before.
 */
export async function recallInEverySpace(
  parts: MeaningParts & { readonly others?: (() => Promise<readonly Embed[]>) | undefined },
  asked: Question,
  recall: Recall,
  signal?: AbortSignal,
): Promise<MeaningRecall> {
  const own = recallByMeaning(parts, asked, recall, signal);
  // It may fail before it is awaited.
  own.catch(() => undefined);
  const others = (await parts.others?.()) ?? [];
  if (others.length === 0) return own;
  const before = others.map(async (embed) => {
    const light = await loadLight({ embed, log: parts.log });
    return recallByMeaning({ ...parts, embed }, { ...asked, light }, recall, signal);
  });
  const [now, ...more] = await Promise.all([own, ...before]);
  const lists = [now, ...more].map(({ hits }) => hits);
  const hits = bestOfEach(lists, recall.limit);
  const isWithout = [now, ...more].every(({ reason }) => reason !== undefined);
  return { hits, encoder: now.encoder, ...(isWithout && now.reason && { reason: now.reason }) };
}

/** Gives the model its work before the first await, so that callers can do other things meanwhile. */
export async function recallByMeaning(
  { store, embed, log, coldStart = "wait" }: MeaningParts,
  { text, light }: Question,
  { limit, filter }: Recall,
  signal?: AbortSignal,
): Promise<MeaningRecall> {
  const encoder = light?.encoderFor(text) ?? "model";
  try {
    const [vectors, unrelated] = await Promise.all([
      light
        ? toVectors({ embed, log, light, coldStart }, text, signal)
        : [await embed.query(text, signal)],
      // With the light encoder, the space is the shipped model's, in which unrelated texts have a cosine of 0.
      embed.light === undefined ? embed.unrelatedCosine() : 0,
    ]);
    const about = { model: embed.fingerprint, limit, ...(filter && { filter }) };
    const lists = await Promise.all(
      vectors.map((vector) => store.nearest({ vector, ...about }, signal)),
    );
    const [first = [], ...others] = lists;
    const found = others.length === 0 ? first : bestOfEach(lists, limit);
    const hits = unrelated === 0 ? found : found.map((hit) => aboveUnrelated(hit, unrelated));
    return { hits, encoder };
  } catch (error) {
    if (!isUnavailable(error)) throw error;
    log.warn("search.keyword-only", { reason: error.message });
    return { hits: [], encoder, reason: error.message };
  }
}

interface Encoders {
  readonly embed: Embed;
  readonly light: Light;
  readonly coldStart: ColdStart;
  readonly log: Log;
}

/** One vector, or one from each encoder if the question mixes scripts. */
async function toVectors(
  { embed, light, log, coldStart }: Encoders,
  text: string,
  signal?: AbortSignal,
): Promise<readonly Float32Array[]> {
  const isMixed = mixesScripts(text);
  const isForModel = isMixed || light.encoderFor(text) === "model";
  // Started before anything else, because the model takes longest.
  const asked =
    isForModel && (coldStart === "wait" || !isCold(embed)) ? embed.query(text, signal) : undefined;
  // It may fail before it is awaited.
  asked?.catch(() => undefined);
  const own = light.encode(text);
  const isKnown = own.some((value) => value !== 0);
  if (isKnown && asked === undefined) return [own];
  try {
    const vector = await (asked ?? embed.query(text, signal));
    return isKnown && isMixed ? [own, vector] : [vector];
  } catch (error) {
    if (!isUnavailable(error) || !isKnown) throw error;
    log.warn("search.without-model", { reason: error.message });
    return [own];
  }
}

/**
 * Loads the model after a question that it would have read better. Loading it first would take CPU time from the
 * search.
 */
export function warmUp(
  { embed, coldStart }: Pick<MeaningParts, "embed" | "coldStart">,
  text: string,
  { encoder }: MeaningRecall,
): void {
  const isAsked = encoder === "model" || mixesScripts(text);
  if (coldStart !== "warm" || !isAsked || embed.state().kind !== "cold") return;
  // The failure is ignored here; it is reported when a question waits for the model.
  setImmediate(() => void embed.query(text).catch(() => undefined));
}

function isCold(embed: Embed): boolean {
  const { kind } = embed.state();
  return kind === "cold" || kind === "loading";
}

export async function loadLight({
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

/** Keeps each passage with its better cosine. */
function bestOfEach(lists: readonly (readonly Hit[])[], limit: number): readonly Hit[] {
  const best = new Map<number, number>();
  for (const { key, score } of lists.flat()) best.set(key, Math.max(score, best.get(key) ?? -1));
  const hits = [...best].map(([key, score]) => ({ key, score }));
  return hits.sort((a, b) => b.score - a.score || a.key - b.key).slice(0, limit);
}

/** Rescales cosines so that unrelated texts are at 0, as with the shipped model, for which the weights were chosen. */
function aboveUnrelated({ key, score }: Hit, unrelated: number): Hit {
  return { key, score: (score - unrelated) / (1 - unrelated) };
}

function isUnavailable(error: unknown): error is KnowledgeError {
  return error instanceof KnowledgeError && error.code === "MODEL_UNAVAILABLE";
}
