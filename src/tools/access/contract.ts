// Who may do what: the token file's entries, and the tree of scopes that their rights refer to.
import type { Scope } from "../../domain/scope.ts";

/** The token itself is shown once, when it is created; only its digest is stored. */
export interface ListedToken {
  readonly name: string;
  /** Such as `read:checkout-api`. */
  readonly rights: readonly string[];
  /** It is refused from this date on. */
  readonly until?: string;
}

export interface AccessView {
  readonly scopes: readonly Scope[];
  readonly tokens: readonly ListedToken[];
  /** What the members of an issuer's group may do. */
  readonly groups: readonly Pick<ListedToken, "name" | "rights">[];
}

/** The token file, as the transports keep it. */
export interface TokenFile {
  list(): Promise<Pick<AccessView, "tokens" | "groups">>;
  /** Returns the token. Rejects if an entry of that name exists. */
  create(entry: ListedToken): Promise<string>;
  /** Returns how many entries had the name. */
  revoke(name: string): Promise<number>;
}
