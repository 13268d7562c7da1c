// What an audit line says of a change's target: names and ids from what was asked and what came of it.

import { basename } from "node:path";
import type { ActEnd, Target } from "../domain/call/act.ts";
import { isJsonObject } from "../domain/call/json-object.ts";
import type { ToolOutput } from "./tool.ts";

const NAMES = ["document_id", "task_id", "scope_id", "category", "keyword", "parent", "tier"];

export function fileTarget(path: string): Target {
  return { file: basename(path) };
}

export function targetOf(args: unknown): Target {
  const given = toRecord(args);
  const path = given["file_path"];
  return {
    ...(typeof path === "string" ? fileTarget(path) : {}),
    ...hostTarget(given["url"]),
    ...namesIn(given),
  };
}

/** Of a web address the host: what follows it may be a secret. */
function hostTarget(url: unknown): Target {
  const parsed = typeof url === "string" ? URL.parse(url) : null;
  return parsed === null ? {} : { host: parsed.host };
}

/** A tool returns its failures. */
export function endOf({ payload, isError }: ToolOutput): ActEnd {
  const returned = toRecord(payload);
  const { error } = returned;
  return {
    to: namesIn(returned),
    ...(isError ? { error: typeof error === "string" ? error : "failed" } : {}),
  };
}

function namesIn(record: Readonly<Record<string, unknown>>): Target {
  const found = NAMES.map((name) => [name, record[name]] as const);
  return Object.fromEntries(
    found.filter((pair): pair is [string, string] => typeof pair[1] === "string"),
  );
}

function toRecord(value: unknown): Readonly<Record<string, unknown>> {
  return isJsonObject(value) ? value : {};
}
