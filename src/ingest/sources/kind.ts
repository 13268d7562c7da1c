// What a kind of source does: it lists its items with their versions, and fetches one.
import { join } from "node:path";
import type { Metadata } from "../../domain/document.ts";
import { formatOfName } from "../../domain/format-name.ts";
import { type Message, toMessage } from "../../domain/phrases/messages.ts";
import type { Source } from "../../domain/source.ts";
import type { LeftOutCounts } from "../../domain/task.ts";
import type { BegunSource, KnownItem } from "../../store/store.ts";
import type { AddParts } from "../add/add-document.ts";
import type { IngestOptions } from "../ingest.ts";
import type { Accept, Accepted } from "../intake/intake.ts";
import { isHidden, isSecret } from "../intake/secrets.ts";

export interface Listing {
  readonly source: BegunSource;
  /** The items as they were after the last sync. */
  readonly known: ReadonlyMap<string, KnownItem>;
  readonly signal: AbortSignal;
  readonly open: Closers;
}

/** What is to be closed, the last first, when all items have been taken, which is after the last was listed. */
export type Closers = (() => unknown)[];

export type Found =
  | ({ readonly kind: "item" } & FoundItem)
  /** The source says that nothing has changed, or that it is no longer there. */
  | { readonly kind: "same"; readonly item: string }
  | { readonly kind: "gone"; readonly item: string }
  /** It cannot be read now: it and what is known below it stay as they are. */
  | { readonly kind: "unread"; readonly item: string; readonly problem: Message }
  /** Not everything was listed: nothing that is missing counts as gone. */
  | { readonly kind: "cut"; readonly problem: Message }
  /** How many items there will be, if that is known before the first. */
  | { readonly kind: "total"; readonly count: number; readonly leftOut?: LeftOutCounts };

export interface FoundItem {
  /** Its address inside the source. */
  readonly item: string;
  /** An item with the version of the last sync is not taken. Absent: its bytes are compared. */
  readonly version?: string;
  /** For its document. */
  readonly metadata?: Metadata;
  take(signal: AbortSignal): Promise<Accepted>;
}

export interface SourceParts
  extends Pick<AddParts, "store" | "log">,
    Pick<IngestOptions, "web" | "s3" | "maxFileBytes" | "sourcesDir"> {
  readonly accept: Accept;
}

export interface SourceKind {
  /** Rejects if the source cannot be listed at all. */
  list(listing: Listing, parts: SourceParts): AsyncIterable<Found>;
  /** The list is complete, so what is not in it is gone. Otherwise only what the source reports as gone is. */
  readonly listsAll: boolean;
  /** Whether a document with this path is the source's. Absent: those that were there after the last sync. */
  owns?(source: Source, path: string): boolean;
}

/** Whether what is at the path in a source can become a document. */
export function isDocument(path: string, sizeBytes: number): boolean {
  return sizeBytes > 0 && formatOfName(path) !== undefined && !isHidden(path) && !isSecret(path);
}

/** Where a source keeps a copy of a repository. */
export function copyOf(sourcesDir: string, id: string): string {
  return join(sourcesDir, `${id}.git`);
}

/** The most items of a source whose settings have no limit. */
export const MAX_ITEMS = 10_000;

export function tooMany(count: number): Extract<Found, { kind: "cut" }> {
  return { kind: "cut", problem: toMessage("tooManyItems", count) };
}
