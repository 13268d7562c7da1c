// The program's own tools, whose calls fail as requested: the response is the tool's real error payload.
import { type ErrorCode, KnowledgeError } from "../../src/domain/errors.ts";
import type { Toolbox } from "../../src/tools/family.ts";
import { runTool } from "../../src/tools/run-tool.ts";

// The fields that real failures carry, all at once.
const DETAILS = {
  parameter: "file_path",
  document_id: "d",
  document_count: 0,
  current_document_count: 2,
  max_size_mb: 100,
  retry_after_seconds: 1,
};

/** `raise` is passed next to the tool's own arguments; the tool never sees it. */
export function raising(toolbox: Toolbox): Toolbox {
  return {
    ...toolbox,
    run: (tool, args, context) => {
      const isAsked = typeof args === "object" && args !== null && "raise" in args;
      if (!isAsked) return toolbox.run(tool, args, context);
      const { raise, ...own } = args;
      const run = async () => {
        throw new KnowledgeError(raise as ErrorCode, "It failed.", { details: DETAILS });
      };
      return runTool({ ...tool, run }, own, context);
    },
  };
}
