// What a caller may see and change, scope by scope: the one place that turns grants into scopes. A scope that the caller
// may not read is refused as one that does not exist; one that it may only read, with "access denied".
import { isReserved, type ScopeParents } from "../domain/call/grants.ts";
import { accessDenied, type Principal, type Right, SERVER } from "../domain/call/principal.ts";
import { isSeen, type Sight, sightOf } from "../domain/call/sight.ts";
import { KnowledgeError } from "../domain/errors.ts";
import type { Scopes } from "../scopes/scopes.ts";
import type { ScopeChange } from "../store/store.ts";

/** Opens the rules as the caller sees them. Its changes need the right in each scope that they name. */
export type OpenScopes = (who: Caller, right?: Right) => Promise<Scopes>;

interface Caller {
  readonly principal: Principal;
}

export interface Sights {
  /** The scopes in which the caller has the right; undefined if everywhere. */
  of(who: Caller, right?: Right): Promise<Sight | undefined>;
  readonly scopes: OpenScopes;
  /** The scope and those it inherits from, nearest first. Rejects if the caller does not see it, or lacks the right. */
  chain(who: Caller, scope: string, right?: Right): Promise<readonly string[]>;
  /** Rejects if the caller, who sees the scope, lacks the right in it. */
  allow(who: Caller, right: Right, scope: string): Promise<void>;
}

const NO_TREE: ScopeParents = { parents: new Map() };

export function openSights(open: () => Promise<Scopes>): Sights {
  const of: Sights["of"] = async ({ principal }, right = "read") => {
    // Most callers have no grants, and for them nothing is opened.
    const tree = principal.grants === undefined ? NO_TREE : await (await open()).tree();
    return sightOf(principal, right, tree);
  };
  const scopes: OpenScopes = async (who, right = "write") => {
    const all = await open();
    if (who.principal.grants === undefined) return all;
    const admit = async (changes: readonly ScopeChange[]) =>
      refuseChanges(changes, { who: who.principal, right, before: await all.tree() });
    return all.seenBy({ sight: await of(who), admit });
  };
  const chain: Sights["chain"] = async (who, scope, right = "read") => {
    const sight = await of(who, right);
    return (await open()).seenBy({ sight, admit: async () => {} }).chain(scope);
  };
  return {
    of,
    scopes,
    chain,
    async allow(who, right, scope) {
      const allowed = await of(who, right);
      if (!isSeen(scope, allowed)) throw right === "write" ? notHere(allowed) : accessDenied(right);
    },
  };
}

/** Rejects if one of the scopes that the operator named does not exist. */
export async function expectScopes(
  { chain }: Sights,
  named: readonly { readonly scope?: string | undefined }[],
): Promise<void> {
  for (const { scope } of named) if (scope !== undefined) await chain({ principal: SERVER }, scope);
}

// Enough for an agent to choose from.
const MAX_NAMED = 10;

/** Names where the caller may write, if anywhere. */
function notHere(allowed: Sight = []): KnowledgeError {
  if (allowed.length === 0) return accessDenied("write");
  const named = allowed.slice(0, MAX_NAMED).map((id) => `"${id}"`);
  const message = `This token may not write in that scope. It may write in ${named.join(", ")}: pass one as \`scope\`.`;
  return new KnowledgeError("ACCESS_DENIED", message);
}

interface Changing {
  readonly who: Principal;
  readonly right: Right;
  readonly before: ScopeParents;
}

/** The right is needed in each scope as it was and as it will be, so that nobody can move a scope to where they may write. */
function refuseChanges(changes: readonly ScopeChange[], { who, right, before }: Changing): void {
  const parents = new Map(before.parents);
  for (const change of changes)
    if (change.kind === "put-scope") parents.set(change.scope.id, change.scope.parent);
  const was = sightOf(who, right, before);
  const willBe = sightOf(who, right, { parents });
  const seen = sightOf(who, "read", before);
  for (const change of changes) {
    const id = nameOf(change);
    const isFree = !(before.parents.has(id) || isReserved(id));
    const isOurs = isFree || isSeen(id, was);
    const hasHidden =
      change.kind === "remove-scope" &&
      [...before.parents].some(([child, parent]) => parent === id && !isSeen(child, seen));
    if (!isOurs || !isSeen(id, willBe) || hasHidden) throw accessDenied(right);
  }
}

function nameOf(change: ScopeChange): string {
  if (change.kind === "put-scope") return change.scope.id;
  return change.kind === "remove-scope" ? change.id : change.scope;
}
