// Something outside that is kept in sync with the knowledge base: a site, a repository, an export of another tool.
import type { Metadata } from "./document.ts";
import { KnowledgeError } from "./errors.ts";
import type { Message } from "./phrases/messages.ts";
import type { FolderReport, TaskFailure } from "./task.ts";

export const SOURCE_KINDS = ["folder", "site", "git", "s3", "export"] as const;
export type SourceKindName = (typeof SOURCE_KINDS)[number];

/** What a person chose; which of it applies depends on the kind. */
export interface SourceSettings {
  /** Absent: only when asked. */
  readonly everySeconds?: number;
  /** Patterns in .gitignore syntax on the items' paths. */
  readonly include?: readonly string[];
  readonly exclude?: readonly string[];
  /** Sites: only addresses that begin with it. */
  readonly prefix?: string;
  /** Sites: how many links away from the start. */
  readonly depth?: number;
  readonly maxItems?: number;
  /** Hosts, with a port if it is not a usual one, that may have a private address. */
  readonly allowHosts?: readonly string[];
  /** A path that a person at this machine named: the folders that callers may add from do not bound it. */
  readonly anywhere?: true;
  /** Repositories: a branch, tag or commit. */
  readonly ref?: string;
  /** Given to every document. */
  readonly metadata?: Metadata;
  /** Where its documents belong; absent for the general scope. */
  readonly scope?: string;
}

export interface SourceDescription {
  readonly kind: SourceKindName;
  /** A URL, `s3://bucket/prefix` or an absolute path. */
  readonly address: string;
  readonly settings: SourceSettings;
}

/** How the last sync ended. */
export interface SourceRun extends Omit<FolderReport, "skipped" | "leftOut"> {
  readonly task: string;
  readonly startedAt: string;
  readonly finishedAt: string;
  readonly removed: number;
  /** Why it stopped early, or why vanished items were kept. */
  readonly problem?: Message;
}

export interface Source extends SourceDescription {
  readonly id: string;
  readonly isPaused: boolean;
  readonly createdAt: string;
  readonly nextRun?: string;
  /** The task that syncs it, while one is queued or running. */
  readonly task?: string;
  readonly lastRun?: SourceRun;
  readonly items: number;
  /** Items without a document, because they failed. */
  readonly failed: number;
}

/** What is known of one item since the last sync. */
export interface SourceItem {
  /** Its address inside the source. */
  readonly item: string;
  /** As the source names it: an ETag, a blob's id. Absent: it is fetched again. */
  readonly version?: string;
  /** The document's path. */
  readonly path?: string;
  readonly contentHash?: string;
  /** Why it has no document; `none` if there is nothing to read in it, which is no failure. */
  readonly failure?: TaskFailure | "none";
}

export interface ItemFailure extends TaskFailure {
  readonly item: string;
}

const UNITS = new Map([
  ["m", 60],
  ["h", 3_600],
  ["d", 86_400],
]);

/** The seconds of an interval such as 30m, 6h or 1d; undefined if it is none. */
export function readInterval(given: string): number | undefined {
  const [, number = "", unit = ""] = /^(\d{1,4})([mhd])$/.exec(given.trim()) ?? [];
  return Number(number) * (UNITS.get(unit) ?? 0) || undefined;
}

export function describeInterval(seconds: number): string {
  const [unit, each] = [...UNITS].findLast(([, size]) => seconds % size === 0) ?? ["s", 1];
  return `${seconds / each}${unit}`;
}

export function unknownSource(id: string): KnowledgeError {
  return new KnowledgeError(
    "RESOURCE_NOT_FOUND",
    `There is no source '${id}'. Run 'knowledge-server sources list' to see them.`,
  );
}
