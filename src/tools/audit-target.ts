// The target of a change, for its audit line: names and ids from the request and the result.

import { basename } from "node:path";
import type { AuditOutcome, Target } from "../domain/call/audit-event.ts";
import { isJsonObject } from "../domain/call/json-object.ts";
import type { ToolOutput } from "./tool.ts";

const NAMES = ["document_id", "task_id", "scope_id", "category", "keyword", "parent", "tier"];

export function fileTarget(path: string): Target {
  return { file: basename(path) };
}

export function targetOf(args: unknown): Target {
  if (!isJsonObject(args)) return {};
  const { file_path: path, filename = path, url } = args;
  return {
    ...(typeof filename === "string" ? fileTarget(filename) : {}),
    ...(typeof url === "string" ? hostTarget(url) : {}),
    ...namesIn(args),
  };
}

/** Only the host of a web address: the rest may be a secret. */
function hostTarget(url: string): Target {
  const parsed = URL.parse(url);
  return parsed === null ? {} : { host: parsed.host };
}

/** A tool returns its failures instead of throwing them. */
export function endOf({ payload, isError }: ToolOutput): AuditOutcome {
  const returned = isJsonObject(payload) ? payload : {};
  const { error } = returned;
  return {
    target: namesIn(returned),
    ...(isError ? { error: typeof error === "string" ? error : "failed" } : {}),
  };
}

function namesIn(record: Readonly<Record<string, unknown>>): Target {
  const found = NAMES.map((name) => [name, record[name]] as const);
  return Object.fromEntries(
    found.filter((pair): pair is [string, string] => typeof pair[1] === "string"),
  );
}
