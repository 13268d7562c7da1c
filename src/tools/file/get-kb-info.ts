import { z } from "zod";
import type { KbFile } from "../../kbfile/kbfile.ts";
import { defineTool, type Tool } from "../tool.ts";

const output = z.object({
  status: z.enum(["ok", "unavailable"]),
  info: z.object({
    status: z.enum(["available", "unavailable"]),
    fileSizeBytes: z.number(),
    contentLength: z.number().describe("Characters (UTF-16 code units)"),
    isAvailable: z.boolean(),
    description: z.string(),
    lastModified: z.string().optional().describe("ISO 8601; absent when unavailable"),
  }),
});

export function getKbInfo(kbFile: KbFile): Tool {
  return defineTool({
    name: "get_kb_info",
    title: "Knowledge base file: info",
    family: "file",
    effect: "read",
    description:
      "Size, length, last change and availability of the raw knowledge base text file. Call it before get_kb_content to decide whether to fetch the whole text.",
    input: z.object({}),
    output,
    toError: () => unavailable(kbFile),
    run: async () => {
      const state = kbFile.state();
      const payload =
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

function unavailable({ description }: KbFile) {
  return {
    status: "unavailable",
    info: {
      status: "unavailable",
      fileSizeBytes: 0,
      contentLength: 0,
      isAvailable: false,
      description,
    },
  };
}
