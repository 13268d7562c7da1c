// The output of every importer: topics of a file, which are later merged into scopes.
import type { Tier } from "../../../domain/scope.ts";

/** `line` counts from 1; 0 where the whole file is meant. */
export interface Rule {
  readonly keyword: string;
  readonly content: string;
  readonly line: number;
}

/** A category with its entries. Topics of one `owner` may share a category; others get another name. */
export interface Topic {
  readonly category: string;
  readonly description: string;
  readonly owner: string;
  readonly rules: readonly Rule[];
}

export interface Refusal {
  readonly source: string;
  readonly line: number;
  readonly reason: string;
}

export interface ImportedCategory {
  readonly name: string;
  /** Absent if the source has none, as prose often does; then the existing one stays. */
  readonly description?: string;
  readonly source: string;
  readonly line: number;
}

export interface ImportedEntry extends Rule {
  readonly category: string;
  readonly source: string;
}

/** A scope as its sources define it; what they leave out stays as it is in the store. */
export interface ImportedScope {
  readonly id: string;
  readonly tier?: Tier;
  readonly parent?: string;
  readonly description?: string;
  readonly source: string;
  readonly line: number;
  readonly categories: readonly ImportedCategory[];
  readonly entries: readonly ImportedEntry[];
}

export interface Gathered {
  readonly scopes: readonly ImportedScope[];
  /** These are left out; the rest can be imported. */
  readonly refused: readonly Refusal[];
  /** Nothing can be imported. */
  readonly fatal: readonly Refusal[];
  /** Every file that was read, including those without rules. */
  readonly sources: readonly string[];
  readonly notes: readonly string[];
}
