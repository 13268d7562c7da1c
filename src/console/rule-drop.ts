// Files with rules, dropped on the scopes page: previewed first, written when the person confirms.
import type { IncomingMessage, ServerResponse } from "node:http";
import { KnowledgeError } from "../domain/errors.ts";
import { describeIssues } from "../domain/input-issue.ts";
import type { Operations } from "../tools/operations.ts";
import { RULE_DROP, type RuleDrop } from "../tools/scopes/contract.ts";
import { sendJson } from "./send-json.ts";

interface DropCall {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

const MOST_BYTES = 16 * 1024 * 1024;

export async function serveDrop({ request, response }: DropCall, operations: Operations) {
  // A form on another site can't send this type without a preflight request, so it can't import as
  // the signed-in person.
  if (request.headers["content-type"] !== "application/json") {
    sendJson(response, 415, { success: false, message: "Send the files as application/json." });
    return;
  }
  const drop = await readDrop(request);
  const run = drop.write ? operations.importDrop : operations.previewDrop;
  sendJson(response, 200, await run(drop));
}

async function readDrop(request: IncomingMessage): Promise<RuleDrop> {
  const parsed = RULE_DROP.safeParse(toJson(await readAll(request)));
  if (parsed.success) return parsed.data as RuleDrop;
  throw new KnowledgeError("INVALID_PARAMETER", describeIssues(parsed.error.issues));
}

async function readAll(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > MOST_BYTES) {
      throw new KnowledgeError(
        "INVALID_PARAMETER",
        "The files are larger than 16 MB in total. Import them with `knowledge-server scopes import`.",
      );
    }
    parts.push(part);
  }
  return Buffer.concat(parts);
}

function toJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString("utf8"));
  } catch {
    throw new KnowledgeError("INVALID_PARAMETER", "The body is not valid JSON.");
  }
}
