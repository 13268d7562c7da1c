// Revision 2026-07-28 over HTTP: the SDK's own handler, with node:http on both sides of it.
import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream } from "node:stream/web";
import { createMcpHandler, isJSONRPCErrorResponse } from "@modelcontextprotocol/server";
import { describeHolder, formatGrant } from "../../../domain/call/grants.ts";
import type { Principal } from "../../../domain/call/principal.ts";
import { completeRpcError } from "../../../domain/call/rpc-error.ts";
import type { Mcp } from "../../../mcp/mcp.ts";
import type { Limits } from "../../limits.ts";
import { isListen, openListening } from "../../listen.ts";
import { type Fault, type Headers as PlainHeaders, sendFault } from "../exchange.ts";
import { TOO_MANY } from "../faults.ts";
import type { HttpOptions } from "../http.ts";
import type { AdmittedRequest } from "../request-body.ts";
import { MCP_PATH } from "../routes.ts";

// A fixed address, because the request has already been routed and no header of the client may change that.
const ADDRESS = `http://localhost${MCP_PATH}`;

interface ModernCall extends Omit<AdmittedRequest, "countMessage"> {
  readonly body: unknown;
}

export type Modern = ReturnType<typeof openModern>;

interface ModernParts extends Pick<HttpOptions, "mcp" | "log"> {
  readonly limits: Limits;
}

export function openModern(parts: ModernParts) {
  const handlers = openHandlers(parts);
  return {
    async handle(call: ModernCall) {
      const { request, response, body, principal, headers } = call;
      const fault = isListen(body) ? listen(call, parts) : undefined;
      if (fault) {
        const { id } = body as { readonly id?: string | number };
        return sendFault(call, fault, id);
      }
      const gone = new AbortController();
      response.once("close", () => gone.abort());
      const fetched = await handlers.of(principal).fetch(toWebRequest(request, gone.signal), {
        parsedBody: body,
        authInfo: {
          token: "",
          clientId: principal.name,
          scopes: [...describeHolder(principal)],
          extra: { principal },
        },
      });
      await write(fetched, response, headers);
    },
    close: handlers.close,
  };
}

/** An issuer of tokens may invent any number of grants. */
const MAX_HANDLERS = 1_000;

/** A handler notifies all its streams alike, so callers who may see different things have different ones. */
function openHandlers(parts: ModernParts) {
  const open = new Map<string, { handler: ReturnType<typeof openHandler>; stop: () => void }>();
  const closeOldest = () => {
    for (const [name, { handler, stop }] of [...open].slice(0, 1)) {
      open.delete(name);
      stop();
      // Its streams end, and their clients open others.
      handler.close().catch(() => {});
    }
  };
  return {
    of(principal: Principal) {
      const name = JSON.stringify(principal.grants?.map(formatGrant).sort() ?? null);
      const known = open.get(name);
      if (known) return known.handler;
      if (open.size >= MAX_HANDLERS) closeOldest();
      const handler = openHandler(parts);
      const stop = parts.mcp.onChange(principal, (change) => notify(handler, change));
      open.set(name, { handler, stop });
      return handler;
    },
    async close() {
      for (const { handler, stop } of open.values()) {
        stop();
        await handler.close();
      }
    },
  };
}

function openHandler({ mcp, log }: ModernParts) {
  return createMcpHandler(
    ({ authInfo }) => {
      const principal = authInfo?.extra?.["principal"] as Principal | undefined;
      // There is no default principal: a request that has lost its own is refused.
      if (!principal) throw new Error("a request without a principal");
      return mcp.createServer({ transport: "http", principal, lasting: false });
    },
    { legacy: "reject", onerror: (error) => log.debug("http.modern-refused", { error }) },
  );
}

type Change = Parameters<Parameters<Mcp["onChange"]>[1]>[0];

function notify({ notify: to }: ReturnType<typeof openHandler>, change: Change): void {
  if (change.kind === "resource") to.resourceUpdated(change.uri);
  else if (change.kind === "tools") to.toolsChanged();
  else if (change.kind === "resources") to.resourcesChanged();
  else to.promptsChanged();
}

/** The stream and its subscriptions count until the client or the server ends it. */
function listen(
  { response, body, principal }: ModernCall,
  { mcp, limits }: ModernParts,
): Fault | undefined {
  const listening = openListening(mcp, principal);
  const fault = listening.check(body);
  if (fault) return fault;
  if (!limits.streams.take(principal.name, 1)) {
    listening.close();
    return TOO_MANY;
  }
  response.once("close", () => {
    listening.close();
    limits.streams.give(principal.name, 1);
  });
  return undefined;
}

function toWebRequest(request: IncomingMessage, signal: AbortSignal): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    // The token has been checked, and nothing from here on needs it.
    if (typeof value === "string" && name !== "authorization") headers.set(name, value);
  }
  return new Request(ADDRESS, { method: request.method ?? "POST", headers, signal });
}

async function write(
  fetched: Response,
  response: ServerResponse,
  more: PlainHeaders,
): Promise<void> {
  if (response.destroyed) return;
  if (fetched.status >= 400) return writeFault(fetched, response, more);
  const headers = { ...Object.fromEntries(fetched.headers), ...more };
  response.writeHead(fetched.status, headers);
  if (!fetched.body) return void response.end();
  response.flushHeaders();
  // A client that leaves ends the stream at its source.
  await pipeline(Readable.fromWeb(fetched.body as ReadableStream), response).catch(() => {});
}

/** Converts the SDK's own refusals to the form that all errors have here. */
async function writeFault(
  fetched: Response,
  response: ServerResponse,
  headers: PlainHeaders,
): Promise<void> {
  const fault: unknown = await fetched.json().catch(() => undefined);
  if (!isJSONRPCErrorResponse(fault)) return void response.writeHead(fetched.status, headers).end();
  const error = completeRpcError(fault.error);
  sendFault({ response, headers }, { ...error, status: fetched.status }, fault.id ?? null);
}
