// The console's routes: its pages for anyone who reaches the server and, for a signed-in person, what the protocol does
// not cover: uploading and downloading files, and how this program is started.
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Readable } from "node:stream";
import { holdsEverywhere } from "../domain/call/grants.ts";
import type { Principal } from "../domain/call/principal.ts";
import type { RequestTarget } from "../domain/call/request-target.ts";
import { defined } from "../domain/defined.ts";
import { ERRORS, type KnowledgeError, toKnowledgeError } from "../domain/errors.ts";
import type { Log } from "../observe/log.ts";
import type { RecentClients } from "../observe/recent-clients.ts";
import type { Usage } from "../observe/usage.ts";
import type { Toolbox } from "../tools/family.ts";
import type { Operations } from "../tools/operations.ts";
import { type Assets, readAssets, sendPage, type Visit } from "./assets.ts";
import { callAt, untilClosed } from "./calls.ts";
import { sendJson, serveViews } from "./document-views.ts";

export interface ConsoleParts {
  readonly assetsUrl: URL;
  readonly toolbox: Pick<Toolbox, "operationsFor" | "refusal">;
  /** How clients start this program as a local process, for the ready snippets. */
  readonly launch: Launch;
  readonly clients: Pick<RecentClients, "list">;
  readonly usage: Pick<Usage, "days">;
  /** A temporary token that shows the server as the named token does; undefined if there is none. */
  readonly view: (viewer: Principal, name: string) => string | undefined;
  readonly log: Log;
}

interface Launch {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

export interface Console {
  /** Sends a page or one of its files. Open to everyone, because it contains no data. */
  sendPage(visit: Visit): Promise<void>;
  /** Handles a call from a caller who passed the guard. */
  handle(call: ApiCall): Promise<void>;
}

interface ApiCall {
  readonly request: Pick<IncomingMessage, "method" | "headers">;
  readonly response: ServerResponse;
  readonly target: RequestTarget;
  readonly principal: Principal;
  readonly body: RequestBody;
}

/** The server's way to read a body within its limits. Both return undefined if a refusal was sent. */
export interface RequestBody {
  /** Only of `application/json`, which a form on another site cannot send without a preflight request. */
  json(): Promise<{ readonly value: unknown } | undefined>;
  /** The bytes of a file as they arrive. */
  upload(): Readable | undefined;
}

const SECURITY_HEADERS = {
  "content-security-policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; connect-src 'self'; " +
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; " +
    "require-trusted-types-for 'script'; trusted-types dompurify",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
} as const;

/** Shown to callers who must not see the host's paths. */
const INSTALLED: Launch = { command: "knowledge-server", args: [], env: {} };

const STATUS = {
  invalid: 400,
  denied: 403,
  "not-found": 404,
  conflict: 409,
  cancelled: 499,
  unavailable: 503,
  internal: 500,
} as const;

export function openConsole(parts: ConsoleParts): Console {
  const { assetsUrl, log } = parts;
  let assets: Promise<Assets> | undefined;
  const loadAssets = () => {
    assets ??= readAssets(assetsUrl);
    return assets;
  };

  return {
    async sendPage(visit) {
      secure(visit.response);
      sendPage(visit, await loadAssets());
    },
    async handle(call) {
      const { response, target } = call;
      secure(response);
      try {
        await serve(call, parts);
      } catch (thrown) {
        const error = toKnowledgeError(thrown);
        log.warn("console.failed", { path: target.path, code: error.code, cause: error.cause });
        sendFailure(response, error);
      }
    },
  };
}

async function serve(call: ApiCall, parts: ConsoleParts): Promise<void> {
  const { request, response, target, principal } = call;
  const { method } = request;
  const facts = method === "GET" ? factsAt(target.path, principal, parts) : undefined;
  if (facts) return sendJson(response, 200, facts);
  const operations = parts.toolbox.operationsFor(principal);
  if (method === "POST" && target.path === "/api/upload") return upload(call, operations);
  const answer = callAt(method, target.path);
  if (answer) {
    const read = method === "POST" ? await call.body.json() : { value: undefined };
    if (!read) return;
    const { view } = parts;
    const caller = { operations, principal, view, signal: untilClosed(response) };
    return sendJson(response, 200, await answer(read.value, caller));
  }
  if (method === "GET" && (await serveViews(call, operations))) return;
  sendJson(response, 404, { success: false, message: "There is nothing at this address." });
}

/** What the server knows about itself, as far as this caller may see it. */
function factsAt(
  path: string,
  principal: Principal,
  { toolbox, launch, clients, usage }: ConsoleParts,
): object | undefined {
  const isAdmin = () => holdsEverywhere(principal, "admin");
  if (path === "/api/host") return isAdmin() ? launch : INSTALLED;
  // Administrators see every caller's clients; others see their own.
  if (path === "/api/clients")
    return { clients: clients.list(isAdmin() ? undefined : principal.name) };
  if (path !== "/api/usage") return undefined;
  const denied = toolbox.refusal(principal, "read");
  if (denied) throw denied;
  // The numbers are of everybody's searches.
  const days = holdsEverywhere(principal, "read") ? usage.days() : undefined;
  return { counting: days !== undefined, days: days ?? [] };
}

async function upload({ request, response, target, body }: ApiCall, operations: Operations) {
  // A form on another site can't send this type without a preflight request, so it can't upload as
  // the signed-in person.
  if (request.headers["content-type"] !== "application/octet-stream") {
    sendJson(response, 415, {
      success: false,
      message: "Send the file's bytes as application/octet-stream.",
    });
    return;
  }
  const query = new URLSearchParams(target.query);
  const filename = query.get("filename") ?? "";
  const scope = query.get("scope") ?? undefined;
  const tags = query.getAll("tag");
  const bytes = body.upload();
  if (!bytes) return;
  sendJson(
    response,
    200,
    await operations.upload({ filename, tags, body: bytes, ...defined({ scope }) }),
  );
}

function secure(response: ServerResponse): void {
  for (const [name, value] of Object.entries(SECURITY_HEADERS)) response.setHeader(name, value);
}

function sendFailure(response: ServerResponse, error: KnowledgeError): void {
  if (response.headersSent) return void response.destroy();
  const { code, message, details } = error;
  const wait = details["retry_after_seconds"];
  if (wait !== undefined) response.setHeader("retry-after", String(wait));
  const body = { success: false, error: code.toLowerCase(), message, ...details };
  sendJson(response, STATUS[ERRORS[code].kind], body);
}
