// The shapes of the raw file's tools.
import * as z from "zod";

const failure = z.object({ status: z.literal("error"), error: z.string() });

const info = {
  fileSizeBytes: z.number(),
  contentLength: z.number().describe("Characters (UTF-16 code units)"),
  isAvailable: z.boolean(),
  description: z.string(),
  reason: z.string().describe("Why it is unavailable").optional(),
  lastModified: z.string().describe("ISO 8601; absent when unavailable").optional(),
};

const unavailable = z.object({
  status: z.literal("unavailable"),
  info: z.object({ status: z.enum(["available", "unavailable"]), ...info }),
});

export const GET_KB_INFO = {
  name: "get_kb_info",
  input: z.object({}),
  success: z.union([z.object({ ...unavailable.shape, status: z.literal("ok") }), unavailable]),
  // The contract has no other error: whatever is wrong, the caller asked for the file's state.
  failure: unavailable,
} as const;

export const GET_KB_CONTENT = {
  name: "get_kb_content",
  input: z.object({
    offset: z.int().min(0).optional().describe("First character; default 0"),
    length: z.int().min(1).optional().describe("Characters; default all"),
  }),
  success: z.object({
    status: z.enum(["ok", "empty"]),
    contentLength: z.number(),
    content: z.string(),
    offset: z.number().optional(),
    totalLength: z.number().optional(),
    nextOffset: z.number().optional(),
  }),
  failure,
} as const;
