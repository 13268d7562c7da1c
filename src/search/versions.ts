// Versions of one document: where a newer one is among the results, the older one is marked and comes after it.
import { readInternalMetadata } from "../domain/internal-metadata.ts";
import type { Passage } from "../domain/passage.ts";
import type { Candidate } from "./candidate.ts";
import { choose } from "./choose.ts";
import { shareOf, toSketch } from "./near-duplicates.ts";

/** `v2`, `1.4`, `3.2.1`, where a name, folder or ref has one, and `manual-17/`; dates are no versions. */
const VERSION =
  /(?<=^|[-_ /@])v?(\d{1,4}(?:\.\d{1,4}){1,3}|(?<=v)\d{1,4}|(?<=[a-z]{3}[-_ ])(?<!\b(?:week|month|day|part|chapter|section|volume|unit|lesson|module|sprint|phase|step|meeting|issue|case|room|team|group|client|customer|tenant|account|user|project|store|branch|site|server|order|job)[-_ ])\d{1,3}(?=\/))(?=$|[-_ /.])/gi;
/** The branch, tag or commit in the path of a repository's file. */
const REF = /@([^@!]+)!\//;
/** Two documents are versions if a passage of one has this share of its text in a passage of the other. */
const SAME_TEXT = 0.4;
const COMPARED = 5;
/** Some files that are the same, such as a licence, do not make two folders versions of each other. */
const LEAST_PAIRS = 3;
const LEAST_SAME = 2 / 3;
/** A newer version whose best passage is worse than this has no longer what was asked for. */
const LEAST_SHARE = 0.7;
/** Nor has one with less than this of the question's words: meaning alone is near in any text like it. */
const LEAST_WORDS = 0.5;
const AFTER = 0.999;

interface Edition {
  readonly id: string;
  /** What its address or path has in common with its other versions. */
  readonly place: string;
  /** Its name and title. */
  readonly name: string;
  /** Of its name, folders and ref; empty if they have none. */
  readonly versions: readonly string[];
  /** The folder that has the first of them; empty if none has. */
  readonly folder: string;
  /** Its place says that it is a version of the others in its family, so its text need not. */
  readonly isSure: boolean;
  readonly modified: string;
  /** The best first. */
  readonly passages: Candidate[];
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
    const passages = newer.get(candidate.chunk.document.id)?.passages ?? [];
    const above = passages[0]?.score ?? 0;
    const words = Math.max(0, ...passages.map(wordsOf));
    const isThere =
      above >= candidate.score * LEAST_SHARE && words >= wordsOf(candidate) * LEAST_WORDS;
    return isThere ? { ...candidate, score: Math.min(candidate.score, above * AFTER) } : candidate;
  });
  ordered.sort((a, b) => b.score - a.score);
  return choose(ordered, limit).map((passage) => {
    const supersededBy = newer.get(passage.documentId)?.id;
    return supersededBy === undefined ? passage : { ...passage, supersededBy };
  });
}

const wordsOf = ({ parts }: Candidate) => parts.lexical ?? 0;

/** By the id of the older document. A version that the question names is not superseded. */
function findNewer(ranked: readonly Candidate[], text: string): ReadonlyMap<string, Edition> {
  const numbers = new Set(text.split(/[^\d.]+/).map((number) => number.replace(/\.+$/, "")));
  const editions = new Map<string, Edition>();
  for (const candidate of ranked) {
    const { id } = candidate.chunk.document;
    const edition = editions.get(id) ?? toEdition(candidate);
    if (edition.passages.length < COMPARED) edition.passages.push(candidate);
    editions.set(id, edition);
  }
  const newer = new Map<string, Edition>();
  const placed = familiesOf([...editions.values()], ({ place }) => place);
  const alone = placed.flatMap((family) => (family.length === 1 ? family : []));
  // Where the place says nothing, the name, title and text may.
  const named = familiesOf(alone, ({ name }) => name).map((family) =>
    family.map((each) => ({ ...each, versions: [], folder: "", isSure: false })),
  );
  const pairs = [...placed, ...named].flatMap(toPairs);
  const areVersions = openFolderPairs(pairs);
  for (const pair of pairs) {
    const { id } = pair.older;
    const isAsked = editions.get(id)?.versions.some((version) => numbers.has(version));
    if (!isAsked && (pair.isSame || areVersions(pair))) newer.set(id, pair.newest);
  }
  return newer;
}

interface Pair {
  readonly newest: Edition;
  readonly older: Edition;
  readonly isSame: boolean;
}

function toPairs(family: readonly Edition[]): readonly Pair[] {
  const newest = family.reduce((best, each) => (isNewer(each, best) ? each : best));
  const others = family.filter((each) => isNewer(newest, each));
  return others.map((older) => ({ newest, older, isSame: isSameText(newest, older) }));
}

/** Folders are versions of each other if most of the results that both have are the same: then so are the others. */
function openFolderPairs(pairs: readonly Pair[]): (pair: Pair) => boolean {
  const keyOf = ({ newest, older }: Pair) => JSON.stringify([newest.folder, older.folder]);
  const byFolder = Map.groupBy(pairs, keyOf);
  return (pair) => {
    const all = byFolder.get(keyOf(pair)) ?? [];
    const same = all.filter(({ isSame }) => isSame).length;
    return pair.older.folder !== "" && same >= LEAST_PAIRS && same >= all.length * LEAST_SAME;
  };
}

function familiesOf(
  editions: readonly Edition[],
  keyOf: (edition: Edition) => string,
): readonly (readonly Edition[])[] {
  return [...Map.groupBy(editions, keyOf).values()];
}

function toEdition({ chunk }: Candidate): Edition {
  const { id, filename, title = "", dateAdded, metadata, sourcePath = filename } = chunk.document;
  const { page, modified = dateAdded } = readInternalMetadata(metadata);
  const path = page?.url ?? sourcePath;
  const [, ref] = REF.exec(path) ?? [];
  const name = path.replace(REF, "!/");
  const versions = [...versionsIn(ref ?? ""), ...versionsIn(name)];
  const isSure = ref !== undefined || versionsIn(page?.url ?? filename).length > 0;
  const [version] = name.matchAll(VERSION);
  const folder = version ? name.slice(0, version.index + version[0].length) : "";
  const family = { place: name.replace(VERSION, "*"), name: `${filename}\n${title}` };
  return { id, ...family, versions, folder, isSure, modified, passages: [] };
}

function versionsIn(text: string): readonly string[] {
  return [...text.matchAll(VERSION)].map(([, version = ""]) => version);
}

function isNewer(a: Edition, b: Edition): boolean {
  const differs = a.versions.findIndex((version, at) => version !== b.versions[at]);
  const [one, other] = [a.versions[differs], b.versions[differs]];
  if (one === undefined || other === undefined) return a.modified > b.modified;
  return one.localeCompare(other, "en", { numeric: true }) > 0;
}

function isSameText(a: Edition, b: Edition): boolean {
  if (a.isSure && b.isSure) return true;
  const [ours, theirs] = [a, b].map(({ passages }) =>
    passages.map(({ chunk }) => toSketch(chunk.text)),
  );
  return (ours ?? []).some((one) => theirs?.some((other) => shareOf(one, other) >= SAME_TEXT));
}
