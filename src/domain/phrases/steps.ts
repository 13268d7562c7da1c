// The steps of an add, as `current_step` shows them.

export const STEPS = {
  queued: "Queued",
  reading: "Reading",
  extracting: "Extracting text",
  page: "Processing page {0} of {1}",
  slide: "Processing slide {0} of {1}",
  sheet: "Processing sheet {0} of {1}",
  embedding: "Generating embeddings",
  indexing: "Indexing",
  completed: "Completed",
  lookingForFiles: "Looking for files",
  fileDone: "Done",
  /** Followed by the step of this file. */
  file: "{0} of {1} files · {2}",
} as const;
