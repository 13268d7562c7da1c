import type { Format, Metadata, Place } from "./document.ts";

/** Filters of a search. All given conditions must match. */
export interface SearchFilter {
  readonly scopes?: readonly string[];
  readonly formats?: readonly Format[];
  /** Inclusive ISO dates or instants on the date a document was added. */
  readonly addedFrom?: string;
  readonly addedTo?: string;
  /** The same on the source's own date, where it is known. */
  readonly modifiedFrom?: string;
  readonly modifiedTo?: string;
  /** Only what was there by then: by the source's date, else the date added. */
  readonly asOf?: string;
  readonly documentIds?: readonly string[];
  readonly filenames?: readonly string[];
  readonly titles?: readonly string[];
  /** Globs over the path a document was added from, or over its name if it has none. */
  readonly paths?: readonly string[];
  /** Metadata keys: a value matches when it equals, or is an element of, what is stored. */
  readonly metadata?: Readonly<Record<string, readonly (string | number | boolean)[]>>;
}

/** Weak: the best there is may be about something else. */
export type Strength = "strong" | "fair" | "weak";

/** A search result: one chunk of a document, with everything needed to cite it. */
export interface Passage {
  readonly documentId: string;
  /** Absent for the general one. */
  readonly scope?: string;
  readonly chunkId: string;
  readonly filename: string;
  readonly format: Format;
  readonly title?: string;
  readonly dateAdded: string;
  /** Exactly the stored chunk: `document.text.slice(start, end)`. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly ordinal: number;
  readonly place: Place;
  readonly until?: Place;
  readonly headings: readonly string[];
  readonly tableHeader?: string;
  readonly metadata: Metadata;
  /** Counts the contents that the document has had, from 1. */
  readonly revision?: number;
  /** The URL of a web page. */
  readonly url?: string;
  /** When the content was last changed at its source, in ISO 8601. */
  readonly modified?: string;
  /** The id of a newer version of this document, which is among the results. */
  readonly supersededBy?: string;
  /** 0 to 1, decreasing down a result list, comparable between queries. */
  readonly score: number;
  readonly strength: Strength;
  readonly parts: ScoreParts;
}

/** The parts of a score, for explanations. */
export interface ScoreParts {
  readonly lexical?: number;
  readonly vector?: number;
  readonly lexicalRank?: number;
  readonly vectorRank?: number;
}
