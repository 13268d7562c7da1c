// The console is an MCP client like any other: it calls the same tools over the same endpoint. What it sends and
// reads is typed by the tools' contracts.
import type { z } from "zod";
import type { RpcErrorData } from "../../../domain/call/rpc-error.ts";
import type * as answers from "../../../tools/answers/contract.ts";
import type { Contract, Success } from "../../../tools/contract.ts";
import type * as documents from "../../../tools/documents/contract.ts";
import type * as scopes from "../../../tools/scopes/contract.ts";
import type { Failure } from "./texts.ts";

type Exported = typeof answers & typeof documents & typeof scopes;
type Known = Extract<Exported[keyof Exported], Contract>;
type ByName<Name extends string> = Extract<Known, { readonly name: Name }>;

const TOKEN_KEY = "knowledge-server.token";

/** The server requires a token that this tab does not have, or refused the one it has. */
export class TokenNeeded extends Error {}

/** What is known about a failure, starting with its code. */
export function failureOf(thrown: unknown): Failure {
  if (thrown instanceof CallFailed) {
    const { message, payload } = thrown;
    const isNamed = typeof payload["error"] === "string";
    return { error: payload[isNamed ? "error" : "error_type"], message, details: payload };
  }
  // fetch throws a TypeError if it cannot reach the server.
  if (thrown instanceof TypeError) return { error: "network" };
  return { message: thrown instanceof Error ? thrown.message : String(thrown) };
}

/** The same error that fetch throws. */
export function unreached(): Error {
  return new TypeError("The server could not be reached.");
}

export class CallFailed extends Error {
  readonly payload: Readonly<Record<string, unknown>>;
  constructor(message: string, payload: Readonly<Record<string, unknown>> = {}) {
    super(message);
    this.payload = payload;
  }
}

let lastId = 0;

// Kept for the tab only and sent as a header: a cookie would also be sent with other sites' requests.
export const token = {
  get: () => sessionStorage.getItem(TOKEN_KEY) ?? "",
  set: (value: string) => sessionStorage.setItem(TOKEN_KEY, value),
  clear: () => sessionStorage.removeItem(TOKEN_KEY),
};

export function authHeaders(): Record<string, string> {
  const value = token.get();
  return value ? { authorization: `Bearer ${value}` } : {};
}

interface Asked {
  /** Sent as JSON; without it the address is read. */
  readonly body?: object;
  readonly signal?: AbortSignal | undefined;
}

// biome-ignore lint/suspicious/noExplicitAny: whoever asks knows what is there
type Read = any;

async function send(path: string, { body, signal }: Asked) {
  const response = await fetch(path, {
    ...(body && { method: "POST", body: JSON.stringify(body) }),
    headers: { accept: "application/json", "content-type": "application/json", ...authHeaders() },
    // A removal that is sent when the tab is closed still arrives.
    keepalive: document.visibilityState === "hidden",
    ...(signal && { signal }),
  });
  if (response.status === 401) {
    dispatchEvent(new Event("token-needed"));
    throw new TokenNeeded("token");
  }
  const text = await response.text();
  return { isOk: response.ok, read: parse(text) ?? { message: `HTTP ${response.status}` } };
}

/** Undefined if it is not JSON. */
export function parse(text: string): Read {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** What one of the console's own addresses returns; throws if the server refuses it. */
export async function api<Result>(path: string, asked: Asked = {}): Promise<Result> {
  const { isOk, read } = await send(path, asked);
  if (isOk) return read;
  throw new CallFailed(String(read.message ?? read.error?.message), read);
}

export async function request<Result>(
  method: string,
  params: unknown,
  signal?: AbortSignal,
): Promise<Result> {
  lastId += 1;
  const body = { jsonrpc: "2.0", id: lastId, method, params };
  const { read } = await send("/mcp", { body, signal });
  if ("result" in read) return read.result;
  const { message, data }: RpcRefusal = read.error ?? read;
  throw new CallFailed(message, { error: data?.error_type, ...data?.details });
}

interface RpcRefusal {
  readonly message: string;
  readonly data?: Partial<RpcErrorData>;
}

interface ToolResult<Payload> {
  readonly content: readonly { readonly type: string; readonly text?: string }[];
  readonly structuredContent: Payload;
  readonly isError?: boolean;
}

/** Returns the structured content of a known tool; throws if the tool refused the call. */
export async function call<Name extends Known["name"]>(
  name: Name,
  args: z.input<ByName<Name>["input"]>,
  signal?: AbortSignal,
): Promise<Success<ByName<Name>>> {
  const typed = name === "knowledge-search" && { _meta: { "knowledge-server/typed": true } };
  const params = { name, arguments: args, ...typed };
  const result = await request<ToolResult<Success<ByName<Name>>>>("tools/call", params, signal);
  if (!result.isError) return result.structuredContent;
  const payload = JSON.parse(result.content[0]?.text ?? "{}");
  throw new CallFailed(String(payload?.message ?? "The call failed."), payload);
}

export async function readJson<View>(uri: string, signal?: AbortSignal): Promise<View> {
  type Read = { readonly contents: readonly { readonly text?: string }[] };
  const { contents } = await request<Read>("resources/read", { uri }, signal);
  return JSON.parse(contents.map(({ text = "" }) => text).join(""));
}

const OWN_KEY = "knowledge-server.own-token";
const NAME_KEY = "knowledge-server.viewed-as";

/** The name of the token that the console is seen as; undefined if it is the person's own. */
export function viewedAs(): string | undefined {
  return sessionStorage.getItem(NAME_KEY) ?? undefined;
}

export async function startViewing(name: string): Promise<void> {
  const { token: temporary } = await api<{ token?: string }>("/api/view-as", { body: { name } });
  if (temporary === undefined) throw new CallFailed("The server sent no token.");
  sessionStorage.setItem(OWN_KEY, token.get());
  sessionStorage.setItem(NAME_KEY, name);
  restart(temporary);
}

export function stopViewing(): void {
  const own = sessionStorage.getItem(OWN_KEY) ?? "";
  sessionStorage.removeItem(OWN_KEY);
  sessionStorage.removeItem(NAME_KEY);
  restart(own);
}

/** Everything that is shown was read by the other token. */
function restart(next: string): void {
  token.set(next);
  location.assign("/");
}
