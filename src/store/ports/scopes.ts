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
    };

export interface ScopeSummary extends Scope {
  readonly categoryCount: number;
  readonly entryCount: number;
}

export interface ScopeStore {
  /**
   * Grows with every change to scopes, also another process's (on another machine: within milliseconds).
   * Cheap enough (µs) to ask on every read.
   */
  version(): number | Promise<number>;
  list(): Promise<readonly ScopeSummary[]>;
  /**
   * The scope and its ancestors, most specific first; empty when there is no such scope. Of those that the caller
   * knows already, categories and entries may be left out.
   */
  chain(
    id: string,
    isKnown?: (id: string) => boolean,
  ): readonly ScopeContent[] | Promise<readonly ScopeContent[]>;
  /**
   * Ids for first looks that make later ones quick: the newest scope, which is rarely a parent, then those that most
   * others inherit from.
   */
  examples(limit: number): Promise<readonly string[]>;
  /** Every scope with its own content, parents before children: for export. */
  all(): Promise<readonly ScopeContent[]>;
  /** All of it or, on the first that is refused (KnowledgeError), none. */
  apply(changes: readonly ScopeChange[]): Promise<void>;
}
