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
    const metadata = random.chance(0.5) ? { [`key-${scope}`]: random.below(3), team: scope } : {};
    const filename = `${random.pick(["notes", "manual", "plan"])}-${at}.txt`;
    const added = await base.own("knowledge-add-text", {
      filename,
      text,
      scope,
      metadata,
      async: false,
    });
    documents.push(String((added as { document_id?: unknown }).document_id));
  }
  return { scopes, documents, texts, words, tasks: await addTasks(base.store, random, scopes) };
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

/** A higher right comes with the lower ones, as in a token. */
export function randomCaller(random: Random, { scopes }: World): Principal {
  const grants: Grant[] = [];
  for (let at = 0; at < 1 + random.below(2); at++) {
    const scope = random.chance(0.1) ? "ghost" : random.pick(scopes as [string, ...string[]]);
    const highest = random.below(RIGHTS.length);
    const isDeep = random.chance(0.4);
    for (const right of RIGHTS.slice(0, highest + 1)) grants.push({ right, scope, isDeep });
  }
  const rights = new Set<Right>(grants.map(({ right }) => right));
  return { name: "caller", rights, grants };
}
