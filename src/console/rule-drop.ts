// Files with rules, dropped on the scopes page: previewed first, written when the person confirms.
import type { ServerResponse } from "node:http";
import { KnowledgeError } from "../domain/errors.ts";
import { describeIssues } from "../domain/input-issue.ts";
import type { Operations } from "../tools/operations.ts";
import { RULE_DROP, type RuleDrop } from "../tools/scopes/contract.ts";
import { sendJson } from "./send-json.ts";

export async function serveDrop(value: unknown, response: ServerResponse, operations: Operations) {
  const drop = toDrop(value);
  const run = drop.write ? operations.importDrop : operations.previewDrop;
  sendJson(response, 200, await run(drop));
}

function toDrop(value: unknown): RuleDrop {
  const parsed = RULE_DROP.safeParse(value);
  if (parsed.success) return parsed.data as RuleDrop;
  throw new KnowledgeError("INVALID_PARAMETER", describeIssues(parsed.error.issues));
}
