// What backup, restore, repair and doctor report.
import type { Message } from "../../domain/phrases/messages.ts";

export interface BackupReport {
  readonly documents: number;
  readonly chunks: number;
  readonly scopes: number;
  readonly originals: number;
  /** Documents whose file was missing; they stay searchable. */
  readonly withoutOriginal: number;
  readonly sizeBytes: number;
}

export interface BackupWatch {
  readonly signal: AbortSignal;
  readonly onProgress: (progress: { readonly done: number; readonly total: number }) => void;
}

/** Something from the old database that is not in the new one. */
export interface Loss {
  readonly kind:
    | "document"
    | "metadata"
    | "original"
    | "task"
    | "scope"
    | "source"
    | "category"
    | "rule"
    | "log";
  /** The document's name and id, the rule's scope and keyword, …; `unknown` if it has no name. */
  readonly name: string;
  readonly what: string;
  /** Set if it is unknown whether anything was lost. */
  readonly isUncertain?: true;
}

export interface RepairReport {
  /** Findings of the database's own check; empty if it is intact. */
  readonly damage: readonly string[];
  /** Documents that were copied unchanged or rebuilt from their stored text. */
  readonly documents: number;
  /** Files that will be read again from their originals. */
  readonly queued: number;
  /** Those of them whose document is lost, and with it who may see them: they go into the scope `recovered`. */
  readonly recovered: number;
  /** Open and ended tasks that were kept. */
  readonly tasks: number;
  readonly scopes: number;
  /** Everything that is known to be lost. */
  readonly losses: readonly Loss[];
  /** The folder inside the data folder that contains the old files. */
  readonly setAsideAs?: string;
}

/** The state of an embedded data folder, as `doctor` reports it. */
export type FolderFinding =
  | { readonly kind: "none" | "sound" | "damaged" | "lost"; readonly detail: Message }
  /** Cannot be opened, but there is no sign of damage. */
  | { readonly kind: "unusable"; readonly code: string; readonly detail: Message };
