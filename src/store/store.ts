// The port: what every store must do. The shared suite in test/conformance checks each driver.
import type { Sight } from "../domain/call/sight.ts";
import type { KnowledgeError } from "../domain/errors.ts";
import type { Message } from "../domain/phrases/messages.ts";
import type { DocumentStore } from "./ports/documents.ts";
import type { OriginalStore } from "./ports/originals.ts";
import type { RefinementStore } from "./refinements.ts";
import type { ScopeStore } from "./scopes/scopes.ts";
import type { SourceStore } from "./sources.ts";
import type { TaskStore } from "./tasks.ts";

export type { CopyProgress, CopyReport } from "./core/copy.ts";
export { oncePerSecond, probeWrite } from "./core/probe-write.ts";
export type { Trash } from "./core/trash.ts";
export { openFileLocks } from "./open-store.ts";
export type * from "./ports/documents.ts";
export type * from "./ports/originals.ts";
export type * from "./ports/upkeep.ts";
export type * from "./refinements.ts";
export type * from "./scopes/scopes.ts";
export type * from "./sources.ts";
export type * from "./tasks.ts";
export { termFactor } from "./words/bm25.ts";

export interface Store {
  /** The same for a caller who sees only the documents and tasks of these scopes. */
  seenBy(sight: Sight): Store;
  readonly documents: DocumentStore;
  readonly refinements: RefinementStore;
  readonly originals: OriginalStore;
  readonly tasks: TaskStore;
  readonly scopes: ScopeStore;
  readonly sources: SourceStore;
  health(): Promise<StoreHealth>;
  close(): Promise<void>;
}

export interface StoreHealth {
  readonly kind: "sqlite" | "postgres";
  readonly connected: boolean;
  readonly originalsAccessible: boolean;
  /** What `knowledge-status` shows as vector_db_path and storage_path; no secrets. */
  readonly location: string;
  readonly originalsLocation: string;
  readonly issues: readonly Message[];
  /** Why it can never work as it is configured; a server does not start with it. */
  readonly refusal?: KnowledgeError;
}
