// Rights in scopes. `read:checkout-api` reads the scope and what it inherits, `write:webapp/**` writes in the scope and
// everything below it, `admin:*` holds everywhere; a right without a scope means the same as with `*`.
import { nameFault, toName } from "../scope.ts";

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

/** Where a repair puts files without their documents, because nobody knows who may see them. */
export const RECOVERED_SCOPE = "recovered";

/** Nothing is above these, whatever the tree says: else rights below a scope would hold in them. */
const ROOTS: ReadonlySet<string> = new Set([GENERAL_SCOPE, RECOVERED_SCOPE]);

/** The server gives them a meaning, so only those with rights in them may create them. */
export function isReserved(scope: string): boolean {
  return ROOTS.has(scope);
}

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
  const [, name = "", id = EVERYWHERE, deep] = /^(\w+)(?::(.+?)(\/\*\*)?)?$/u.exec(text) ?? [];
  const right = RIGHTS.find((each) => each === name);
  const scope = toName(id);
  if (right === undefined || nameFault("id", scope) !== undefined) return undefined;
  return { right, scope, isDeep: deep !== undefined };
}

/** What the grants give together. */
export function toHolder(grants: readonly Grant[]): Holder {
  const rights = new Set(grants.map(({ right }) => right));
  return grants.every(({ scope }) => scope === EVERYWHERE) ? { rights } : { rights, grants };
}

/** As texts, such as `read:checkout-api`. */
export function describeHolder({ rights, grants }: Holder): readonly string[] {
  return grants?.map(formatGrant) ?? RIGHTS.filter((right) => rights.has(right));
}

export function formatGrant({ right, scope, isDeep }: Grant): string {
  return scope === EVERYWHERE ? right : `${right}:${scope}${isDeep ? "/**" : ""}`;
}

/** The scope, then its ancestors. Whatever is not in the tree inherits the general scope only. */
export function chainOf(id: string, { parents }: ScopeParents): readonly string[] {
  const chain = new Set<string>();
  for (let at: string | undefined = id; at !== undefined && !chain.has(at); ) {
    chain.add(at);
    at = ROOTS.has(at) ? undefined : parents.get(at);
  }
  return [...chain.add(GENERAL_SCOPE)];
}

/** The scopes in which the caller has the right; undefined if it has it everywhere. */
export function scopesWith(
  holder: Holder,
  right: Right,
  tree: ScopeParents,
): ReadonlySet<string> | undefined {
  if (holdsEverywhere(holder, right)) return undefined;
  const given = (holder.grants ?? []).filter((grant) => grant.right === right);
  const inherits = (id: string) => (right === "read" ? chainOf(id, tree) : [id]);
  return new Set(
    given.flatMap(({ scope, isDeep }) => [
      ...inherits(scope),
      ...(isDeep ? below(scope, tree) : []),
    ]),
  );
}

/** Whether the caller has the right in every scope, including those that are yet to come. */
export function holdsEverywhere({ grants, rights }: Holder, right: Right): boolean {
  if (grants === undefined) return rights.has(right);
  return grants.some((grant) => grant.right === right && grant.scope === EVERYWHERE);
}

function below(scope: string, tree: ScopeParents): readonly string[] {
  return [...tree.parents.keys()].filter((id) => chainOf(id, tree).includes(scope));
}
