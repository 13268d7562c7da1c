// The hierarchy of rules.
import type { Entry, Scope, ScopeContent } from "../../domain/scope.ts";

export type ScopeChange =
  | { readonly kind: "put-scope"; readonly scope: Scope }
  | { readonly kind: "remove-scope"; readonly id: string }
  | {
      readonly kind: "put-category";
      readonly scope: string;
      readonly name: string;
      readonly description: string;
    }
  | { readonly kind: "remove-category"; readonly scope: string; readonly name: string }
  | ({ readonly kind: "put-entry"; readonly scope: string } & Entry)
  | {
      readonly kind: "remove-entry";
      readonly scope: string;
      readonly category: string;
      readonly keyword: string;
      /** Also removes the category if this was its last entry and it has no description. */
      readonly withBareCategory?: true;
    };

export interface ScopeSummary extends Scope {
  readonly categoryCount: number;
  readonly entryCount: number;
}

export interface ScopeStore {
  /**
   * Grows with every change to scopes, including those of other processes (on another machine, within milliseconds).
   * Takes microseconds, so it can be checked on every read.
   */
  version(): number | Promise<number>;
  list(): Promise<readonly ScopeSummary[]>;
  /** The scope and its ancestors, most specific first; empty if there is no such scope. */
  chain(id: string): readonly ScopeContent[] | Promise<readonly ScopeContent[]>;
  /** Every scope with its own content, parents before children: for export. */
  all(): Promise<readonly ScopeContent[]>;
  /** Applies all changes, or none if one is refused (KnowledgeError). */
  apply(changes: readonly ScopeChange[]): Promise<void>;
}
