// The Server Card (SEP-2127), which describes the server and its endpoints to clients before they connect, and the AI
// Catalog that links to it. Public, cacheable, readable from any page; contains nothing from the knowledge base.
import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { DESCRIPTION, serverIcons, TITLE } from "../../domain/call/server-identity.ts";
import { REVISIONS } from "./revisions/request-revision.ts";
import { CARD_PATH, MCP_PATH } from "./routes.ts";

export interface CardOptions {
  /** The name in registries: `io.github.owner/name`. */
  readonly name: string;
  readonly version: string;
  readonly repositoryUrl: string;
  /** Set if callers need a token. */
  readonly isGuarded: boolean;
  /** This server's address as clients know it, if one is configured. */
  readonly resource?: string | undefined;
}

const SCHEMA = "https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json";
const CARD_TYPE = "application/mcp-server-card+json";
const CATALOGUE_TYPE = "application/ai-catalog+json";

const HEADERS = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Allow-Methods": "GET",
  "Access-Control-Allow-Headers": "Content-Type, If-None-Match",
  "Access-Control-Expose-Headers": "ETag",
  "Cache-Control": "public, max-age=3600",
  // The addresses in it use the host of the request.
  Vary: "Host, X-Forwarded-Proto",
  "X-Content-Type-Options": "nosniff",
};

export function sendCard(
  {
    request,
    response,
    kind,
  }: { request: IncomingMessage; response: ServerResponse; kind: "card" | "catalogue" },
  options: CardOptions,
): void {
  if (request.method === "OPTIONS") return void response.writeHead(204, HEADERS).end();
  if (request.method !== "GET" && request.method !== "HEAD") {
    return void response.writeHead(405, { ...HEADERS, Allow: "GET" }).end();
  }
  const origin = originOf(request, options);
  const text = JSON.stringify(
    kind === "card" ? toCard(origin, options) : toCatalogue(origin, options),
  );
  const tag = `"${createHash("sha256").update(text).digest("base64url").slice(0, 22)}"`;
  const headers = { ...HEADERS, ETag: tag };
  if (isKnown(request, tag)) return void response.writeHead(304, headers).end();
  response.writeHead(200, {
    ...headers,
    "Content-Type": kind === "card" ? CARD_TYPE : CATALOGUE_TYPE,
    "Content-Length": Buffer.byteLength(text),
  });
  response.end(request.method === "HEAD" ? undefined : text);
}

function isKnown({ headers }: IncomingMessage, tag: string): boolean {
  const known = headers["if-none-match"]?.split(",").map((each) => each.trim().replace(/^W\//, ""));
  return known?.some((each) => each === tag || each === "*") ?? false;
}

/** The guard has checked the host; a proxy's header shows whether clients use TLS. */
function originOf({ headers }: IncomingMessage, { resource }: CardOptions): string {
  if (resource !== undefined) return new URL(resource).origin;
  const scheme = headers["x-forwarded-proto"] === "https" ? "https" : "http";
  return `${scheme}://${headers.host ?? "localhost"}`;
}

function toCard(origin: string, { name, version, repositoryUrl, isGuarded }: CardOptions) {
  const token = {
    name: "Authorization",
    description: "Bearer, followed by a token from the server's administrator",
    isRequired: true,
    isSecret: true,
  };
  return {
    $schema: SCHEMA,
    name,
    title: TITLE,
    version,
    description: DESCRIPTION,
    repository: { url: repositoryUrl, source: "github" },
    icons: serverIcons(),
    remotes: [
      {
        type: "streamable-http",
        url: `${origin}${MCP_PATH}`,
        supportedProtocolVersions: REVISIONS,
        ...(isGuarded && { headers: [token] }),
      },
    ],
  };
}

function toCatalogue(origin: string, { name }: CardOptions) {
  const { hostname } = new URL(origin);
  const identifier = `urn:air:${hostname}:mcp:${name.split("/").at(-1)}`;
  const entry = { identifier, type: CARD_TYPE, url: `${origin}${CARD_PATH}` };
  return { specVersion: "1.0", entries: [entry] };
}
