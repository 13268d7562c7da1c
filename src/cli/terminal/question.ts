import { createInterface } from "node:readline/promises";
import { KnowledgeError } from "../../domain/errors.ts";
import { inertText } from "../../text/clean/inert.ts";

/** Asks on a terminal; elsewhere nobody can answer, so `--yes` is needed. */
export async function ask(question: string, signal: AbortSignal): Promise<string> {
  if (!process.stdin.isTTY) {
    throw new KnowledgeError(
      "CONFIRMATION_REQUIRED",
      "Nobody can be asked here: add --yes to go on without a question.",
    );
  }
  const line = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return (await line.question(inertText(question), { signal })).trim();
  } finally {
    line.close();
  }
}
