// Whatever writes leaves a line in the audit log.
import { basename } from "node:path";
import type { Audit } from "../observe/audit.ts";
import type { Operations } from "./operations.ts";
import { runTool } from "./run-tool.ts";
import type { CallContext, Tool, ToolOutput } from "./tool.ts";

const NAMES = ["document_id", "task_id", "scope_id", "category", "keyword", "parent", "tier"];

export function openAudited(audit: Audit): typeof runTool {
  return async (tool: Tool, args: unknown, context: CallContext): Promise<ToolOutput> => {
    const output = await runTool(tool, args, context);
    if (tool.effect === "write" || tool.effect === "destroy") {
      await audit.record({
        who: context.principal.name,
        did: tool.name,
        to: targetOf(args, output),
        outcome: output.isError ? "refused" : "done",
      });
    }
    return output;
  };
}

type Upload = NonNullable<Operations["upload"]>;

export function auditUpload(upload: Upload, audit: Audit): Upload {
  return async (given) => {
    const file = basename(given.filename).slice(0, 200);
    const record = (outcome: "done" | "refused", more = {}) =>
      audit.record({ who: given.principal.name, did: "upload", to: { file, ...more }, outcome });
    try {
      const answer = await upload(given);
      await record("done", { task_id: String(answer["task_id"]) });
      return answer;
    } catch (thrown) {
      await record("refused");
      throw thrown;
    }
  };
}

function targetOf(args: unknown, { payload }: ToolOutput): Readonly<Record<string, string>> {
  const given = toRecord(args);
  const answered = toRecord(payload);
  const path = given["file_path"];
  const target: Record<string, string> = {};
  if (typeof path === "string") target["file"] = basename(path).slice(0, 200);
  for (const name of NAMES) {
    const value = given[name] ?? answered[name];
    if (typeof value === "string") target[name] = value.slice(0, 200);
  }
  return target;
}

function toRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}
