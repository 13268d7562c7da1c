// What backup, restore, repair and doctor report.

export interface BackupReport {
  readonly documents: number;
  readonly chunks: number;
  readonly scopes: number;
  readonly originals: number;
  /** Documents whose file was gone: they stay searchable. */
  readonly withoutOriginal: number;
  /** Of the backup file, whether it was written or read. */
  readonly sizeBytes: number;
}

export interface BackupWatch {
  readonly signal: AbortSignal;
  readonly onProgress: (progress: { readonly done: number; readonly total: number }) => void;
}

/** Something that was in the database and is not in the new one. */
export interface Loss {
  readonly kind:
    | "document"
    | "metadata"
    | "text"
    | "original"
    | "task"
    | "scope"
    | "category"
    | "rule"
    | "log";
  /** The document's name and id, the rule's scope and keyword, …; `unknown` where nothing names it. */
  readonly name: string;
  readonly what: string;
  /** Nothing says whether there was any. */
  readonly isUncertain?: true;
}

export interface RepairReport {
  /** What the database's own check found; empty: it is intact. */
  readonly damage: readonly string[];
  /** Documents that are in the new database as they were, or from their stored text. */
  readonly documents: number;
  /** Files that are being read again from their originals. */
  readonly queued: number;
  /** Open and ended tasks that were kept. */
  readonly tasks: number;
  readonly scopes: number;
  /** Everything that is known to be gone. */
  readonly losses: readonly Loss[];
  /** The folder, inside the data folder, that the old files were moved to. */
  readonly setAsideAs?: string;
}

/** The state of an embedded data folder, as `doctor` reports it. */
export type FolderFinding =
  | { readonly kind: "none" | "sound" | "damaged" | "lost"; readonly detail: string }
  /** Sound as far as anybody knows, but it cannot be opened. */
  | { readonly kind: "unusable"; readonly code: string; readonly detail: string };
