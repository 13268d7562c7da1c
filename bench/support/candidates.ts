// What search knows of its best candidates before it scores them: for choosing weights and fitting relevance.

import type { Embed } from "../../src/embed/embed.ts";
import { openLog } from "../../src/observe/log.ts";
import { openChunkCache, RESCORED } from "../../src/search/candidate.ts";
import { boundsOf, fuse } from "../../src/search/fuse.ts";
import { toQuery } from "../../src/search/query.ts";
import { loadLight, recallInEverySpace } from "../../src/search/recall-meaning.ts";
import { recallByWords } from "../../src/search/recall-words.ts";
import { openJudge, openMemory } from "../../src/search/rescore/passage-signals.ts";
import { type Signals, toSignals } from "../../src/search/rescore/rescore.ts";
import { openAnalyser } from "../../src/search/search.ts";
import type { Base } from "./base.ts";

export interface Known extends Signals {
  readonly name: string;
}

const LIMIT = 200;
const analyser = openAnalyser();
const log = openLog({ level: "error" });

export async function candidates(
  base: Base,
  embed: Embed,
  text: string,
): Promise<readonly Known[]> {
  const recall = { limit: LIMIT };
  const light = await loadLight({ embed, log });
  const { hits: words } = await recallByWords(base.store, toQuery(text, analyser, light), recall);
  const meaning = await recallInEverySpace(
    { store: base.store, embed, log },
    { text, light },
    recall,
  );
  const sides = { words, vectors: meaning.hits, limit: LIMIT };
  const { hits, parts } = fuse(sides, meaning.encoder);
  const judge = openJudge(text, light, openMemory());
  const cache = openChunkCache(base.store, judge);
  const pool = await cache.candidates(hits.slice(0, RESCORED), parts);
  const { encoder } = meaning;
  const options = { text, encoder, light, judge, bounds: boundsOf(sides) };
  const signals = toSignals(pool, options);
  return signals.map((each, at) => ({ ...each, name: pool[at]?.chunk.document.filename ?? "" }));
}
