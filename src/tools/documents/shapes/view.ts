// Resources that people's views read, as JSON.
import * as z from "zod";
import { warnings } from "./outcome.ts";
import { row } from "./show.ts";
import { listedTask } from "./task.ts";

const place = z.object({
  page: z.number().optional(),
  slide: z.number().optional(),
  sheet: z.string().optional(),
});

const placed = { start: z.number(), end: z.number(), place };

/** knowledge://tasks */
export const tasksView = z.object({
  tasks: z.array(listedTask),
  /** Also those that are not listed. */
  open: z.object({ queued: z.number(), running: z.number() }),
});

/** knowledge://documents/{id}/passages */
export const documentView = z.object({
  document: row.omit({ processing_status: true }).extend(warnings.shape),
  text: z.string(),
  blocks: z.array(z.object(placed)),
  passages: z.array(z.object({ id: z.string(), headings: z.array(z.string()), ...placed })),
});
