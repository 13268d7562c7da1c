// An OpenAI-compatible chat endpoint (Ollama, vLLM, LM Studio, …) as a model that can be asked.
import { askEndpoint, type Endpoint } from "../../endpoint/endpoint.ts";
import type { Ask, Reply } from "./model.ts";

export interface ChatEndpoint extends Endpoint {
  readonly model: string;
}

const MAX_REPLY_BYTES = 1_000_000;

export function toAsk({ url, model, ...endpoint }: ChatEndpoint): Ask {
  const address = toChatAddress(url);
  return async ({ system, user, maxTokens }, signal) => {
    const body = {
      model,
      temperature: 0,
      max_tokens: maxTokens,
      messages: [
        { role: "system", content: system },
        { role: "user", content: user },
      ],
    };
    const how = { body, signal, maxBytes: MAX_REPLY_BYTES };
    return contentOf((await askEndpoint({ ...endpoint, url: address }, how)) as Completion);
  };
}

function toChatAddress(url: string): string {
  const address = new URL(url);
  if (!address.pathname.endsWith("/chat/completions"))
    address.pathname = `${address.pathname.replace(/\/+$/, "")}/chat/completions`;
  return address.href;
}

interface Completion {
  readonly choices?: readonly { readonly message?: { readonly content?: unknown } }[];
  readonly usage?: { readonly prompt_tokens?: unknown; readonly completion_tokens?: unknown };
}

function contentOf({ choices, usage }: Completion): Reply {
  const content = choices?.[0]?.message?.content;
  if (typeof content !== "string") throw new Error("the reply is not a chat completion");
  const { prompt_tokens: prompt, completion_tokens: completion } = usage ?? {};
  return {
    text: content,
    ...(typeof prompt === "number" && { promptTokens: prompt }),
    ...(typeof completion === "number" && { completionTokens: completion }),
  };
}
