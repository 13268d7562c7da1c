// Asking the person at the client whether to continue. As with sampling, until 2025-11-25 the server sends a request
// while the call runs; since 2026-07-28 the call ends with the question and the client repeats it with the reply.
import {
  type ClientCapabilities,
  type InputRequiredResult,
  inputRequired,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { KnowledgeError } from "../../domain/errors.ts";
import type { CallContext } from "../../tools/tool.ts";
import { questionKey } from "./question-key.ts";

type Confirm = NonNullable<CallContext["confirm"]>;

// A person needs time to read what would be lost, and may not be at the desk.
const CONFIRM_TIMEOUT_MS = 300_000;

export interface Confirming {
  readonly confirm: Confirm;
  /** What the client has to ask before it repeats the call. */
  readonly unanswered?: () => InputRequiredResult | undefined;
}

/** Undefined where the client cannot show its user a form. */
export function toConfirming(
  { form, url }: NonNullable<ClientCapabilities["elicitation"]>,
  context: ServerContext,
): Confirming | undefined {
  // An empty object means forms; a client may also offer addresses alone.
  if (form === undefined && url !== undefined) return undefined;
  if (context.mcpReq.envelope !== undefined) return byRepeatedCall(context);
  return { confirm: byRequest(context) };
}

function byRequest(context: ServerContext): Confirm {
  return async (message, signal) => {
    const options = { signal, timeout: CONFIRM_TIMEOUT_MS, relatedRequestId: context.mcpReq.id };
    return isAgreed(await context.mcpReq.elicitInput(toForm(message), options));
  };
}

function byRepeatedCall(context: ServerContext): Confirming {
  const state: { asked?: InputRequiredResult } = {};
  const confirm: Confirm = async (message) => {
    const key = questionKey("confirm", message);
    const reply = context.mcpReq.inputResponses?.[key];
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
