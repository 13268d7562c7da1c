// Some connectors send a body of 2026-07-28 under the header of an older revision. The body decides: a strict server
// would refuse every one of their calls.
import type { IncomingMessage } from "node:http";
import { PROTOCOL_VERSION_META_KEY } from "@modelcontextprotocol/server";
import { isJsonObject } from "../../../domain/call/json-object.ts";
import type { Log } from "../../../observe/log.ts";
import { isKnownVersion, VERSION } from "./legacy.ts";

const MODERN = "2026-07-28";

/** Adds the headers that came with that revision. Those that the client sent must still agree with the body. */
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
