// The raw file's tools, and the same text as a resource.

import { KnowledgeError } from "../../domain/errors.ts";
import { toMessage } from "../../domain/phrases/messages.ts";
import type { KbFile } from "../../kbfile/kbfile.ts";
import type { CheckOutcome, ToolFamily } from "../family.ts";
import { getKbContent } from "./get-kb-content.ts";
import { getKbInfo } from "./get-kb-info.ts";

export function fileFamily(kbFile: KbFile): ToolFamily {
  return {
    name: "file",
    instructions: "get_kb_info and get_kb_content: one raw text file; check its info first.",
    source: () => kbFile.state().kind,
    tools: [getKbInfo(kbFile), getKbContent(kbFile)],
    resources: [
      {
        uri: "knowledge://file",
        name: "knowledge-base-file",
        title: "Knowledge base file",
        description: kbFile.description,
        mimeType: "text/plain",
        sizeBytes: () => {
          const state = kbFile.state();
          return state.kind === "loaded" ? state.sizeBytes : undefined;
        },
        read: async () => {
          const state = kbFile.state();
          if (state.kind === "loaded") return state.content;
          const reason =
            state.kind === "failed" ? state.reason : "No knowledge base file is loaded.";
          throw new KnowledgeError("RESOURCE_NOT_FOUND", reason);
        },
      },
    ],
    checks: [{ name: "knowledge base file", run: async () => check(kbFile) }],
  };
}

async function check(kbFile: KbFile): Promise<CheckOutcome> {
  await kbFile.loaded;
  const state = kbFile.state();
  switch (state.kind) {
    case "loaded":
      return { state: "ok", detail: toMessage("fileRead", state.content.length) };
    case "failed":
      return {
        state: "fail",
        detail: toMessage("stated", state.reason),
        remedy: toMessage("fileUnread"),
      };
    case "absent":
    case "loading":
      return { state: "off", detail: toMessage("noFile") };
  }
}
