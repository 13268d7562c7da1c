// Rules in a hierarchy. A scope inherits everything from its parent chain; the most specific wins.

/** From general to specific; a parent's tier comes before its child's. */
export const TIERS = ["GENERAL", "PRODUCT", "GROUP", "PROJECT"] as const;
export type Tier = (typeof TIERS)[number];

/** Characters. An entry goes whole into a model's context, so 64 K is far beyond what serves anybody. */
export const RULE_LIMITS = {
  id: 200,
  category: 100,
  keyword: 200,
  description: 2_000,
  content: 65_536,
} as const;

export interface Scope {
  readonly id: string;
  readonly tier: Tier;
  readonly parent?: string;
  readonly description?: string;
}

export interface Category {
  readonly name: string;
  readonly description: string;
}

export interface Entry {
  readonly category: string;
  readonly keyword: string;
  readonly content: string;
}

/** A scope with what it states itself, nothing inherited. */
export interface ScopeContent extends Scope {
  readonly categories: readonly Category[];
  readonly entries: readonly Entry[];
}
