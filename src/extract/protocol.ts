// What the server and a reader's process say to each other.
import type { ExtractedDocument } from "../domain/document.ts";
import type { ErrorCode } from "../domain/errors.ts";
import type { ExtractProgress } from "./extract.ts";

export type Reply =
  | { readonly kind: "alive" }
  | { readonly kind: "progress"; readonly progress: ExtractProgress }
  | Outcome;

/** What ends a job. A process that has grown too large to go on asks to be replaced. */
export type Outcome = (
  | { readonly kind: "done"; readonly document: ExtractedDocument }
  | Failure
) & { readonly worn?: boolean };

export interface Failure {
  readonly kind: "failed";
  readonly code: ErrorCode;
  readonly message: string;
  readonly details: Readonly<Record<string, unknown>>;
  /** For the log only. */
  readonly cause?: string;
}
