// A company's worth of rules: 2,000 scopes of four tiers, 100,000 entries, with overrides; or a team's, of 20 scopes.
import type { Tier } from "../../src/domain/scope.ts";

export interface RuleCorpus {
  readonly scopes: number;
  readonly entries: number;
  /** A scope file. */
  readonly json: string;
  readonly projects: readonly string[];
}

const CATEGORIES = ["git", "api", "testing", "security", "style", "database", "ci", "docs"];
const SHAPE: readonly (readonly [Tier, number])[] = [
  ["GENERAL", 1],
  ["PRODUCT", 20],
  ["GROUP", 179],
  ["PROJECT", 1_800],
];
const SMALL: typeof SHAPE = [
  ["GENERAL", 1],
  ["PRODUCT", 2],
  ["GROUP", 3],
  ["PROJECT", 14],
];
const ENTRIES_PER_SCOPE = 50;

export function ruleCorpus(size: "large" | "small" = "large"): RuleCorpus {
  const ids: Record<Tier, string[]> = { GENERAL: [], PRODUCT: [], GROUP: [], PROJECT: [] };
  const scopes: unknown[] = [];
  let above: Tier | undefined;
  for (const [tier, count] of size === "large" ? SHAPE : SMALL) {
    for (let number = 0; number < count; number++) {
      const id = `${tier.toLowerCase()}-${number}`;
      const parents: readonly string[] = above === undefined ? [] : ids[above];
      const parent = parents[number % parents.length];
      ids[tier].push(id);
      scopes.push({
        id,
        tier,
        ...(parent === undefined ? {} : { parent }),
        categories: rulesOf(number),
      });
    }
    above = tier;
  }
  const json = JSON.stringify({ scopes });
  return {
    scopes: scopes.length,
    entries: scopes.length * ENTRIES_PER_SCOPE,
    json,
    projects: ids.PROJECT,
  };
}

/** Half of the keywords are the same everywhere, so that every tier overrides some of the tier above. */
function rulesOf(number: number) {
  const categories: Record<string, { description: string; entries: Record<string, string> }> = {};
  for (let at = 0; at < ENTRIES_PER_SCOPE; at++) {
    const name = CATEGORIES[at % CATEGORIES.length] ?? "git";
    categories[name] ??= { description: `How we do ${name}, and when it matters.`, entries: {} };
    const keyword = at % 2 === 0 ? `rule-${at}` : `rule-${at}-${number % 7}`;
    categories[name].entries[keyword] = `Rule ${at} of ${number}: say what you do and why. `.repeat(
      1 + (at % 7),
    );
  }
  return categories;
}
