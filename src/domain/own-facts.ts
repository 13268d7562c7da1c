// What the server itself keeps with a document's metadata, so that every copy, backup and repair keeps it too. Callers
// can neither give nor see these members.
import type { Metadata } from "./document.ts";

const REVISION = "$revision";
const WEB = "$web";
export const OTHER_NAMES = "$filename";
const FROM_FILE = "$file";

// A file copied under ever new names must not fill up its document's metadata.
const MOST_NAMES = 20;

export interface OwnFacts {
  /** Counts the contents that a document has had, from 1. */
  readonly revision: number;
  /** Names of further files with the same content. */
  readonly otherNames: readonly string[];
  /** Of a web page. */
  readonly page?: PageFacts;
}

/** Where a page came from, and its ETag and date, to ask later whether it has changed. */
export interface PageFacts {
  readonly url: string;
  readonly etag?: string;
  readonly modified?: string;
}

export function isOwn(key: string): boolean {
  return key === REVISION || key === OTHER_NAMES || key === WEB || key === FROM_FILE;
}

export function shownMetadata(metadata: Metadata): Metadata {
  const keys = Object.keys(metadata);
  if (!keys.some(isOwn)) return metadata;
  return Object.fromEntries(Object.entries(metadata).filter(([key]) => !isOwn(key)));
}

/** The metadata passed with an add. It stays when the file's content changes; the file's own metadata does not. */
export function givenMetadata(metadata: Metadata): Metadata {
  const read = new Set(fileKeys(metadata));
  const entries = Object.entries(shownMetadata(metadata)).filter(([key]) => !read.has(key));
  return Object.fromEntries(entries);
}

/** As metadata to be merged: which members come from the file itself. */
export function fromFile(file: Metadata, given: Metadata): Metadata {
  const keys = Object.keys(file).filter((key) => !Object.hasOwn(given, key));
  return keys.length === 0 ? {} : { [FROM_FILE]: keys };
}

/** As metadata to be merged where members are given for content that is there: they are no longer the file's. */
export function nowGiven(before: Metadata, given: Metadata): Metadata {
  const keys = fileKeys(before);
  const left = keys.filter((key) => !Object.hasOwn(given, key));
  return left.length === keys.length ? {} : { [FROM_FILE]: left };
}

/** As metadata to be merged: facts about the content, independent of how it is described. */
export function keptFacts({ [FROM_FILE]: _read, ...metadata }: Metadata): Metadata {
  return Object.fromEntries(Object.entries(metadata).filter(([key]) => isOwn(key)));
}

function fileKeys({ [FROM_FILE]: keys }: Metadata): readonly string[] {
  return Array.isArray(keys) ? keys.filter((key) => typeof key === "string") : [];
}

export function ownFacts(metadata: Metadata): OwnFacts {
  const { [REVISION]: revision, [OTHER_NAMES]: names, [WEB]: web } = metadata;
  const page = toPage(web);
  return {
    ...(page === undefined ? {} : { page }),
    revision: typeof revision === "number" ? revision : 1,
    otherNames: Array.isArray(names) ? names.filter((name) => typeof name === "string") : [],
  };
}

/** As metadata to be merged: the document's content has changed. */
export function nextRevision(previous: Metadata): Metadata {
  return { [REVISION]: ownFacts(previous).revision + 1 };
}

function toPage(stored: unknown): PageFacts | undefined {
  if (typeof stored !== "object" || stored === null || !("url" in stored)) return undefined;
  const { url, etag, modified } = stored as Readonly<Record<string, unknown>>;
  if (typeof url !== "string") return undefined;
  return {
    url,
    ...(typeof etag === "string" ? { etag } : {}),
    ...(typeof modified === "string" ? { modified } : {}),
  };
}

/** As metadata to be merged; empty if it is not a web page. */
export function pageMetadata(page: PageFacts | undefined): Metadata {
  return page === undefined ? {} : { [WEB]: page };
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
