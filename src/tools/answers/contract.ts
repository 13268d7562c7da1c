// The shapes of kb_answer.
import * as z from "zod";
import type { Success } from "../contract.ts";
import { hiddenText, includeHidden, message, ofDocument, uncertain } from "../documents/shapes.ts";
import { bounded, oneOrMore, span, text, trimmed } from "../shapes.ts";

/** A `metadata_filter` of values; conditions have another form. */
export const plainFilter = z.record(z.string(), oneOrMore);

const citation = z.object({
  content: z.string().describe("Verbatim from the source"),
  // Local documents have these; other sources have other members.
  location: z
    .looseObject({
      type: z.string().optional(),
      document_id: z.string().optional(),
      chunk_id: z.string().optional(),
      filename: z.string().optional(),
      format: z.string().optional(),
      date: z.string().describe("Of its content, as far as known").optional(),
      strength: z.enum(["strong", "fair", "weak"]).optional(),
      superseded_by: z.string().describe("document_id of a newer version").optional(),
      page: z.number().optional(),
      slide: z.number().optional(),
      sheet: z.string().optional(),
      start: z.number().optional(),
      end: z.number().optional(),
      table: z
        .object({
          header: z.array(z.string()),
          number: z.number().optional(),
          cells: z.array(z.string()).optional(),
        })
        .describe(
          "Column names; the cells used: D4 of a sheet, R4C4 of the document's table number",
        )
        .optional(),
      ocr: z.boolean().describe("Read by OCR, so it may be misread").optional(),
      uncertain,
      quotes: z.array(span).describe("Spans of the text that the answer uses").optional(),
      span: span.describe("The words that answer, or may answer").optional(),
    })
    .describe("Its place"),
  score: z.number().nullable(),
  metadata: z.record(z.string(), z.unknown()).optional(),
  type: z.string().describe("Set when the content is not text").optional(),
  image: z.string().describe("An image as a data URL").optional(),
});

export const KB_ANSWER = {
  name: "kb_answer",
  input: z.object({
    query: text(20_000).describe("The question, in any language"),
    scope: trimmed(200).optional().describe("Only this scope and what it inherits"),
    max_results: z.int().min(1).max(100).default(4),
    metadata_filter: bounded(z.record(z.string().min(1), z.unknown()))
      .optional()
      .describe(
        'Only sources whose metadata has these values (a list: any of them), e.g. {"team": "web"}; or a Bedrock filter',
      ),
    filters: bounded(z.record(z.string().min(1), z.unknown()))
      .optional()
      .describe("As in knowledge-search; local documents only"),
    include_hidden: includeHidden,
  }),
  success: z.object({
    answer: z.string().describe("Markers like [1] refer to the citations"),
    citations: z
      .array(citation)
      .describe("Passages that support the answer; if not grounded, passages that may help"),
    related: z.array(citation).optional().describe("Further passages that the answer does not use"),
    outcome: z
      .enum(["answered", "related", "nothing"])
      .optional()
      .describe("related: no direct answer, but passages that may help"),
    grounded: z.boolean().describe("False: nothing found supports an answer"),
    probability: z.number().describe("How likely the answer is right").optional(),
    kind: z.enum(["quote", "table", "model", "bedrock"]).optional(),
    warning: z.string().optional(),
    warning_code: message.optional(),
    hidden: z.array(hiddenText.extend(ofDocument)).optional(),
    model_usage: z
      .object({
        calls: z.number(),
        prompt_tokens: z.number().optional(),
        completion_tokens: z.number().optional(),
      })
      .optional(),
  }),
  failure: z.object({
    error: z.literal(true).describe("Only in errors"),
    error_type: z.enum(["ValidationError", "AuthenticationError", "NotFoundError", "ServiceError"]),
    message: z.string(),
  }),
} as const;

export type KbAnswer = Success<typeof KB_ANSWER>;
