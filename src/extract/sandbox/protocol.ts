// The messages between the server and a reader process.

import { isJsonObject } from "../../domain/call/json-object.ts";
import { type ExtractedDocument, FORMATS } from "../../domain/document.ts";
import { ERRORS, type ErrorCode } from "../../domain/errors.ts";
import { isMessage } from "../../domain/phrases/messages.ts";
import type { ExtractProgress, ExtractRequest } from "../extract.ts";
import { isPageView, type PageRequest, type PageView } from "../view/view.ts";

/** A file to read, or one of its pages to render. */
export type Job = ExtractRequest | PageRequest;

export type Reply =
  | { readonly kind: "alive" }
  | { readonly kind: "progress"; readonly progress: ExtractProgress }
  | Outcome;

/** The end of a job. A process that has grown too large asks to be replaced. */
export type Outcome = (Product | Failure) & { readonly exhausted?: boolean };

export type Product =
  | { readonly kind: "done"; readonly document: ExtractedDocument }
  | { readonly kind: "seen"; readonly view: PageView };

export interface Failure {
  readonly kind: "failed";
  readonly code: ErrorCode;
  readonly message: string;
  readonly details: Readonly<Record<string, unknown>>;
  /** For the log only. */
  readonly cause?: string;
}

/** A process that was compromised by a file may send anything. */
export function isReply(value: unknown): value is Reply {
  if (!isJsonObject(value)) return false;
  const { kind, progress, document, code, message, details } = value;
  if (kind === "alive") return true;
  if (kind === "progress") return isJsonObject(progress) && typeof progress["done"] === "number";
  if (kind === "done") return isDocument(document);
  if (kind === "seen") return isPageView(value["view"]);
  const isKnown = typeof code === "string" && Object.hasOwn(ERRORS, code);
  return kind === "failed" && isKnown && typeof message === "string" && isJsonObject(details);
}

function isDocument(value: unknown): boolean {
  if (!isJsonObject(value) || !FORMATS.some((format) => format === value["format"])) return false;
  const { text, blocks, pages, warnings } = value;
  const areLists = Array.isArray(blocks) && Array.isArray(pages) && Array.isArray(warnings);
  return typeof text === "string" && areLists && warnings.every(isMessage);
}
