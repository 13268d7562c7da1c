// What a caller may see: to everybody else, the documents and rules of other scopes do not exist.
import { type Holder, type Right, type ScopeParents, scopesWith } from "./grants.ts";

/** The ids of scopes, in order, so that the same sight is the same text. */
export type Sight = readonly string[];

/** The scopes in which the caller has the right; undefined if it has it everywhere. */
export function sightOf(who: Holder, right: Right, tree: ScopeParents): Sight | undefined {
  const scopes = scopesWith(who, right, tree);
  return scopes && [...scopes].sort();
}

export function isSeen(scope: string, sight: Sight | undefined): boolean {
  return sight === undefined || sight.includes(scope);
}
