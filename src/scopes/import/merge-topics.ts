// Topics of many files as the categories and entries of one scope; the last layer wins.
import type { ImportedCategory, ImportedEntry } from "./formats/rules.ts";
import type { SourcedTopic } from "./formats/scope-tree.ts";
import { slug } from "./markdown/slug.ts";

export interface Merged {
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

/**
 * `counts` remembers the last number tried for a name, so that a thousand equal names are not all
 * tried again.
 */
function freeName(
  name: string,
  isFree: (name: string) => boolean,
  counts: Map<string, number>,
): string {
  if (isFree(name)) return name;
  for (let count = (counts.get(name) ?? 1) + 1; ; count++) {
    counts.set(name, count);
    if (isFree(`${name}-${count}`)) return `${name}-${count}`;
  }
}
