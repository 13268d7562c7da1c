// What the server itself keeps with a document's metadata, so that every copy, backup and repair keeps it too. Callers
// can neither give nor see these two members.
import type { Metadata } from "./document.ts";

const REVISION = "$revision";
export const OTHER_NAMES = "$filename";

// A file that is copied under ever new names must not fill its document's metadata.
const MOST_NAMES = 20;

export interface OwnFacts {
  /** Counts the contents that a document has had, from 1. */
  readonly revision: number;
  /** Names of further files with the same content. */
  readonly otherNames: readonly string[];
}

export function isOwn(key: string): boolean {
  return key === REVISION || key === OTHER_NAMES;
}

export function shownMetadata(metadata: Metadata): Metadata {
  const keys = Object.keys(metadata);
  if (!keys.some(isOwn)) return metadata;
  return Object.fromEntries(Object.entries(metadata).filter(([key]) => !isOwn(key)));
}

export function ownFacts(metadata: Metadata): OwnFacts {
  const { [REVISION]: revision, [OTHER_NAMES]: names } = metadata;
  return {
    revision: typeof revision === "number" ? revision : 1,
    otherNames: Array.isArray(names) ? names.filter((name) => typeof name === "string") : [],
  };
}

/** As metadata to be merged: the document has another content now. */
export function nextRevision(previous: Metadata): Metadata {
  return { [REVISION]: ownFacts(previous).revision + 1 };
}

/** As metadata to be merged; nothing where the name is known already. */
export function furtherName(
  document: { readonly filename: string; readonly metadata: Metadata },
  filename: string,
): Metadata {
  const { otherNames } = ownFacts(document.metadata);
  if (filename === document.filename || otherNames.includes(filename)) return {};
  return { [OTHER_NAMES]: [...otherNames, filename].slice(-MOST_NAMES) };
}

/** What `match` looks into: every name and the title. */
export function matchText(filename: string, title: string | null, metadata: Metadata): string {
  const { otherNames } = ownFacts(metadata);
  return [filename, title ?? "", ...otherNames].join("\n").toLowerCase();
}
