// A random tree of scopes with rules, documents and tasks in it, and callers who may see parts of it.
import { createHash } from "node:crypto";
import { type Grant, RIGHTS, type Right } from "../../src/domain/call/grants.ts";
import type { Principal } from "../../src/domain/call/principal.ts";
import { TIERS } from "../../src/domain/scope.ts";
import type { Store } from "../../src/store/store.ts";
import type { Random } from "../fuzz/random.ts";
import type { Base } from "./base.ts";

export interface World {
  readonly scopes: readonly string[];
  readonly documents: readonly string[];
  readonly tasks: readonly string[];
  readonly sources: readonly string[];
  /** Some occur in one scope only. */
  readonly words: readonly string[];
  readonly texts: readonly string[];
}

const COMMON = "server token pump warranty deploy release invoice customer valve pressure".split(
  " ",
);

/** Words that are spelt alike, so that guesses and completions have something to reveal. */
const wordsOf = (scope: string) => [
  ...[`${scope}quartz`, `${scope}quarts`, `${scope}lattice`, `${scope}latti`, "overlap"],
  ...Array.from({ length: 8 }, (_, at) => `${scope}w${at}`),
];

export async function fillWorld(base: Base, random: Random): Promise<World> {
  const scopes = await plantTree(base.store, random);
  const words = [...COMMON, ...scopes.flatMap(wordsOf)];
  const documents: string[] = [];
  const texts: string[] = [];
  for (let at = 0; at < 14; at++) {
    const scope = random.pick(scopes as [string, ...string[]]);
    const text =
      texts.length > 0 && random.chance(0.15)
        ? random.pick(texts as [string, ...string[]])
        : textOf(random, [...COMMON, ...wordsOf(scope)]);
    texts.push(text);
    const metadata = {
      ...(random.chance(0.5) && { [`key-${scope}`]: random.below(3), team: scope }),
      // As the samples of a new knowledge base have it.
      ...(random.chance(0.1) && { tags: ["hinoki-sample"] }),
    };
    // Some are versions of others, also of those in other scopes.
    const name = random.pick(["notes", "manual", "plan", "guide v1.", "guide v2."]);
    const filename = name.endsWith(".") ? `${name}${random.below(3)}.txt` : `${name}-${at}.txt`;
    const added = await base.own("knowledge-add-text", {
      filename,
      text,
      scope,
      metadata,
      async: false,
    });
    documents.push(String((added as { document_id?: unknown }).document_id));
  }
  const sources = await addSources(base.store, random, scopes);
  const tasks = await addTasks(base.store, random, scopes);
  return { scopes, documents, texts, words, tasks, sources };
}

/** The same addresses in several scopes, with some of the documents as their items. */
async function addSources(
  { sources, documents }: Store,
  random: Random,
  scopes: readonly string[],
) {
  const page = { limit: 50, offset: 0, sortBy: "filename", sortOrder: "asc" } as const;
  const stored = (await documents.list(page)).documents;
  const ids = Array.from({ length: 4 }, (_, at) => hashOf(`source-${at}`).slice(0, 8));
  for (const [at, id] of ids.entries()) {
    const scope = random.pick(scopes as [string, ...string[]]);
    const address = `https://docs.example/${at % 2}/`;
    await sources.put(id, { kind: "site", address, settings: { scope, depth: 1 } });
    const items = stored.filter(() => random.chance(0.3));
    await sources.restore(
      id,
      items.map(({ filename, contentHash, sourcePath }, place) => ({
        ...{ item: `${place}-${filename}`, version: "1", contentHash },
        ...(random.chance(0.2) && {
          failure: { error: "file_unavailable", message: `${scope} is down` },
        }),
        ...(sourcePath !== undefined && { path: sourcePath }),
      })),
    );
  }
  return ids;
}

function textOf(random: Random, words: readonly string[]): string {
  const sentence = () => {
    const some = Array.from({ length: 4 + random.below(9) }, () => random.pick(words as [string]));
    return `The ${some.join(" ")} is ${random.below(90)} units.`;
  };
  return Array.from({ length: 2 + random.below(12) }, sentence).join(" ");
}

async function plantTree({ scopes }: Store, random: Random): Promise<readonly string[]> {
  const parents = new Map<string, string>();
  const planted = [{ id: "general", tier: 0 }];
  for (let at = 0; at < 6; at++) {
    const above = random.pick(planted as [(typeof planted)[number]]);
    if (above.tier < TIERS.length - 1) planted.push({ id: `s${at}`, tier: above.tier + 1 });
    const scope = planted.at(-1) as (typeof planted)[number];
    if (scope.id === `s${at}`) parents.set(scope.id, above.id);
  }
  for (const { id, tier } of planted) {
    const parent = parents.get(id);
    const named = { id, tier: TIERS[tier] as (typeof TIERS)[number], description: `About ${id}` };
    const keywords = ["naming", `only-${id}`, "shared"].filter(() => random.chance(0.7));
    await scopes.apply([
      { kind: "put-scope", scope: { ...named, ...(parent !== undefined && { parent }) } },
      { kind: "put-category", scope: id, name: `c-${id}`, description: `Rules of ${id}` },
      ...keywords.map((keyword) => ({
        kind: "put-entry" as const,
        ...{ scope: id, category: "style", keyword, content: `${keyword} in ${id}` },
      })),
    ]);
  }
  return planted.map(({ id }) => id);
}

async function addTasks({ tasks }: Store, random: Random, scopes: readonly string[]) {
  const ids = Array.from({ length: 5 }, (_, at) => uuidOf(`task-${at}`));
  for (const id of ids) {
    const scope = random.pick(scopes as [string, ...string[]]);
    const request = { contentHash: hashOf(id), filename: `${scope}.txt`, sizeBytes: 3, scope };
    await tasks.enqueue(id, { ...request, metadata: {}, forceOcr: false });
  }
  return ids;
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

function uuidOf(text: string): string {
  const hex = hashOf(text);
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join("-");
}

/** A higher right mostly comes with the lower ones. */
export function randomCaller(random: Random, { scopes }: World): Principal {
  const grants: Grant[] = [];
  for (let at = 0; at < 1 + random.below(2); at++) {
    const scope = random.chance(0.1) ? "ghost" : random.pick(scopes as [string, ...string[]]);
    const highest = random.below(RIGHTS.length);
    const isDeep = random.chance(0.4);
    const lowest = random.chance(0.15) ? highest : 0;
    for (const right of RIGHTS.slice(lowest, highest + 1)) grants.push({ right, scope, isDeep });
  }
  const rights = new Set<Right>(grants.map(({ right }) => right));
  return { name: "caller", rights, grants };
}
