// What the server and a reader's process say to each other.
import type { ExtractedDocument } from "../domain/document.ts";
import type { ErrorCode } from "../domain/errors.ts";
import type { ExtractProgress } from "./extract.ts";
import type { ExtractLimits } from "./limits.ts";
import type { OcrSettings } from "./reader.ts";

export interface ReadJob {
  readonly path: string;
  readonly filename: string;
  readonly forceOcr: boolean;
  readonly ocr: OcrSettings;
  readonly limits: ExtractLimits;
}

export type Reply =
  | { readonly kind: "alive" }
  | { readonly kind: "progress"; readonly progress: ExtractProgress }
  | { readonly kind: "done"; readonly document: ExtractedDocument }
  | {
      readonly kind: "failed";
      readonly code: ErrorCode;
      readonly message: string;
      readonly details: Readonly<Record<string, unknown>>;
      /** For the log only. */
      readonly cause?: string;
    };
