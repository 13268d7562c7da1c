// Facts that the server stores inside a document's metadata, so that every copy, backup and repair includes them.
// Callers can neither set nor see these members.
import type { Metadata } from "./document.ts";

const REVISION = "$revision";
const WEB = "$web";
export const OTHER_NAMES = "$filename";
const FROM_FILE = "$file";
export const MODIFIED = "$modified";

// A file that is copied under more and more names must not fill up its document's metadata.
const MAX_NAMES = 20;

export interface InternalMetadata {
  /** How many contents the document has had, counted from 1. */
  readonly revision: number;
  /** Names of further files with the same content. */
  readonly otherNames: readonly string[];
  /** Present if the document is a web page. */
  readonly page?: PageFacts;
  /** When the content was last changed at its source, in ISO 8601, where that is known. */
  readonly modified?: string;
}

/** A page's address, and its ETag and date for checking later whether it has changed. */
export interface PageFacts {
  readonly url: string;
  readonly etag?: string;
  readonly modified?: string;
}

const INTERNAL: ReadonlySet<string> = new Set([REVISION, OTHER_NAMES, WEB, FROM_FILE, MODIFIED]);

export function isInternalKey(key: string): boolean {
  return INTERNAL.has(key);
}

export function visibleMetadata(metadata: Metadata): Metadata {
  const keys = Object.keys(metadata);
  if (!keys.some(isInternalKey)) return metadata;
  return Object.fromEntries(Object.entries(metadata).filter(([key]) => !isInternalKey(key)));
}

/** The metadata passed with an add. It stays when the file's content changes; the file's own metadata does not. */
export function givenMetadata(metadata: Metadata): Metadata {
  const read = new Set(fileKeys(metadata));
  const entries = Object.entries(visibleMetadata(metadata)).filter(([key]) => !read.has(key));
  return Object.fromEntries(entries);
}

/** Metadata to merge: records which members come from the file itself. */
export function markFromFile(file: Metadata, given: Metadata): Metadata {
  const keys = Object.keys(file).filter((key) => !Object.hasOwn(given, key));
  return keys.length === 0 ? {} : { [FROM_FILE]: keys };
}

/** Metadata to merge: members that a caller now sets for existing content no longer count as the file's. */
export function unmarkFromFile(before: Metadata, given: Metadata): Metadata {
  const keys = fileKeys(before);
  const left = keys.filter((key) => !Object.hasOwn(given, key));
  return left.length === keys.length ? {} : { [FROM_FILE]: left };
}

/** Metadata to merge: facts about the content, independent of how it is described. */
export function contentFacts({ [FROM_FILE]: _read, ...metadata }: Metadata): Metadata {
  return Object.fromEntries(Object.entries(metadata).filter(([key]) => isInternalKey(key)));
}

function fileKeys({ [FROM_FILE]: keys }: Metadata): readonly string[] {
  return Array.isArray(keys) ? keys.filter((key) => typeof key === "string") : [];
}

export function readInternalMetadata(metadata: Metadata): InternalMetadata {
  const { [REVISION]: revision, [OTHER_NAMES]: names, [WEB]: web, [MODIFIED]: at } = metadata;
  const page = toPage(web);
  return {
    ...(page === undefined ? {} : { page }),
    ...(typeof at === "string" ? { modified: at } : {}),
    revision: typeof revision === "number" ? revision : 1,
    otherNames: Array.isArray(names) ? names.filter((name) => typeof name === "string") : [],
  };
}

/** Metadata to merge when the document's content has changed. */
export function nextRevision(previous: Metadata): Metadata {
  return { [REVISION]: readInternalMetadata(previous).revision + 1 };
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

/** Metadata to merge: where the content came from and when it was changed there, as far as that is known. */
export function sourceMetadata({ page, modified }: SourceFacts): Metadata {
  return { ...(page && { [WEB]: page }), ...(modified !== undefined && { [MODIFIED]: modified }) };
}

interface SourceFacts {
  readonly page?: PageFacts;
  readonly modified?: string;
}

/** Metadata to merge; empty if the name is already known. */
export function addOtherName(
  document: { readonly filename: string; readonly metadata: Metadata },
  filename: string,
): Metadata {
  const { otherNames } = readInternalMetadata(document.metadata);
  if (filename === document.filename || otherNames.includes(filename)) return {};
  return { [OTHER_NAMES]: [...otherNames, filename].slice(-MAX_NAMES) };
}

/** The text that the filter `match` searches: every name and the title. */
export function matchText(filename: string, title: string | null, metadata: Metadata): string {
  const { otherNames } = readInternalMetadata(metadata);
  return [filename, title ?? "", ...otherNames].join("\n").toLowerCase();
}
