// An OpenAI-compatible chat endpoint (Ollama, vLLM, LM Studio, …) in the shape of the client's own model.
import type { Ask } from "./model.ts";

export interface EndpointConfig {
  readonly url: string;
  readonly model: string;
  readonly key?: string | undefined;
  /** Connects the request to the trace of the tool call. */
  readonly traceHeaders?: (() => Readonly<Record<string, string>>) | undefined;
}

const MAX_REPLY_BYTES = 1_000_000;

/** Error messages never repeat anything that the endpoint sent. */
export function toAsk({ url, model, key, traceHeaders }: EndpointConfig): Ask {
  const address = toChatAddress(url);
  return async ({ system, user, maxTokens }, signal) => {
    const response = await fetch(address, {
      method: "POST",
      // A redirect would send the key and the passages somewhere else.
      redirect: "error",
      headers: {
        "content-type": "application/json",
        ...traceHeaders?.(),
        ...(key !== undefined && { authorization: `Bearer ${key}` }),
      },
      body: JSON.stringify({
        model,
        temperature: 0,
        max_tokens: maxTokens,
        messages: [
          { role: "system", content: system },
          { role: "user", content: user },
        ],
      }),
      signal,
    });
    if (!response.ok) {
      await response.body?.cancel();
      throw new Error(`HTTP ${response.status}`);
    }
    return contentOf(await readCapped(response));
  };
}

function toChatAddress(url: string): string {
  const address = new URL(url);
  if (!address.pathname.endsWith("/chat/completions"))
    address.pathname = `${address.pathname.replace(/\/+$/, "")}/chat/completions`;
  return address.href;
}

async function readCapped(response: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of response.body ?? []) {
    size += part.byteLength;
    if (size > MAX_REPLY_BYTES) throw new Error("the reply is too large");
    parts.push(part);
  }
  return Buffer.concat(parts).toString("utf8");
}

interface Completion {
  readonly choices?: readonly { readonly message?: { readonly content?: unknown } }[];
  readonly usage?: { readonly prompt_tokens?: unknown; readonly completion_tokens?: unknown };
}

function contentOf(body: string): Awaited<ReturnType<Ask>> {
  try {
    const { choices, usage } = JSON.parse(body) as Completion;
    const content = choices?.[0]?.message?.content;
    const { prompt_tokens: prompt, completion_tokens: completion } = usage ?? {};
    if (typeof content === "string")
      return {
        text: content,
        ...(typeof prompt === "number" && { promptTokens: prompt }),
        ...(typeof completion === "number" && { completionTokens: completion }),
      };
  } catch {
    // The error below covers invalid JSON too.
  }
  throw new Error("the reply is not a chat completion");
}
