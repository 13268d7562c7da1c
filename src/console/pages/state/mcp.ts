// The console is an MCP client like any other: it calls the same tools over the same endpoint.

const TOKEN_KEY = "knowledge-server.token";

/** The server wants a token that this tab does not have, or refused the one it has. */
export class TokenNeeded extends Error {}

export class CallFailed extends Error {
  readonly payload: Readonly<Record<string, unknown>>;
  constructor(message: string, payload: Readonly<Record<string, unknown>> = {}) {
    super(message);
    this.payload = payload;
  }
}

let lastId = 0;

// Kept for the tab only, and sent as a header: a cookie would ride along on other sites' requests.
export const token = {
  get: () => sessionStorage.getItem(TOKEN_KEY) ?? "",
  set: (value: string) => sessionStorage.setItem(TOKEN_KEY, value),
  clear: () => sessionStorage.removeItem(TOKEN_KEY),
};

export function authHeaders(): Record<string, string> {
  const value = token.get();
  return value ? { authorization: `Bearer ${value}` } : {};
}

export async function request<T>(
  method: string,
  params: unknown,
  signal?: AbortSignal,
): Promise<T> {
  lastId += 1;
  const response = await fetch("/mcp", {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...authHeaders(),
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: lastId, method, params }),
    ...(signal ? { signal } : {}),
  });
  if (response.status === 401) throw new TokenNeeded("token");
  const message = await readMessage(response);
  if (message.error) throw new CallFailed(message.error.message);
  return message.result as T;
}

interface JsonRpcMessage {
  readonly id?: number;
  readonly result?: unknown;
  readonly error?: { readonly message: string };
}

async function readMessage(response: Response): Promise<JsonRpcMessage> {
  const body = await response.text();
  if (!response.headers.get("content-type")?.includes("text/event-stream")) {
    return parse(body, response.status);
  }
  const messages = body
    .split(/\r?\n\r?\n/)
    .map((event) => event.match(/^data: ?(.*)$/m)?.[1])
    .filter((data): data is string => Boolean(data))
    .map((data) => parse(data, response.status));
  return (
    messages.find(
      (message) => message.id !== undefined && ("result" in message || "error" in message),
    ) ?? {
      error: { message: `HTTP ${response.status}` },
    }
  );
}

function parse(text: string, status: number): JsonRpcMessage {
  try {
    return JSON.parse(text) as JsonRpcMessage;
  } catch {
    return { error: { message: `HTTP ${status}` } };
  }
}

interface ToolResult {
  readonly content: readonly { readonly type: string; readonly text?: string }[];
  readonly structuredContent?: unknown;
  readonly isError?: boolean;
}

/** The tool's structured content where it has one, else its text content's JSON. */
export async function call<T>(name: string, args: unknown = {}, signal?: AbortSignal): Promise<T> {
  const result = await request<ToolResult>("tools/call", { name, arguments: args }, signal);
  const payload = result.structuredContent ?? JSON.parse(result.content[0]?.text ?? "null");
  if (result.isError && !isTaskUpdate(payload)) {
    throw new CallFailed(String(payload?.message ?? payload?.error ?? "The call failed."), payload);
  }
  return payload as T;
}

function isTaskUpdate(payload: unknown): boolean {
  return (
    typeof payload === "object" && payload !== null && "task_id" in payload && "status" in payload
  );
}

export async function readResource(uri: string, signal?: AbortSignal): Promise<string> {
  const result = await request<{ contents: readonly { text?: string }[] }>(
    "resources/read",
    { uri },
    signal,
  );
  return result.contents.map((content) => content.text ?? "").join("");
}

export async function readJson<T>(uri: string, signal?: AbortSignal): Promise<T> {
  return JSON.parse(await readResource(uri, signal)) as T;
}
