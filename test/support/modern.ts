// A client for revision 2026-07-28, written to the specification: one request, one response, no state.
// The official client does not support the extensions with their own result types.

export interface Reply {
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

export interface ModernClient {
  ask(method: string, params?: Record<string, unknown>): Promise<Reply>;
}

const REVISION = "2026-07-28";
const NAMED: Readonly<Record<string, string>> = {
  "tools/call": "name",
  "resources/read": "uri",
  "tasks/get": "taskId",
  "tasks/update": "taskId",
  "tasks/cancel": "taskId",
};

export interface ModernOptions {
  readonly capabilities?: Record<string, unknown>;
  readonly token?: string;
  /** More of `_meta`. */
  readonly meta?: Record<string, unknown>;
}

/** `url` ends in `/mcp`. */
export function modernClient(url: string, options: ModernOptions = {}): ModernClient {
  const { capabilities = {}, token, meta = {} } = options;
  let count = 0;
  return {
    async ask(method, params = {}) {
      const name = params[NAMED[method] ?? ""];
      const response = await fetch(url, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
          "mcp-protocol-version": REVISION,
          "mcp-method": method,
          ...(typeof name === "string" && { "mcp-name": name }),
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
        },
        body: JSON.stringify({
          jsonrpc: "2.0",
          id: ++count,
          method,
          params: { ...params, _meta: { ...meta, ...envelope(capabilities) } },
        }),
      });
      return readReply(response);
    },
  };
}

function envelope(capabilities: Record<string, unknown>) {
  return {
    "io.modelcontextprotocol/protocolVersion": REVISION,
    "io.modelcontextprotocol/clientInfo": { name: "written-to-the-specification", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": capabilities,
  };
}

async function readReply(response: Response): Promise<Reply> {
  const text = await response.text();
  if (!(response.headers.get("content-type") ?? "").startsWith("text/event-stream")) {
    return JSON.parse(text) as Reply;
  }
  const data = text.split("\n").filter((line) => line.startsWith("data: "));
  return JSON.parse((data.at(-1) ?? "").slice("data: ".length)) as Reply;
}

/** A tool's payload. */
export function payloadOf({ result }: Reply): Record<string, unknown> {
  const content = (result?.["content"] ?? []) as readonly { readonly text: string }[];
  const [first] = content;
  return JSON.parse(first?.text ?? "null") as Record<string, unknown>;
}
