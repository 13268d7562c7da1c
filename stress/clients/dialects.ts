// The four ways in which clients talk to a model: what was offered and returned, and how a call or a text is said.
import type { ServerResponse } from "node:http";

export interface Turn {
  readonly tools: readonly string[];
  /** Texts of all tool results so far, in order. */
  readonly results: readonly string[];
}

export type Said =
  | { readonly kind: "call"; readonly tool: string; readonly args: object; readonly at: number }
  | { readonly kind: "text"; readonly text: string };

// biome-ignore lint/suspicious/noExplicitAny: four protocols' requests, read where they are known
export type Body = Record<string, any>;

export function json(response: ServerResponse, body: unknown, status = 200): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

function events(
  response: ServerResponse,
  list: readonly (readonly [string | undefined, unknown])[],
): void {
  response.writeHead(200, { "content-type": "text/event-stream" });
  for (const [event, data] of list) {
    const name = event === undefined ? "" : `event: ${event}\n`;
    response.write(`${name}data: ${typeof data === "string" ? data : JSON.stringify(data)}\n\n`);
  }
  response.end();
}

function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return content === undefined ? "" : JSON.stringify(content);
  return content.map((part: Body) => part["text"] ?? JSON.stringify(part)).join("\n");
}

export function fromAnthropic(body: Body): Turn {
  const blocks = (body["messages"] ?? []).flatMap((message: Body) =>
    Array.isArray(message["content"]) ? message["content"] : [],
  ) as Body[];
  return {
    tools: (body["tools"] ?? []).map((tool: Body) => String(tool["name"])),
    results: blocks
      .filter(({ type }) => type === "tool_result")
      .map(({ content }) => textOf(content)),
  };
}

export function sendAnthropic(response: ServerResponse, body: Body, said: Said): void {
  const block =
    said.kind === "text"
      ? { type: "text", text: "" }
      : { type: "tool_use", id: `toolu_${said.at}`, name: said.tool, input: {} };
  const delta =
    said.kind === "text"
      ? { type: "text_delta", text: said.text }
      : { type: "input_json_delta", partial_json: JSON.stringify(said.args) };
  const stop = said.kind === "text" ? "end_turn" : "tool_use";
  const usage = { input_tokens: 10, output_tokens: 10 };
  const head = {
    id: "msg_1",
    type: "message",
    role: "assistant",
    model: body["model"],
    content: [],
  };
  const message = { ...head, stop_reason: null, stop_sequence: null, usage };
  if (body["stream"] !== true) {
    const whole =
      said.kind === "text" ? { type: "text", text: said.text } : { ...block, input: said.args };
    json(response, { ...message, content: [whole], stop_reason: stop });
    return;
  }
  events(response, [
    ["message_start", { type: "message_start", message }],
    ["content_block_start", { type: "content_block_start", index: 0, content_block: block }],
    ["content_block_delta", { type: "content_block_delta", index: 0, delta }],
    ["content_block_stop", { type: "content_block_stop", index: 0 }],
    [
      "message_delta",
      { type: "message_delta", delta: { stop_reason: stop, stop_sequence: null }, usage },
    ],
    ["message_stop", { type: "message_stop" }],
  ]);
}

export function fromGemini(body: Body): Turn {
  const declared = (body["tools"] ?? []).flatMap(
    (tool: Body) => tool["functionDeclarations"] ?? [],
  );
  const parts = (body["contents"] ?? []).flatMap(
    (content: Body) => content["parts"] ?? [],
  ) as Body[];
  return {
    tools: declared.map((tool: Body) => String(tool["name"])),
    results: parts
      .filter((part) => part["functionResponse"] !== undefined)
      .map((part) =>
        textOf(
          part["functionResponse"]["response"]?.["output"] ?? part["functionResponse"]["response"],
        ),
      ),
  };
}

export function sendGemini(response: ServerResponse, streams: boolean, said: Said): void {
  const part =
    said.kind === "text"
      ? { text: said.text }
      : { functionCall: { id: `call_${said.at}`, name: said.tool, args: said.args } };
  const usageMetadata = { promptTokenCount: 10, candidatesTokenCount: 10, totalTokenCount: 20 };
  const candidates = [
    { index: 0, content: { role: "model", parts: [part] }, finishReason: "STOP" },
  ];
  const body = { candidates, usageMetadata, modelVersion: "model" };
  if (streams) events(response, [[undefined, body]]);
  else json(response, body);
}

export function fromResponses(body: Body): Turn {
  const items = (Array.isArray(body["input"]) ? body["input"] : []) as Body[];
  const named = (tools: readonly Body[], prefix = ""): string[] =>
    tools.flatMap((tool) =>
      tool["type"] === "namespace"
        ? named(tool["tools"] ?? [], `${tool["name"]}::`)
        : [`${prefix}${tool["name"] ?? tool["type"]}`],
    );
  return {
    tools: named(body["tools"] ?? []),
    results: items
      .filter(({ type }) => type === "function_call_output")
      .map(({ output }) => textOf(output?.content ?? output)),
  };
}

export function sendResponses(response: ServerResponse, said: Said): void {
  const [namespace, bare] =
    said.kind === "call" && said.tool.includes("::") ? said.tool.split("::") : [];
  const item =
    said.kind === "text"
      ? {
          type: "message",
          id: "msg_1",
          role: "assistant",
          content: [{ type: "output_text", text: said.text, annotations: [] }],
        }
      : {
          type: "function_call",
          id: `fc_${said.at}`,
          call_id: `call_${said.at}`,
          name: bare ?? said.tool,
          ...(namespace === undefined ? {} : { namespace }),
          arguments: JSON.stringify(said.args),
        };
  const usage = {
    input_tokens: 10,
    input_tokens_details: null,
    output_tokens: 10,
    output_tokens_details: null,
    total_tokens: 20,
  };
  events(response, [
    ["response.created", { type: "response.created", response: { id: "resp_1" } }],
    ["response.output_item.done", { type: "response.output_item.done", output_index: 0, item }],
    [
      "response.completed",
      { type: "response.completed", response: { id: "resp_1", output: [item], usage } },
    ],
  ]);
}

export function fromChat(body: Body): Turn {
  const messages = (body["messages"] ?? []) as Body[];
  return {
    tools: (body["tools"] ?? []).map((tool: Body) => String(tool["function"]?.["name"])),
    results: messages.filter(({ role }) => role === "tool").map(({ content }) => textOf(content)),
  };
}

export function sendChat(response: ServerResponse, streams: boolean, said: Said): void {
  const call =
    said.kind === "text"
      ? undefined
      : {
          index: 0,
          id: `call_${said.at}`,
          type: "function",
          function: { name: said.tool, arguments: JSON.stringify(said.args) },
        };
  const message = {
    role: "assistant",
    content: said.kind === "text" ? said.text : null,
    ...(call ? { tool_calls: [call] } : {}),
  };
  const finish = call ? "tool_calls" : "stop";
  const base = { id: "chat_1", created: 1, model: "model" };
  const usage = { prompt_tokens: 10, completion_tokens: 10, total_tokens: 20 };
  if (!streams) {
    const choices = [{ index: 0, message, finish_reason: finish }];
    json(response, { ...base, object: "chat.completion", choices, usage });
    return;
  }
  const chunk = (delta: object, reason: string | null) => ({
    ...base,
    object: "chat.completion.chunk",
    choices: [{ index: 0, delta, finish_reason: reason }],
  });
  events(response, [
    [undefined, chunk(message, null)],
    [undefined, { ...chunk({}, finish), usage }],
    [undefined, "[DONE]"],
  ]);
}
