import type { KbFile, KbFileState } from "../../kbfile/kbfile.ts";
import type { Failure, Success } from "../contract.ts";
import { defineTool, type Tool } from "../tool.ts";
import { GET_KB_INFO } from "./contract.ts";

export function getKbInfo(kbFile: KbFile): Tool {
  return defineTool({
    contract: GET_KB_INFO,
    title: "Knowledge base file: info",
    family: "file",
    effect: "read",
    description:
      "Size, length, last change and availability of the raw knowledge base text file. Call it before get_kb_content to decide whether to fetch the whole text.",
    toError: () => unavailable(kbFile),
    run: async () => {
      const state = kbFile.state();
      const payload: Success<typeof GET_KB_INFO> =
        state.kind === "loaded"
          ? {
              status: "ok",
              info: {
                status: "available",
                fileSizeBytes: state.sizeBytes,
                contentLength: state.content.length,
                isAvailable: true,
                description: kbFile.description,
                lastModified: state.lastModified,
              },
            }
          : unavailable(kbFile);
      return { payload, structured: payload };
    },
  });
}

function unavailable(kbFile: KbFile): Failure<typeof GET_KB_INFO> {
  return {
    status: "unavailable",
    info: {
      status: "unavailable",
      fileSizeBytes: 0,
      contentLength: 0,
      isAvailable: false,
      description: kbFile.description,
      ...reasonOf(kbFile.state()),
    },
  };
}

function reasonOf(state: KbFileState): { readonly reason?: string } {
  switch (state.kind) {
    case "absent":
      return {
        reason: "No knowledge base file is configured. Start the server with --kb-file PATH.",
      };
    case "failed":
      return { reason: state.reason };
    case "loading":
      return { reason: "The knowledge base file is still being read; try again in a moment." };
    case "loaded":
      return {};
  }
}
