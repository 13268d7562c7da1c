import { KnowledgeError } from "../domain/errors.ts";
import type { CallContext } from "./tool.ts";

/** True when the user was asked and agreed, false when the client cannot ask. Throws when they did not agree. */
export async function askUser(
  { confirm, signal }: Pick<CallContext, "confirm" | "signal">,
  message: string,
): Promise<boolean> {
  if (!confirm) return false;
  if (await confirm(message, signal)) return true;
  throw new KnowledgeError(
    "CONFIRMATION_DECLINED",
    "The user declined, so nothing was changed. Do not try again unless they ask for it.",
  );
}
