// The added files, unchanged.
import type { Message } from "../../domain/phrases/messages.ts";
import type { TrashNote } from "../core/trash.ts";

/** `kept`: something refers to it, or it was stored again meanwhile. */
type DiscardOutcome = "discarded" | "kept";

/** The bytes of added files by content hash (sha256, hex), so that a task does not depend on its source. */
export interface OriginalStore {
  /**
   * Stores the file durably (fsync) before anything refers to it. The file is the caller's private copy on the
   * data folder's disk, so a driver may move it instead of copying. If the hash exists, only its time is renewed.
   */
  keep(contentHash: string, fromPath: string): Promise<void>;
  /** A readable path of the original, for parsers. Call `release` afterwards. */
  open(contentHash: string): Promise<{ path: string; release(): Promise<void> }>;
  has(contentHash: string): Promise<boolean>;
  /**
   * Removes it if no document or open task refers to it: at once if the task was cancelled, or with `note` to the
   * trash if the task failed. It stays if it was stored again after that task's `createdAt`, because another task is
   * about to need it.
   */
  discard(contentHash: string, createdAt: string, note?: TrashNote): Promise<DiscardOutcome>;
  /**
   * Moves originals that no document or open task refers to into the trash, unless they were stored (again) within
   * the last hour, because a task is only enqueued after its original is stored. If there are many, none is moved.
   */
  sweep(): Promise<SweepReport>;
  /** What a sweep would find, and what is missing. Looks at every file. */
  survey(): Promise<OriginalsSurvey>;
}

export type SweepReport =
  | {
      readonly kind: "swept";
      readonly trashed: number;
      /** Originals of documents that a user removed. */
      readonly removed: number;
      /** Restored from the trash, because the database needs them again. */
      readonly broughtBack: number;
      /** The folder had lost the knowledge base's id, which was written again. */
      readonly isMarkedAgain: boolean;
    }
  /** The problem and its remedy. Nothing was moved. */
  | { readonly kind: "stopped"; readonly problem: Message };

export interface OriginalsSurvey {
  readonly files: number;
  readonly unreferenced: number;
  /** Needed by a document or open task, but neither here nor in the trash. */
  readonly missing: number;
  readonly inTrash: number;
  readonly problem?: Message;
}
