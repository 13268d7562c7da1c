// The messages between the server and a reader process. Requests are lines of JSON, replies are frames of bytes: four for
// the length, then the value.
import { deserialize, serialize } from "node:v8";
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
function isReply(value: unknown): value is Reply {
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

const HEAD_BYTES = 4;
/** The largest text takes 100 MB, and its blocks less than three times that. */
const MAX_REPLY_BYTES = 400 * 1024 * 1024;

export function toFrame(reply: unknown): Buffer {
  const body = serialize(reply);
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeUInt32BE(body.length);
  return Buffer.concat([head, body]);
}

export interface ReplyEvents {
  readonly onReply: (reply: Reply) => void;
  /** The process has parsed untrusted files, so its output is not trusted either. The rest is ignored. */
  readonly onUnreadable: (reason: string) => void;
}

/** Takes bytes as they arrive. */
export function openReplies({ onReply, onUnreadable }: ReplyEvents): (bytes: Buffer) => void {
  const state = { parts: [] as Buffer[], held: 0, needed: HEAD_BYTES, isUnreadable: false };
  /** Undefined until a whole reply has arrived. */
  const next = (): Reply | undefined => {
    if (state.held < state.needed) return undefined;
    const all = Buffer.concat(state.parts);
    const end = HEAD_BYTES + all.readUInt32BE();
    if (end > MAX_REPLY_BYTES) throw new Error(`a reply of ${end} bytes`);
    const isWhole = all.length >= end;
    const rest = isWhole ? all.subarray(end) : all;
    Object.assign(state, { parts: [rest], held: rest.length, needed: isWhole ? HEAD_BYTES : end });
    if (!isWhole) return undefined;
    const value: unknown = deserialize(all.subarray(HEAD_BYTES, end));
    if (!isReply(value)) throw new Error("a reply of no known kind");
    return value;
  };
  const readNext = () => {
    try {
      return next();
    } catch (thrown) {
      Object.assign(state, { parts: [], held: 0, isUnreadable: true });
      onUnreadable(thrown instanceof Error ? thrown.message : String(thrown));
      return undefined;
    }
  };
  return (bytes) => {
    if (state.isUnreadable) return;
    state.parts.push(bytes);
    state.held += bytes.length;
    for (let reply = readNext(); reply !== undefined; reply = readNext()) onReply(reply);
  };
}
