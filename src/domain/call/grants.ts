// Rights in scopes. `read:checkout-api` reads the scope and what it inherits, `write:webapp/**` writes in the scope and
// everything below it, `admin:*` holds everywhere; a right without a scope means the same as with `*`.

/** `read` finds and shows, `write` also adds and changes, `admin` also removes and clears. */
export const RIGHTS = ["read", "write", "admin"] as const;
export type Right = (typeof RIGHTS)[number];

/** What a caller may do. */
export interface Holder {
  /** Those that it has in at least one scope. */
  readonly rights: ReadonlySet<Right>;
  /** In which scopes; absent if the rights hold everywhere. */
  readonly grants?: readonly Grant[];
}

/** The scope that every other one inherits, and that documents belong to unless another is named. It always exists. */
export const GENERAL_SCOPE = "general";

export const EVERYWHERE = "*";

export interface Grant {
  readonly right: Right;
  /** A scope's id, or `*`. */
  readonly scope: string;
  /** Also holds in every scope below. */
  readonly isDeep: boolean;
}

/** The parents of scopes, by id. */
export interface ScopeParents {
  readonly parents: ReadonlyMap<string, string | undefined>;
}

/** Undefined if the text is not a grant. */
export function parseGrant(text: string): Grant | undefined {
  const [, name = "", scope = EVERYWHERE, deep] = /^(\w+)(?::(.+?)(\/\*\*)?)?$/u.exec(text) ?? [];
  const right = RIGHTS.find((each) => each === name);
  return right && { right, scope, isDeep: deep !== undefined };
}

export function formatGrant({ right, scope, isDeep }: Grant): string {
  return scope === EVERYWHERE ? right : `${right}:${scope}${isDeep ? "/**" : ""}`;
}

/** The scope, then its ancestors. Whatever is not in the tree inherits the general scope only. */
export function chainOf(id: string, { parents }: ScopeParents): readonly string[] {
  const chain = new Set<string>();
  for (let at: string | undefined = id; at !== undefined && !chain.has(at); at = parents.get(at)) {
    chain.add(at);
  }
  return [...chain.add(GENERAL_SCOPE)];
}

/** The scopes in which the caller has the right; undefined if it has it everywhere. */
export function scopesWith(
  { grants, rights }: Holder,
  right: Right,
  tree: ScopeParents,
): ReadonlySet<string> | undefined {
  if (grants === undefined) return rights.has(right) ? undefined : new Set();
  const given = grants.filter((grant) => grant.right === right);
  if (given.some(({ scope }) => scope === EVERYWHERE)) return undefined;
  const inherits = (id: string) => (right === "read" ? chainOf(id, tree) : [id]);
  return new Set(
    given.flatMap(({ scope, isDeep }) => [
      ...inherits(scope),
      ...(isDeep ? below(scope, tree) : []),
    ]),
  );
}

function below(scope: string, tree: ScopeParents): readonly string[] {
  return [...tree.parents.keys()].filter((id) => chainOf(id, tree).includes(scope));
}
