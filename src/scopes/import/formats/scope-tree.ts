// Folders with their own rules become scopes below the imported folder's. There are four tiers, so a
// deeper tree is folded: a scope that cannot be a parent gives its rules to the scopes below it.
//
//   repo            PRODUCT   repo
//   repo/api        GROUP     repo/api             parent repo
//   repo/api/v1     PROJECT   repo/api/v1          parent repo/api
//   repo/api/v1/x   PROJECT   repo/api/v1/x        parent repo/api, with what repo/api/v1 says
import { TIERS, type Tier } from "../../../domain/scope.ts";
import { slug } from "../markdown/slug.ts";
import type { Topic } from "./rules.ts";

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

export interface BaseScope {
  readonly id: string;
  readonly tier: Tier;
  readonly parent?: string;
}

export interface PlacedScope extends BaseScope {
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
      ...(parent === undefined ? {} : { parent }),
      description,
      layers: canParent ? [topics] : [...above.layers, topics],
    });
  }
  return [...placed.values()];
}

/** Finds the nearest of `names` that contains `path`, or the root. */
export function nearestAbove(path: string, names: readonly string[]): string {
  return names
    .filter((name) => name !== "" && name !== path && path.startsWith(`${name}/`))
    .reduce((best, name) => (name.length > best.length ? name : best), "");
}

/** Makes the default id of a folder. */
export function idOf(path: string): string {
  const name =
    path
      .replace(/[/\\]+$/, "")
      .split(/[/\\]/)
      .at(-1) ?? "";
  return slug(name) || "rules";
}

function below(tier: Tier): Tier {
  return TIERS[TIERS.indexOf(tier) + 1] ?? "PROJECT";
}

function byDepth(a: FolderRules, b: FolderRules): number {
  return a.folder.split("/").length - b.folder.split("/").length || (a.folder < b.folder ? -1 : 1);
}
