// Where a request goes: decided once, by its method and its parsed address alone.
import { parseTarget, type RequestTarget } from "../../domain/call/request-target.ts";

export type Metadata = ReadonlyMap<string, Readonly<Record<string, unknown>>>;

export const MCP_PATH = "/mcp";
/** The paths of revision 2024-11-05: where its stream opens, and where its messages are posted. */
const SSE_PATH = "/sse";
export const MESSAGES_PATH = "/messages";
export const CARD_PATH = `${MCP_PATH}/server-card`;
/** The second path is from drafts of the specification; crawlers still request it. */
const CARD_PATHS: readonly string[] = [CARD_PATH, "/.well-known/mcp/server-card.json"];
const CATALOGUE_PATH = "/.well-known/ai-catalog.json";

/** The public kinds are a closed list without access to data; `private` ones are served only to a principal. */
export type Route =
  | { readonly kind: "malformed" }
  | { readonly kind: "two-hosts" }
  | { readonly kind: "nothing" }
  | { readonly kind: "health" }
  | { readonly kind: "metadata"; readonly body: Readonly<Record<string, unknown>> }
  | { readonly kind: "card" | "catalogue" }
  | { readonly kind: "preflight" }
  | { readonly kind: "page"; readonly path: string }
  | {
      readonly kind: "private";
      readonly serves: "mcp" | "sse" | "messages" | "metrics" | "api";
      readonly target: RequestTarget;
    };

export interface RouteOptions {
  readonly metadata?: Metadata | undefined;
  readonly hasConsole: boolean;
}

export interface RequestHead {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  /** Alternating names and values, as they arrived. */
  readonly rawHeaders?: readonly string[];
}

const PROTOCOL = new Map(
  Object.entries<"mcp" | "sse" | "messages">({
    [MCP_PATH]: "mcp",
    [SSE_PATH]: "sse",
    [MESSAGES_PATH]: "messages",
  }),
);

export function toRoute(head: RequestHead, options: RouteOptions): Route {
  if (hasTwoHosts(head)) return { kind: "two-hosts" };
  const target = parseTarget(head.url ?? "");
  return target ? routeTo(head, target, options) : { kind: "malformed" };
}

function routeTo(
  { method = "GET", rawHeaders = [] }: RequestHead,
  target: RequestTarget,
  options: RouteOptions,
): Route {
  const { path } = target;
  if (path === "/healthz") return { kind: "health" };
  const body = options.metadata?.get(path);
  if (body) return { kind: "metadata", body };
  if (CARD_PATHS.includes(path)) return { kind: "card" };
  if (path === CATALOGUE_PATH) return { kind: "catalogue" };
  const serves = PROTOCOL.get(path);
  if (serves)
    return method === "OPTIONS" ? { kind: "preflight" } : { kind: "private", serves, target };
  if (path === "/metrics") return { kind: "private", serves: "metrics", target };
  if (!options.hasConsole) return { kind: "nothing" };
  if (path.startsWith("/api/")) return { kind: "private", serves: "api", target };
  return method === "GET" || method === "HEAD" ? pageAt(path, rawHeaders) : { kind: "nothing" };
}

/** A page of the console by its name, and one thing that it shows. */
const PAGE = /^\/[a-z][a-z-]{0,30}(?:\/[^/]{1,300})?$/;

/** Programs that look for something else at an address of the console get a 404. */
function pageAt(path: string, rawHeaders: readonly string[]): Route {
  if (path === "/" || path.startsWith("/assets/")) return { kind: "page", path };
  const isShown = PAGE.test(path) && acceptsHtml(rawHeaders);
  return isShown ? { kind: "page", path: "/" } : { kind: "nothing" };
}

function acceptsHtml(rawHeaders: readonly string[]): boolean {
  const at = rawHeaders.findIndex((name, index) => index % 2 === 0 && /^accept$/i.test(name));
  return at !== -1 && (rawHeaders[at + 1] ?? "").includes("text/html");
}

/** WebSocket upgrades are served at one address only. */
export function toUpgrade(head: RequestHead): "malformed" | "nothing" | "mcp" {
  const { url = "" } = head;
  if (hasTwoHosts(head)) return "malformed";
  const target = parseTarget(url);
  if (!target) return "malformed";
  return target.path === MCP_PATH ? "mcp" : "nothing";
}

/** With two hosts, a proxy may have checked one and this server the other (RFC 9112, section 3.2). */
function hasTwoHosts({ rawHeaders = [] }: RequestHead): boolean {
  return rawHeaders.filter((name, at) => at % 2 === 0 && /^host$/i.test(name)).length > 1;
}
