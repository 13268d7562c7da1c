// Which revision of the protocol an HTTP request is written in.
import type { IncomingMessage } from "node:http";
import { classifyInboundRequest, SUPPORTED_PROTOCOL_VERSIONS } from "@modelcontextprotocol/server";
import { isJsonObject } from "../../../domain/call/json-object.ts";

export const VERSION = "mcp-protocol-version";

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
