// Asking the client's own model. Until 2025-11-25 the server sends a request while the call runs; since
// 2026-07-28 the call ends with "input required" and the client repeats it with the model's reply:
//
//   call ─▶ tool runs ─▶ sample(): reply among the inputs? ──yes──▶ goes on
//                                    └─no─▶ the call ends, asking for it; the client calls again
import {
  type CallToolResult,
  type InputRequiredResult,
  inputRequired,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { KnowledgeError } from "../../domain/errors.ts";
import type { CallContext } from "../../tools/tool.ts";
import { questionKey } from "./question-key.ts";

type Sample = NonNullable<CallContext["sample"]>;

// A person may have to allow the request, and a local model may be slow.
const SAMPLE_TIMEOUT_MS = 120_000;

export interface Sampling {
  readonly sample: Sample;
  /** Settles only when the call must end to ask the client. */
  readonly inputNeeded?: Promise<InputRequiredResult>;
  /** Aborted then: nobody waits for the tool any more. */
  readonly ended?: AbortSignal;
}

export function toSampling(context: ServerContext): Sampling {
  return context.mcpReq.envelope ? byRepeatedCall(context) : { sample: byRequest(context) };
}

function byRequest(context: ServerContext): Sample {
  return async (request, signal) => {
    const related = { relatedRequestId: context.mcpReq.id };
    const options = { signal, timeout: SAMPLE_TIMEOUT_MS, ...related };
    return toText(await context.mcpReq.requestSampling(toParams(request), options));
  };
}

function byRepeatedCall(context: ServerContext): Sampling {
  const { promise, resolve } = Promise.withResolvers<InputRequiredResult>();
  const ending = new AbortController();
  const sample: Sample = (request) => {
    const key = questionKey("sample", `${request.system}\0${request.user}`);
    const reply = context.mcpReq.inputResponses?.[key];
    if (reply !== undefined) return Promise.resolve().then(() => toText(reply));
    resolve(
      inputRequired({ inputRequests: { [key]: inputRequired.createMessage(toParams(request)) } }),
    );
    // The call ends here, and the tool with it.
    ending.abort(new KnowledgeError("CANCELLED", "The call ended to ask the client's model."));
    return Promise.reject(ending.signal.reason);
  };
  return { sample, inputNeeded: promise, ended: ending.signal };
}

function toParams({ system, user, maxTokens }: Parameters<Sample>[0]) {
  return {
    systemPrompt: system,
    maxTokens,
    messages: [{ role: "user" as const, content: { type: "text" as const, text: user } }],
  };
}

function toText(reply: unknown): string {
  const content = (reply as Partial<CallToolResult> | undefined)?.content as unknown;
  const blocks: readonly unknown[] = Array.isArray(content) ? content : [content];
  const texts = blocks.flatMap((block) =>
    typeof block === "object" && block !== null && "text" in block && typeof block.text === "string"
      ? [block.text]
      : [],
  );
  if (texts.length > 0) return texts.join("");
  throw new KnowledgeError("MODEL_UNAVAILABLE", "The client's model returned no text.");
}
