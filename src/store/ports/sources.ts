// Sources, and the ledger of what was last seen of each of their items.
import type { Source, SourceDescription, SourceItem, SourceRun } from "../../domain/source.ts";

export interface KnownItem extends SourceItem {
  /** No document has its content any more. */
  readonly isMissing: boolean;
}

/** What one run changes in the ledger. */
export interface ItemChanges {
  readonly put: readonly SourceItem[];
  readonly removed: readonly string[];
}

/** The task that syncs the source, and who holds it. */
export interface SourceHolder {
  readonly taskId: string;
  readonly worker: string;
}

export interface BegunSource extends Source {
  /** The run before this one came to its end, with these settings, and listed everything. */
  readonly wasWhole: boolean;
}

export interface SourceStore {
  list(): Promise<readonly Source[]>;
  /** Creates it, or replaces its settings. */
  put(id: string, source: SourceDescription, nextRun?: string): Promise<void>;
  change(
    id: string,
    to: { readonly isPaused?: boolean; readonly nextRun?: string | null },
  ): Promise<boolean>;
  /** Its documents stay; only the ledger goes. */
  remove(id: string): Promise<boolean>;
  /** The ids of those whose time has come and which nobody syncs. */
  due(now: string): Promise<readonly string[]>;
  /** Takes the source for this task; undefined if it is gone or another open task has it. */
  begin(id: string, taskId: string): Promise<BegunSource | undefined>;
  items(id: string): Promise<readonly KnownItem[]>;
  /** Only while the worker holds the task. */
  record(
    id: string,
    changes: ItemChanges,
    holder: SourceHolder,
  ): Promise<"recorded" | "lease-lost">;
  /** Fills the ledger of a source that has none. */
  restore(id: string, items: readonly SourceItem[]): Promise<void>;
  end(id: string, run: SourceRun, nextRun?: string): Promise<void>;
}
