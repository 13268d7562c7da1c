// Which revision of the protocol an HTTP request is written in, and which revisions there are.
import type { IncomingMessage } from "node:http";
import {
  classifyInboundRequest,
  PROTOCOL_VERSION_META_KEY,
  SUPPORTED_PROTOCOL_VERSIONS,
} from "@modelcontextprotocol/server";
import { isJsonObject } from "../../../domain/call/json-object.ts";
import type { Log } from "../../../observe/log.ts";

/** The header that names the revision. */
export const VERSION = "mcp-protocol-version";

const MODERN = "2026-07-28";

/** The newest first. */
export const REVISIONS: readonly string[] = [...new Set([MODERN, ...SUPPORTED_PROTOCOL_VERSIONS])];

export function isModern(request: IncomingMessage, body: unknown): boolean {
  const { headers } = request;
  const meta = (body as { params?: { _meta?: unknown } } | null)?.params?._meta;
  // Most requests have none of these marks, and classifying a request fully costs as much as a call.
  if (meta === undefined && headers[VERSION] === undefined && headers["mcp-method"] === undefined) {
    return false;
  }
  const { kind } = classifyInboundRequest({
    httpMethod: "POST",
    body,
    ...pick("protocolVersionHeader", headers[VERSION]),
    ...pick("mcpMethodHeader", headers["mcp-method"]),
    ...pick("mcpNameHeader", headers["mcp-name"]),
  });
  return kind === "modern" || (kind === "reject" && isJsonObject(body));
}

function pick(name: string, value: string | string[] | undefined) {
  return typeof value === "string" ? { [name]: value } : {};
}

export function isKnownVersion(version: string | string[]): boolean {
  return SUPPORTED_PROTOCOL_VERSIONS.includes(String(version));
}

/**
 * Some connectors send a body of 2026-07-28 under the header of an older revision. The body decides: a strict server
 * would refuse every one of their calls. Adds the headers that came with that revision; those that the client sent must
 * still agree with the body.
 */
export function followBody({ headers }: IncomingMessage, body: unknown, log: Log): void {
  const named = headers[VERSION];
  if (typeof named !== "string" || named >= MODERN || !isKnownVersion(named)) return;
  const { method, params } = isJsonObject(body) ? body : {};
  const { _meta: meta, name, uri, taskId } = isJsonObject(params) ? params : {};
  if (!isJsonObject(meta) || meta[PROTOCOL_VERSION_META_KEY] !== MODERN) return;
  log.info("http.revisions-differ", { header: named, body: MODERN });
  headers[VERSION] = MODERN;
  if (typeof method === "string") headers["mcp-method"] ??= encoded(method);
  const target = name ?? uri ?? taskId;
  if (typeof target === "string") headers["mcp-name"] ??= encoded(target);
}

/** As the protocol writes values that a header cannot carry. */
function encoded(value: string): string {
  return /^[!-~]+$/.test(value) ? value : `=?base64?${Buffer.from(value).toString("base64")}?=`;
}
