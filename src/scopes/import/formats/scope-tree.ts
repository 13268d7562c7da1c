// Folders with their own rules become scopes below the imported folder's. There are four tiers, so a
// deeper tree is folded: a scope that cannot be a parent gives its rules to the scopes below it.
//
//   repo            PRODUCT   repo
//   repo/api        GROUP     repo/api             parent repo
//   repo/api/v1     PROJECT   repo/api/v1          parent repo/api
//   repo/api/v1/x   PROJECT   repo/api/v1/x        parent repo/api, with what repo/api/v1 says
import { defined } from "../../../domain/defined.ts";
import { TIERS, type Tier } from "../../../domain/scope.ts";
import { freeName, slug } from "../markdown/plain.ts";
import type { ImportedCategory, ImportedEntry, Topic } from "./rules.ts";

/** A topic and the file it came from. */
export interface SourcedTopic extends Topic {
  readonly source: string;
}

export interface FolderRules {
  /** Relative to the root; "" is the root itself. */
  readonly folder: string;
  readonly description: string;
  readonly topics: readonly SourcedTopic[];
}

interface BaseScope {
  readonly id: string;
  readonly tier: Tier;
  readonly parent?: string;
}

interface PlacedScope extends BaseScope {
  readonly description: string;
  /** The nearest folder's topics come last, so they win. */
  readonly layers: readonly (readonly SourcedTopic[])[];
}

/** `folders` includes the root; the result lists parents first. */
export function placeScopes(
  folders: readonly FolderRules[],
  base: BaseScope,
): readonly PlacedScope[] {
  const names = folders.map(({ folder }) => folder);
  const placed = new Map<string, PlacedScope>();
  for (const { folder, description, topics } of [...folders].sort(byDepth)) {
    const above = folder === "" ? undefined : placed.get(nearestAbove(folder, names));
    if (above === undefined) {
      placed.set(folder, { ...base, description, layers: [topics] });
      continue;
    }
    const canParent = above.tier !== "PROJECT";
    const isParent = names.some((name) => name.startsWith(`${folder}/`));
    const parent = canParent ? above.id : above.parent;
    placed.set(folder, {
      id: `${base.id}/${folder}`,
      tier: isParent && canParent ? below(above.tier) : "PROJECT",
      ...defined({ parent }),
      description,
      layers: canParent ? [topics] : [...above.layers, topics],
    });
  }
  return [...placed.values()];
}

export function folderOf(path: string): string {
  return path.includes("/") ? path.slice(0, path.lastIndexOf("/")) : "";
}

/** Finds the nearest of `names` that contains `path`, or the root. */
export function nearestAbove(path: string, names: readonly string[]): string {
  return names
    .filter((name) => name !== "" && name !== path && path.startsWith(`${name}/`))
    .reduce((best, name) => (name.length > best.length ? name : best), "");
}

/** Makes the default id of a folder. */
export function idOf(path: string): string {
  return slug(path.split(/[/\\]/).findLast((part) => part !== "") ?? "") || "rules";
}

function below(tier: Tier): Tier {
  return TIERS[TIERS.indexOf(tier) + 1] ?? "PROJECT";
}

function byDepth(a: FolderRules, b: FolderRules): number {
  return a.folder.split("/").length - b.folder.split("/").length || (a.folder < b.folder ? -1 : 1);
}

// Topics of many files as the categories and entries of one scope; the last layer wins.

interface Merged {
  readonly categories: readonly ImportedCategory[];
  readonly entries: readonly ImportedEntry[];
}

export function mergeLayers(layers: readonly (readonly SourcedTopic[])[]): Merged {
  const categories = new Map<string, ImportedCategory>();
  const entries = new Map<string, ImportedEntry>();
  for (const layer of layers) {
    const merged = mergeTopics(layer);
    for (const category of merged.categories) {
      const below = categories.get(category.name);
      categories.set(category.name, { ...stated(below?.description), ...category });
    }
    for (const entry of merged.entries) entries.set(`${entry.category}/${entry.keyword}`, entry);
  }
  return { categories: [...categories.values()], entries: [...entries.values()] };
}

function mergeTopics(topics: readonly SourcedTopic[]): Merged {
  const owners = new Map<string, string>();
  const categories = new Map<string, ImportedCategory>();
  const entries = new Map<string, ImportedEntry>();
  const counts = new Map<string, number>();
  for (const topic of topics) {
    if (topic.rules.length === 0) continue;
    const name = nameFor(topic, owners, counts);
    owners.set(name, topic.owner);
    const line = topic.rules[0]?.line ?? 0;
    const description = categories.get(name)?.description ?? topic.description;
    categories.set(name, { name, ...stated(description), source: topic.source, line });
    for (const rule of topic.rules) {
      if (entries.get(`${name}/${rule.keyword}`)?.content === rule.content) continue;
      const keyword = freeName(rule.keyword, (one) => !entries.has(`${name}/${one}`), counts);
      entries.set(`${name}/${keyword}`, { ...rule, keyword, category: name, source: topic.source });
    }
  }
  return { categories: [...categories.values()], entries: [...entries.values()] };
}

function stated(description = ""): Pick<ImportedCategory, "description"> {
  return description === "" ? {} : { description };
}

/** If two files would become the same category, the second gets its folder's name as a prefix. */
function nameFor(
  { category, owner }: SourcedTopic,
  owners: ReadonlyMap<string, string>,
  counts: Map<string, number>,
): string {
  const isFree = (name: string) => !owners.has(name) || owners.get(name) === owner;
  if (isFree(category)) return category;
  const folder = slug(owner.split("/").at(-2) ?? "");
  return freeName(folder === "" ? category : `${folder}-${category}`, isFree, counts);
}
