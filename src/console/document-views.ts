// A document's original: the file, how it can be shown, its pages as pictures, and where their words are.
import type { IncomingMessage, ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";
import type { RequestTarget } from "../domain/call/request-target.ts";
import { ERRORS, KnowledgeError, toKnowledgeError } from "../domain/errors.ts";
import { toFilename } from "../text/clean/filename.ts";
import { IMAGE_SIZES } from "../tools/documents/contract.ts";
import type { Operations, Original, PageWanted, ShownPage } from "../tools/operations.ts";

interface ViewCall {
  readonly request: Pick<IncomingMessage, "headers">;
  readonly response: ServerResponse;
  readonly target: RequestTarget;
}

const WHOLE = /^\/api\/documents\/([\w-]{1,64})\/(view|original)$/;
const PAGE = /^\/api\/documents\/([\w-]{1,64})\/pages\/(\d{1,5})(\/words)?$/;

// Scripts in a file never run, even if somebody opens its address directly.
const INERT = { "content-security-policy": "sandbox; default-src 'none'" };
const IMAGE_TYPES = { png: "image/png", svg: "image/svg+xml" } as const;

/** Returns false if the address belongs to another route. */
export async function serveViews(call: ViewCall, operations: Operations): Promise<boolean> {
  const { response, target } = call;
  const [, whole, what] = WHOLE.exec(target.path) ?? [];
  if (whole !== undefined) {
    if (what === "view") sendJson(response, 200, await operations.originalView(whole));
    else await sendOriginal(response, await operations.original(whole));
    return true;
  }
  const [, documentId, page, words] = PAGE.exec(target.path) ?? [];
  if (documentId === undefined) return false;
  const want = words ? "words" : sizeOf(target);
  await sendPage(call, { documentId, page: Number(page), want }, operations);
  return true;
}

function sizeOf({ query }: RequestTarget): PageWanted["want"] {
  const size = new URLSearchParams(query).get("size") ?? "normal";
  const known = IMAGE_SIZES.find((each) => each === size);
  if (known !== undefined) return known;
  throw new KnowledgeError("INVALID_PARAMETER", `size must be one of ${IMAGE_SIZES.join(", ")}.`);
}

async function sendPage(call: ViewCall, wanted: PageWanted, operations: Operations) {
  const { request, response, target } = call;
  const view = await operations.originalView(wanted.documentId);
  const version = view.kind === "pages" ? view.version : "";
  const etag = `"${version}-${wanted.page}-${wanted.want}"`;
  const isNamed = new URLSearchParams(target.query).get("v") === version;
  const headers = {
    ...INERT,
    etag,
    vary: "authorization",
    // An address that includes the content's version never refers to other content; after an hour
    // the caller's rights are checked again.
    "cache-control": isNamed ? "private, max-age=3600, immutable" : "private, no-cache",
  };
  if (request.headers["if-none-match"] === etag) {
    response.writeHead(304, headers).end();
    return;
  }
  const gone = new AbortController();
  response.once("close", () => gone.abort());
  const shown = operations.showPage(wanted, gone.signal);
  const isSlide = view.kind === "pages" && view.unit === "slide";
  const drawn = isSlide ? await shown.catch(unlessUndrawable) : await shown;
  if (drawn) sendShown(response, headers, drawn);
  else response.writeHead(204, { "cache-control": "private, no-cache" }).end();
}

/** A slide that cannot be drawn is not a failure: its text is shown instead. */
function unlessUndrawable(thrown: unknown): undefined {
  const { kind } = ERRORS[toKnowledgeError(thrown).code];
  if (kind !== "not-found" && kind !== "invalid") throw thrown;
}

function sendShown(
  response: ServerResponse,
  headers: Readonly<Record<string, string>>,
  shown: ShownPage,
): void {
  const isImage = shown.kind === "image";
  const body = isImage ? shown.bytes : Buffer.from(JSON.stringify({ words: shown.words }));
  response.writeHead(200, {
    ...headers,
    "content-type": isImage ? IMAGE_TYPES[shown.type] : "application/json; charset=utf-8",
    "content-length": body.length,
    // If the address is opened directly, a drawing made from an untrusted file must be downloaded, not shown.
    ...(isImage && shown.type === "svg" && { "content-disposition": "attachment" }),
  });
  response.end(body);
}

async function sendOriginal(response: ServerResponse, original: Original): Promise<void> {
  response.writeHead(200, {
    // The file's own type is never sent, because an uploaded page must not run here.
    "content-type": "application/octet-stream",
    "content-disposition": attachment(original.filename),
    "content-length": original.sizeBytes,
    "cache-control": "no-store",
  });
  try {
    await pipeline(original.body, response);
  } finally {
    await original.release();
  }
}

/** Also escapes the characters that encodeURIComponent keeps but RFC 8187 does not allow. */
function attachment(filename: string): string {
  const name = encodeURIComponent(toFilename(filename)).replace(
    /['()*!~]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename*=UTF-8''${name}`;
}

export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  const text = JSON.stringify(body);
  response.writeHead(status, {
    "content-type": "application/json; charset=utf-8",
    "content-length": Buffer.byteLength(text),
    "cache-control": "no-store",
  });
  response.end(text);
}
