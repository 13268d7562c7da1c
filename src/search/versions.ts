// Versions of one document: where a newer one is among the results, the older one is marked and comes after it.
import { readInternalMetadata } from "../domain/internal-metadata.ts";
import type { Passage } from "../domain/passage.ts";
import type { Candidate } from "./candidate.ts";
import { choose } from "./choose.ts";
import { shareOf, toSketch } from "./near-duplicates.ts";

/** `v2`, `1.4`, `3.2.1`, where a name or a folder of an address has one; dates are no versions. */
const VERSION = /(?<=^|[-_ /@])v?(\d{1,4}(?:\.\d{1,4}){1,3}|(?<=v)\d{1,4})(?=$|[-_ /.])/i;
/** Documents with one name and title are versions if they have this share of a passage in common. */
const SAME_TEXT = 0.4;
/** A newer version whose best passage is worse than this has no longer what was asked for. */
const LEAST_SHARE = 0.7;
const AFTER = 0.999;

interface Edition {
  readonly id: string;
  readonly family: string;
  /** Undefined if the name has none. */
  readonly version?: string;
  readonly modified: string;
  readonly best: Candidate;
}

/** Expects `ranked` in order, best first. */
export function chooseNewest(
  ranked: readonly Candidate[],
  text: string,
  limit: number,
): readonly Passage[] {
  const newer = findNewer(ranked, text);
  if (newer.size === 0) return choose(ranked, limit);
  const ordered = ranked.map((candidate) => {
    const above = newer.get(candidate.chunk.document.id)?.best.score ?? 0;
    const isThere = above >= candidate.score * LEAST_SHARE;
    return isThere ? { ...candidate, score: Math.min(candidate.score, above * AFTER) } : candidate;
  });
  ordered.sort((a, b) => b.score - a.score);
  return choose(ordered, limit).map((passage) => {
    const supersededBy = newer.get(passage.documentId)?.id;
    return supersededBy === undefined ? passage : { ...passage, supersededBy };
  });
}

/** By the id of the older document. A version that the question names is not superseded. */
function findNewer(ranked: readonly Candidate[], text: string): ReadonlyMap<string, Edition> {
  const editions = new Map<string, Edition>();
  for (const candidate of ranked) {
    const { id } = candidate.chunk.document;
    if (!editions.has(id)) editions.set(id, toEdition(candidate));
  }
  const newer = new Map<string, Edition>();
  for (const family of Map.groupBy(editions.values(), (each) => each.family).values()) {
    if (family.length < 2) continue;
    const newest = family.reduce((best, each) => (isNewer(each, best) ? each : best));
    for (const each of family) {
      const isAsked = each.version !== undefined && text.includes(each.version);
      if (!isAsked && isNewer(newest, each) && isSameText(newest, each)) newer.set(each.id, newest);
    }
  }
  return newer;
}

function toEdition(best: Candidate): Edition {
  const { id, filename, title = "", dateAdded, metadata } = best.chunk.document;
  const { page, modified = dateAdded } = readInternalMetadata(metadata);
  const name = page?.url ?? filename;
  const version = VERSION.exec(name)?.[1];
  if (version === undefined) return { id, family: `${filename}\n${title}`, modified, best };
  return { id, family: name.replace(VERSION, "*"), version, modified, best };
}

function isNewer(a: Edition, b: Edition): boolean {
  if (a.version === undefined || b.version === undefined) return a.modified > b.modified;
  return a.version.localeCompare(b.version, "en", { numeric: true }) > 0;
}

function isSameText(a: Edition, b: Edition): boolean {
  if (a.version !== undefined && b.version !== undefined) return true;
  return shareOf(toSketch(a.best.chunk.text), toSketch(b.best.chunk.text)) >= SAME_TEXT;
}
