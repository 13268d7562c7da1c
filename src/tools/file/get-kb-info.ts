import { defined } from "../../domain/defined.ts";
import type { KbFile } from "../../kbfile/kbfile.ts";
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
      "Size, length, last change and availability of the raw knowledge base text file. Call it before get_kb_content to decide whether to fetch it.",
    toError: () => unavailable(kbFile),
    run: async () => {
      const state = kbFile.state();
      if (state.kind !== "loaded") return respond(unavailable(kbFile));
      return respond({
        status: "ok",
        info: {
          status: "available",
          fileSizeBytes: state.sizeBytes,
          contentLength: state.content.length,
          isAvailable: true,
          description: kbFile.description,
          lastModified: state.lastModified,
        },
      });
    },
  });
}

function respond(payload: Success<typeof GET_KB_INFO>) {
  return { payload, structured: payload };
}

const REASONS = {
  absent: "No knowledge base file is configured. Start the server with --kb-file PATH.",
  loading: "The knowledge base file is still being read; try again in a moment.",
  loaded: undefined,
} as const;

function unavailable(kbFile: KbFile): Failure<typeof GET_KB_INFO> {
  const state = kbFile.state();
  const reason = state.kind === "failed" ? state.reason : REASONS[state.kind];
  const info = { fileSizeBytes: 0, contentLength: 0, isAvailable: false };
  const { description } = kbFile;
  return {
    status: "unavailable",
    info: { status: "unavailable", ...info, description, ...defined({ reason }) },
  };
}
