// The files as they were added.
import type { TrashNote } from "../core/trash.ts";

/** `kept`: something refers to it, or it was kept again meanwhile. */
type DiscardOutcome = "discarded" | "kept";

/** The added files' bytes by content hash (sha256, hex), so that a task outlives its source. */
export interface OriginalStore {
  /**
   * Takes the file in, durably (fsync), before anything refers to it. The file is the caller's private copy on the
   * data folder's own disk: a driver may move it instead of copying. Same hash again: only its age is renewed.
   */
  keep(contentHash: string, fromPath: string): Promise<void>;
  /** A readable path of the original, for parsers. `release` it afterwards. */
  open(contentHash: string): Promise<{ path: string; release(): Promise<void> }>;
  has(contentHash: string): Promise<boolean>;
  /**
   * Lets it go if no document and no open task refers to it: at once, because the task was cancelled, or with `note`
   * into the trash, because the task failed. Kept again after that task's `createdAt`, it stays: another task is about
   * to need it.
   */
  discard(contentHash: string, createdAt: string, note?: TrashNote): Promise<DiscardOutcome>;
  /**
   * Moves originals that no document and no open task refers to into the trash, unless kept (also: kept again) within
   * the last hour: a task is only enqueued after its original is kept. Stops, moving nothing, where they are many.
   */
  sweep(): Promise<SweepReport>;
  /** What a sweep would find, and what is missing. Looks at every file. */
  survey(): Promise<OriginalsSurvey>;
}

export type SweepReport =
  | {
      readonly kind: "swept";
      readonly trashed: number;
      /** Of documents that somebody removed. */
      readonly removed: number;
      /** Out of the trash: the database needs them again. */
      readonly broughtBack: number;
      /** The folder had lost the knowledge base's id, and was marked again. */
      readonly isMarkedAgain: boolean;
    }
  /** This process created the database: files that were there before it are not judged by it. */
  | { readonly kind: "not-yet" }
  /** What is wrong, with its remedy. Nothing was moved. */
  | { readonly kind: "stopped"; readonly problem: string };

export interface OriginalsSurvey {
  readonly files: number;
  readonly unreferenced: number;
  /** Needed by a document or an open task, and neither here nor in the trash. */
  readonly missing: number;
  readonly inTrash: number;
  readonly problem?: string;
}
