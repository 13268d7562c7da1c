// Asking the client's own model, or the person at the client. Until 2025-11-25 the server sends a request while the call
// runs; since 2026-07-28 the call ends with "input required" and the client repeats it with the reply:
//
//   call ─▶ tool runs ─▶ sample() or confirm(): reply among the inputs? ──yes──▶ goes on
//                                    └─no─▶ the call ends, asking for it; the client calls again
import { createHash } from "node:crypto";
import {
  type CallToolResult,
  type ClientCapabilities,
  type InputRequiredResult,
  inputRequired,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { KnowledgeError } from "../domain/errors.ts";
import type { CallContext } from "../tools/tool.ts";

type Sample = NonNullable<CallContext["sample"]>;
type Confirm = NonNullable<CallContext["confirm"]>;

// A person may have to allow the request, and a local model may be slow.
const SAMPLE_TIMEOUT_MS = 120_000;
// A person needs time to read what would be lost, and may not be at the desk.
const CONFIRM_TIMEOUT_MS = 300_000;

export interface Sampling {
  readonly sample: Sample;
  /** Settles only when the call must end to ask the client. */
  readonly inputNeeded?: Promise<InputRequiredResult>;
  /** Aborted then: nobody waits for the tool any more. */
  readonly ended?: AbortSignal;
}

export function toSampling({ mcpReq }: ServerContext): Sampling {
  if (mcpReq.envelope) return samplingByRepeatedCall(mcpReq.inputResponses);
  const options = { timeout: SAMPLE_TIMEOUT_MS, relatedRequestId: mcpReq.id };
  const sample: Sample = async (request, signal) =>
    toText(await mcpReq.requestSampling(toParams(request), { signal, ...options }));
  return { sample };
}

type Replies = ServerContext["mcpReq"]["inputResponses"];

function samplingByRepeatedCall(replies: Replies): Sampling {
  const { promise, resolve } = Promise.withResolvers<InputRequiredResult>();
  const ending = new AbortController();
  const sample: Sample = async (request) => {
    const key = questionKey("sample", `${request.system}\0${request.user}`);
    const reply = replies?.[key];
    if (reply !== undefined) return toText(reply);
    resolve(
      inputRequired({ inputRequests: { [key]: inputRequired.createMessage(toParams(request)) } }),
    );
    // The call ends here, and the tool with it.
    ending.abort(new KnowledgeError("CANCELLED", "The call ended to ask the client's model."));
    throw ending.signal.reason;
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
  const blocks = [content].flat() as readonly ({ readonly text?: unknown } | null | undefined)[];
  const texts = blocks.flatMap((block) => (typeof block?.text === "string" ? [block.text] : []));
  if (texts.length > 0) return texts.join("");
  throw new KnowledgeError("MODEL_UNAVAILABLE", "The client's model returned no text.");
}

export interface Confirming {
  readonly confirm: Confirm;
  /** What the client has to ask before it repeats the call. */
  readonly unanswered?: () => InputRequiredResult | undefined;
}

/** Undefined where the client cannot show its user a form. */
export function toConfirming(
  { form, url }: NonNullable<ClientCapabilities["elicitation"]>,
  { mcpReq }: ServerContext,
): Confirming | undefined {
  // An empty object means forms; a client may also offer addresses alone.
  if (form === undefined && url !== undefined) return undefined;
  if (mcpReq.envelope) return confirmingByRepeatedCall(mcpReq.inputResponses);
  const options = { timeout: CONFIRM_TIMEOUT_MS, relatedRequestId: mcpReq.id };
  const confirm: Confirm = async (message, signal) =>
    isAgreed(await mcpReq.elicitInput(toForm(message), { signal, ...options }));
  return { confirm };
}

function confirmingByRepeatedCall(replies: Replies): Confirming {
  const state: { asked?: InputRequiredResult } = {};
  const confirm: Confirm = async (message) => {
    const key = questionKey("confirm", message);
    const reply = replies?.[key];
    if (reply !== undefined) return isAgreed(reply);
    state.asked = inputRequired({
      inputRequests: { [key]: inputRequired.elicit(toForm(message)) },
    });
    // Ends the call; the question is sent in place of this error.
    throw new KnowledgeError("CONFIRMATION_REQUIRED", "The user has not been asked yet.");
  };
  return { confirm, unanswered: () => state.asked };
}

function toForm(message: string) {
  const confirm = { type: "boolean" as const, title: "Yes, continue", default: true };
  return {
    mode: "form" as const,
    message,
    requestedSchema: { type: "object" as const, properties: { confirm } },
  };
}

function isAgreed(reply: unknown): boolean {
  const { action, content } = reply as { action?: unknown; content?: { confirm?: unknown } };
  return action === "accept" && content?.confirm !== false;
}

/** Identifies a question by its text, so that a reply is never mistaken for another question's. */
function questionKey(kind: "confirm" | "sample", text: string): string {
  return `${kind}-${createHash("sha256").update(text).digest("hex").slice(0, 16)}`;
}
