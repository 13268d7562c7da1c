// `add https://…`: adds a web page, if that is allowed.
import { KnowledgeError } from "../../domain/errors.ts";
import { readOutput } from "../../tools/contract.ts";
import { ADD_URL_NOW } from "../../tools/documents/contract.ts";
import type { JsonObject, ToolProgress } from "../../tools/tool.ts";
import type { OpenToolbox } from "../command.ts";

export function isUrl(given: string): boolean {
  return /^https?:\/\//i.test(given);
}

interface AddingUrl {
  readonly app: OpenToolbox;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: ToolProgress) => void;
}

/** Adding an address again fetches the page again. */
export async function addUrl(url: string, metadata: JsonObject, { app, ...watch }: AddingUrl) {
  if (app.tool(ADD_URL_NOW.name) === undefined) {
    throw new KnowledgeError(
      "ACCESS_DENIED",
      "Fetching web pages is off. Run the command again with --allow-urls.",
    );
  }
  const args = { url, metadata, refresh: true, async: false };
  const outcome = readOutput(ADD_URL_NOW, await app.call(ADD_URL_NOW.name, args, watch));
  return outcome.kind === "done" ? outcome.value : outcome.error;
}
