import type { Metadata } from "./document.ts";
import { isErrorCode, KnowledgeError } from "./errors.ts";
import { formatOfName } from "./format-name.ts";
import type { PageFacts } from "./internal-metadata.ts";
import { isMessage, type Message, toMessage } from "./phrases/messages.ts";

//   queued ──claim──▶ running ──▶ completed | failed
//      │ │               │ lease ran out: back to queued
//      │ └─ cannot be read: set aside (failed, without an end) ──cancel──▶ cancelled
//      └────cancel───────┴─────▶ cancelled
type TaskStatus = "queued" | "running" | "completed" | "failed" | "cancelled";

/** What may be listed for a task. A page has one item, which becomes the document of the task. */
export const LISTED = ["folder", "archive", "page", "source"] as const;

/** What a worker needs to do an add; the original's bytes are already kept under `contentHash`. */
export interface AddRequest {
  readonly contentHash: string;
  readonly filename: string;
  readonly sourcePath?: string;
  readonly sizeBytes: number;
  readonly metadata: Metadata;
  readonly forceOcr: boolean;
  /** Set if a caller added it, so its text is searched for secrets; absent if it was already in the knowledge base. */
  readonly screen?: true;
  /** Set if a source is listed for it: a folder or page (`sourcePath`), an archive (the original), or one that is followed. */
  readonly many?: (typeof LISTED)[number];
  /** Where the documents belong; absent for the general scope. */
  readonly scope?: string;
  /** Who added it: callers share the workers equally. Absent for the server's own work. */
  readonly caller?: string;
  /** It was fetched from the web. */
  readonly page?: PageFacts;
  /** The source's own date of the content, in ISO 8601. */
  readonly modified?: string;
  /** The id of the source that `many` syncs. */
  readonly source?: string;
}

/** The files of a folder or archive by outcome so far. At the end, `found` is the sum of the others. */
export interface FolderCounts {
  readonly found: number;
  readonly added: number;
  /** Their content was already there. */
  readonly unchanged: number;
  readonly failed: number;
  /** Images without text, and files deleted in the meantime. */
  readonly skipped: number;
}

export interface FileFailure extends TaskFailure {
  /** Its path inside the folder. */
  readonly file: string;
}

/** Why a file in a folder is not counted in `found`. */
export const LEFT_OUT = [
  "archives",
  "other_formats",
  "ignored",
  "hidden",
  "links",
  "empty",
] as const;

/** Reasons without any are absent. */
export type LeftOutCounts = { readonly [Why in (typeof LEFT_OUT)[number]]?: number };

/** What adding a folder left out. */
export interface LeftOut {
  /** ZIP archives, which are added only by name: one may hold thousands of files. */
  readonly archives: readonly string[];
  /** How many files have a format that is not read. */
  readonly others: number;
  /** How many files and folders an ignore file excludes. */
  readonly ignored: number;
  /** Files and folders that are hidden, hold secrets or other programs' files. */
  readonly hidden: number;
  readonly links: number;
  /** Files without a byte. */
  readonly empty: number;
}

/** Undefined if nothing was. */
export function countLeftOut({ archives, others, ...rest }: LeftOut): LeftOutCounts | undefined {
  const counts = { archives: archives.length, other_formats: others, ...rest };
  const some = Object.entries(counts).filter(([, number]) => number > 0);
  return some.length === 0 ? undefined : Object.fromEntries(some);
}

export interface FolderReport extends FolderCounts {
  /** The first of those that failed. */
  readonly failures: readonly FileFailure[];
  /** Absent if nothing was. */
  readonly leftOut?: LeftOutCounts;
}

export interface TaskProgress {
  /** For one of many files, followed by the step of that file. */
  readonly currentStep: readonly Message[];
  readonly completedSteps: number;
  readonly totalSteps: number;
  /** 0 to 1. */
  readonly fraction: number;
  /** While a folder is added. */
  readonly folder?: FolderCounts;
}

/** How long a finished task is kept: a week is enough to ask how yesterday's add went. */
export const KEEP_TASKS_MS = 7 * 24 * 3_600_000;

/** The steps that every add is counted in. */
export const TOTAL_STEPS = 20;

