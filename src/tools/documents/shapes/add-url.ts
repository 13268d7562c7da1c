import * as z from "zod";
import { addInput } from "./add.ts";

export const addUrlInput = z.object({
  url: z
    .string()
    .trim()
    .min(1, "must not be empty")
    .max(2_048, "must have at most 2048 characters")
    .describe("Address of a public page or file: https://…"),
  refresh: z
    .boolean()
    .default(false)
    .describe(
      "Fetch a page again even if it was added before; a changed page replaces its document",
    ),
  metadata: addInput.shape.metadata,
  async: addInput.shape.async,
});
