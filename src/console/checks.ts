// The console's page of questions: what it may ask for, one thing per call.
import * as z from "zod";
import { defined } from "../domain/defined.ts";
import type { Operations } from "../tools/operations.ts";

const MADE = 200;

export const CHECK_CALL = z.union([
  z.object({
    pin: z.object({
      question: z.string().trim().min(1).max(1_000),
      documentId: z.string().min(1).max(200),
      phrase: z.string().max(4_000).optional(),
    }),
  }),
  z.object({ make: z.literal(true) }),
  z.object({ remove: z.array(z.string().max(64)).max(2_000) }),
  z.object({ run: z.literal(true), accept: z.boolean().optional() }),
]);

type CheckCall = z.output<typeof CHECK_CALL>;

export async function runCheckCall(
  call: CheckCall,
  operations: Operations,
  signal: AbortSignal,
): Promise<object> {
  if ("pin" in call) {
    const { phrase, ...pin } = call.pin;
    return operations.pinCheck({ ...pin, ...defined({ phrase }) });
  }
  if ("make" in call) return { made: await operations.makeChecks(MADE) };
  if ("remove" in call) return { removed: await operations.removeChecks(call.remove) };
  const { accept = false } = call;
  return operations.runChecks({ accept, signal, onProgress: () => {} });
}
