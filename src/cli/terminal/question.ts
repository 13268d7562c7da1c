import { createInterface } from "node:readline/promises";
import { KnowledgeError } from "../../domain/errors.ts";
import { inertText } from "../../text/clean/inert.ts";

/** Asks on a terminal. Without one nobody could reply, so `--yes` is required. */
export async function ask(question: string, signal: AbortSignal): Promise<string> {
  if (!process.stdin.isTTY) {
    throw new KnowledgeError(
      "CONFIRMATION_REQUIRED",
      "Cannot ask for confirmation: stdin is not a terminal. Pass --yes.",
    );
  }
  const line = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return (await line.question(inertText(question), { signal })).trim();
  } finally {
    line.close();
  }
}