export const WAITING: TaskProgress = {
  currentStep: [toMessage("queued")],
  completedSteps: 0,
  totalSteps: TOTAL_STEPS,
  fraction: 0,
};

/** Written by the claim itself, so a running task always has a step. */
export const CLAIMED: TaskProgress = { ...WAITING, currentStep: [toMessage("reading")] };

export type TaskResult = DocumentResult | FolderResult;

export interface DocumentResult {
  readonly documentId: string;
  readonly filename: string;
  readonly chunksCreated: number;
  readonly alreadyPresent: boolean;
  /** As the document has them; absent when there are none. */
  readonly warnings?: readonly Message[];
  readonly folder?: undefined;
}

/** Of a folder or an archive: many documents. */
interface FolderResult {
  readonly documentId?: undefined;
  readonly filename: string;
  readonly chunksCreated: number;
  readonly alreadyPresent: boolean;
  readonly warnings?: undefined;
  readonly folder: FolderReport;
}

export function resultOf(
  document: {
    readonly id: string;
    readonly filename: string;
    readonly warnings: readonly Message[];
  },
  { chunksCreated, alreadyPresent }: Pick<DocumentResult, "chunksCreated" | "alreadyPresent">,
): DocumentResult {
  const { id: documentId, filename, warnings } = document;
  const said = warnings.length === 0 ? {} : { warnings };
  return { documentId, filename, chunksCreated, alreadyPresent, ...said };
}

export interface TaskFailure {
  readonly error: string;
  readonly message: string;
  /** What the message says, if it has a code. */
  readonly reason?: Message;
}

export function toTaskFailure({ code, message, details }: KnowledgeError): TaskFailure {
  const { reason } = details;
  return { error: code.toLowerCase(), message, ...(isMessage(reason) && { reason }) };
}

/** A failure is reported as the error it was. */
export function fromTaskFailure({ error, message, reason }: TaskFailure): KnowledgeError {
  const code = error.toUpperCase();
  return new KnowledgeError(isErrorCode(code) ? code : "INTERNAL", reason ?? message);
}

export interface Task {
  readonly id: string;
  readonly status: TaskStatus;
  readonly request: AddRequest;
  readonly progress: TaskProgress;
  readonly createdAt: string;
  readonly startedAt?: string;
  readonly finishedAt?: string;
  /** Claims so far, not counting those that were released. */
  readonly attempts: number;
  /** Who holds the lease, while running. */
  readonly worker?: string;
  readonly result?: TaskResult;
  readonly failure?: TaskFailure;
}

/** It could not be read, so nobody works on it. Its row and its file are kept until it is cancelled. */
export function isSetAside({ status, finishedAt }: Task): boolean {
  return status === "failed" && finishedAt === undefined;
}

// Measured on two cores: a thousand chunks of 500 characters are stored a second, some 100 where the model reads them
// first; a picture takes OCR one to two seconds. PDF and office files hold about a tenth of their bytes as text.
const CHUNKS_PER_SECOND = { light: 1_000, model: 100 };
const CHUNK_BYTES = 500;
const SECONDS_PER_PICTURE = 2;
const TEXT_SHARE = 0.1;

/** A rough estimate of how long an add will take. */
export function estimateSeconds(
  { filename, sizeBytes, forceOcr }: Pick<AddRequest, "filename" | "sizeBytes" | "forceOcr">,
  { ahead, reader }: { readonly ahead: number; readonly reader: "light" | "model" },
): number {
  const format = formatOfName(filename);
  const isPicture = format === "jpg" || format === "png";
  const isPlain = format === "md" || format === "txt" || format === "csv" || format === "json";
  const text = isPicture ? 0 : sizeBytes * (isPlain ? 1 : TEXT_SHARE);
  const own = text / CHUNK_BYTES / CHUNKS_PER_SECOND[reader];
  // About 50 kB per page; each page is then a picture.
  const pages = forceOcr ? Math.ceil(sizeBytes / 50_000) : 0;
  const pictures = isPicture ? 1 : pages;
  return Math.max(1, Math.ceil(own + pictures * SECONDS_PER_PICTURE + ahead));
}
