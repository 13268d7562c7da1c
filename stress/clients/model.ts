// Plays the model for any of the clients: asks for the tools of a plan, one after the other, and keeps what the client hands
// back. Speaks Anthropic Messages, Gemini, OpenAI Responses and OpenAI Chat, each as a stream.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import {
  type Body,
  fromAnthropic,
  fromChat,
  fromGemini,
  fromResponses,
  json,
  type Said,
  sendAnthropic,
  sendChat,
  sendGemini,
  sendResponses,
  type Turn,
} from "./dialects.ts";
import { MARKS } from "./marks.ts";

export interface Step {
  readonly name: string;
  /** Found among the tools that the client offers: the first whose name matches. */
  readonly tool: RegExp;
  readonly args: Readonly<Record<string, unknown>>;
}

/** Replaced by the id of the task that was started, or of the document that was added last. */
export const LAST_TASK = "the last task";
export const LAST_DOCUMENT = "the last document";

export interface Returned {
  readonly step: string;
  /** The name under which the client offered it; undefined when it offered none. */
  readonly tool: string | undefined;
  readonly text: string;
}

export interface Model {
  readonly url: string;
  readonly returned: Returned[];
  /** The parts of results whose marks were sent. */
  readonly shown: Set<string>;
  /** Names of all tools that the client offered. */
  readonly offered: Set<string>;
  /** Paths that were asked, for a client that goes elsewhere. */
  readonly asked: string[];
  onCall?: (step: string) => void;
  close(): Promise<void>;
}

export async function startModel(plan: readonly Step[]): Promise<Model> {
  const returned: Returned[] = [];
  const offered = new Set<string>();
  const asked: string[] = [];
  const shown = new Set<string>();
  const look = (sent: string) => {
    for (const [part, mark] of Object.entries(MARKS))
      if (new RegExp(`${mark}(?!-of)`).test(sent)) shown.add(part);
  };
  const decide = ({ tools, results }: Turn): Said => {
    for (const tool of tools) offered.add(tool);
    // Clients ask on the side too, for a title or a summary, without tools.
    if (tools.length === 0) return { kind: "text", text: "Knowledge" };
    const known = plan.map((step) => ({
      ...step,
      found: tools.find((tool) => step.tool.test(tool)),
    }));
    const callable = known.filter(({ found }) => found !== undefined);
    returned.length = 0;
    for (const step of known) {
      const at = callable.indexOf(step);
      if (at < 0) returned.push({ step: step.name, tool: undefined, text: "" });
      else if (results[at] !== undefined) {
        returned.push({ step: step.name, tool: step.found, text: results[at] });
      }
    }
    const next = callable[results.length];
    if (!next?.found) return { kind: "text", text: "All done." };
    model.onCall?.(next.name);
    return {
      kind: "call",
      tool: next.found,
      args: withIds(next.args, results),
      at: results.length,
    };
  };
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    void serve(request, response, { decide, look });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const model: Model = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    returned,
    shown,
    offered,
    asked,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
  return model;
}

function withIds(args: Step["args"], results: readonly string[]): Step["args"] {
  const last = (name: string) =>
    new RegExp(`${name}[\\\\"]+:[\\\\"]+([\\w-]+)`).exec(results.toReversed().join("\n"))?.[1];
  return {
    ...args,
    ...(args["task_id"] === LAST_TASK && { task_id: last("task_id") ?? LAST_TASK }),
    ...(args["document_id"] === LAST_DOCUMENT && {
      document_id: last("document_id") ?? LAST_DOCUMENT,
    }),
  };
}

interface Listening {
  readonly decide: (turn: Turn) => Said;
  readonly look: (sent: string) => void;
}

async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  { decide, look }: Listening,
): Promise<void> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  const text = Buffer.concat(parts).toString("utf8");
  look(text);
  const body = (text === "" ? {} : JSON.parse(text)) as Body;
  const path = (request.url ?? "").split("?", 1)[0] ?? "";
  if (path.endsWith("/count_tokens")) return json(response, { input_tokens: 100 });
  if (path.endsWith("/v1/messages"))
    return sendAnthropic(response, body, decide(fromAnthropic(body)));
  if (path.includes(":countTokens")) return json(response, { totalTokens: 100 });
  if (path.includes("enerateContent")) {
    return sendGemini(response, path.includes("stream"), decide(fromGemini(body)));
  }
  if (path.endsWith("/responses")) return sendResponses(response, decide(fromResponses(body)));
  if (path.endsWith("/chat/completions")) {
    return sendChat(response, body.stream === true, decide(fromChat(body)));
  }
  if (path.endsWith("/models"))
    return json(response, { object: "list", data: [{ id: "model" }], models: [] });
  json(response, {}, 404);
}
