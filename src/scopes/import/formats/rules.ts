// The output of every importer: topics of a file, which are later merged into scopes.
import type { Message } from "../../../domain/phrases/messages.ts";
import type { Tier } from "../../../domain/scope.ts";

/** `line` counts from 1; 0 means the whole file. */
export interface Rule {
  readonly keyword: string;
  readonly content: string;
  readonly line: number;
}

/**
 * A category with its entries. Topics of the same `owner` may share a category; otherwise the
 * second gets another name.
 */
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
  /** Absent if the source has no description, as is common in prose; then the existing one is kept. */
  readonly description?: string;
  readonly source: string;
  readonly line: number;
}

export interface ImportedEntry extends Rule {
  readonly category: string;
  readonly source: string;
}

/** A scope as its sources define it; fields that they omit keep the values in the store. */
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
  /** These rules are left out; the others can be imported. */
  readonly refused: readonly Refusal[];
  /** If there are any of these, nothing can be imported. */
  readonly fatal: readonly Refusal[];
  /** Every file that was read, including those without rules. */
  readonly sources: readonly string[];
  readonly notes: readonly Message[];
}
