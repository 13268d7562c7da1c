// The steps of an add, as `current_step` shows them.
import { openPhrases } from "./phrases.ts";

export const STEPS = {
  queued: "Queued",
  reading: "Reading",
  extracting: "Extracting text",
  page: "Processing page {0} of {1}",
  slide: "Processing slide {0} of {1}",
  sheet: "Processing sheet {0} of {1}",
  embedding: "Generating embeddings",
  indexing: "Indexing",
  verifying: "Verifying",
  completed: "Completed",
  lookingForFiles: "Looking for files",
  fileDone: "Done",
  /** The step of one file among many is the last value. */
  file: "{0} of {1} files · {2} · {3}",
} as const;

export type Step = keyof typeof STEPS;

export const { describe: describeStep, read: readStep } = openPhrases<Step>(STEPS);
