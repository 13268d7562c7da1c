// A scope as an agent sees it: its own layer over its ancestors', the most specific first.
//
//   PROJECT  git: commit            ─┐
//   PRODUCT  git: push   api: auth   ├─▶  git: commit (PROJECT), push (PRODUCT)   api: auth (PRODUCT)
//   GENERAL  git: commit, push      ─┘
import type { Scope, Tier } from "../../domain/scope.ts";
import { byName } from "../../text/by-name.ts";
import { toName } from "../names.ts";
import type { Layer } from "./layer.ts";

interface ResolvedCategory {
  readonly name: string;
  readonly tier: Tier;
  readonly description: string;
}

export interface ResolvedEntry {
  readonly category: string;
  readonly keyword: string;
  readonly content: string;
  readonly scope: Scope;
}

/**
 * A keyword that is in several categories: the entry that a plain request returns, and the other
 * categories.
 */
interface Ambiguity {
  readonly keyword: string;
  readonly chosen: string;
  readonly others: readonly string[];
}

interface KeywordsFound {
  readonly keywords: Readonly<Record<string, readonly string[]>>;
  readonly notFound: readonly string[];
}

/** `asked` is the keyword as in the request, plain or with its category. */
interface FoundEntry extends ResolvedEntry {
  readonly asked: string;
}

interface EntriesFound {
  readonly entries: readonly FoundEntry[];
  readonly notFound: readonly string[];
  readonly ambiguous: readonly Ambiguity[];
}

interface OwnCategory {
  readonly description: string;
  readonly entryCount: number;
}

export interface ResolvedScope {
  readonly scope: Scope;
  /** The scope and its ancestors, most specific first. */
  readonly chain: readonly Scope[];
  categories(): readonly ResolvedCategory[];
  keywords(categories: readonly string[]): KeywordsFound;
  /** A keyword is plain or `category/keyword`; results are in the order of the request. */
  knowledge(keywords: readonly string[]): EntriesFound;
  entry(category: string, keyword: string): ResolvedEntry | undefined;
  /** What the scope would inherit without its own entry. */
  inherited(category: string, keyword: string): ResolvedEntry | undefined;
  /** The part of a category that the scope defines itself, without its ancestors. */
  own(category: string): OwnCategory | undefined;
}

export function resolve(layers: readonly [Layer, ...Layer[]]): ResolvedScope {
  let rows: readonly ResolvedCategory[] | undefined;
  const unions = new Map<string, readonly string[]>();

  const union = (category: string): readonly string[] | undefined => {
    const known = unions.get(category);
    if (known !== undefined) return known;
    const made = unionOf(layers, category);
    if (made !== undefined) unions.set(category, made);
    return made;
  };

  return {
    scope: layers[0].scope,
    chain: layers.map((layer) => layer.scope),
    entry: (category, keyword) => entryIn(layers, category, keyword),
    inherited: (category, keyword) => entryIn(layers.slice(1), category, keyword),
    own: (category) => {
      const held = layers[0].categories.get(category);
      return held && { description: held.description, entryCount: held.contents.size };
    },
    categories: () => {
      rows ??= categoryRows(layers);
      return rows;
    },
    keywords: (categories) => {
      const found: Record<string, readonly string[]> = Object.create(null);
      const notFound: string[] = [];
      for (const asked of new Set(categories)) {
        const name = toName(asked);
        const keywords = union(name);
        if (keywords === undefined) notFound.push(asked);
        else found[name] = keywords;
      }
      return { keywords: found, notFound };
    },
    knowledge: (keywords) => knowledgeOf(layers, keywords),
  };
}

function entryIn(
  layers: readonly Layer[],
  category: string,
  keyword: string,
): ResolvedEntry | undefined {
  for (const { categories, scope } of layers) {
    const content = categories.get(category)?.contents.get(keyword);
    if (content !== undefined) return { category, keyword, content, scope };
  }
  return undefined;
}

function categoryRows(layers: readonly Layer[]): readonly ResolvedCategory[] {
  const rows = new Map<string, { name: string; tier: Tier; description: string }>();
  for (const { categories, scope } of layers) {
    for (const [name, { description }] of categories) {
      const row = rows.get(name);
      if (row === undefined) rows.set(name, { name, tier: scope.tier, description });
      // A scope that adds entries without describing the category again keeps its parent's description.
      else if (row.description === "") row.description = description;
    }
  }
  return [...rows.values()].sort((a, b) => byName(a.name, b.name));
}

function unionOf(layers: readonly Layer[], category: string): readonly string[] | undefined {
  const stated = layers.filter((layer) => layer.categories.has(category));
  if (stated.length === 0) return undefined;
  const keywords = new Set<string>();
  for (const { categories } of stated) {
    for (const keyword of categories.get(category)?.contents.keys() ?? []) keywords.add(keyword);
  }
  return [...keywords].sort(byName);
}

function knowledgeOf(layers: readonly Layer[], keywords: readonly string[]): EntriesFound {
  const entries = new Map<string, FoundEntry>();
  const notFound: string[] = [];
  const ambiguous: Ambiguity[] = [];
  for (const asked of new Set(keywords)) {
    const name = toName(asked);
    const found = qualified(layers, name) ?? plain(layers, name, ambiguous);
    if (found === undefined) {
      notFound.push(asked);
      continue;
    }
    // A plain and a qualified keyword may name the same entry; it is returned once, under the first of them.
    const key = `${found.category}/${found.keyword}`;
    if (!entries.has(key)) entries.set(key, { ...found, asked });
  }
  return { entries: [...entries.values()], notFound, ambiguous };
}

function qualified(layers: readonly Layer[], name: string): ResolvedEntry | undefined {
  const slash = name.indexOf("/");
  return slash < 1 ? undefined : entryIn(layers, name.slice(0, slash), name.slice(slash + 1));
}

function plain(
  layers: readonly Layer[],
  keyword: string,
  ambiguous: Ambiguity[],
): ResolvedEntry | undefined {
  // The most specific scope's category comes first, and within one scope the first by name. A scope
  // has few categories, so checking each is cheaper than a second index.
  const categories = new Set<string>();
  for (const { categories: own } of layers) {
    const names = [...own.keys()].filter((name) => own.get(name)?.contents.has(keyword));
    for (const name of names.sort(byName)) categories.add(name);
  }
  const [chosen, ...others] = categories;
  if (chosen === undefined) return undefined;
  if (others.length > 0) {
    ambiguous.push({
      keyword,
      chosen: `${chosen}/${keyword}`,
      others: others.map((category) => `${category}/${keyword}`),
    });
  }
  return entryIn(layers, chosen, keyword);
}
