// What an add is doing, by name. `current_step` says it in these words; who shows another language reads the name
// back from them.

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

export function describeStep(step: Step, ...values: readonly (string | number)[]): string {
  return STEPS[step].replace(/\{(\d)\}/g, (_, index) => String(values[Number(index)] ?? ""));
}

export interface NamedStep {
  readonly step: Step;
  readonly values: readonly string[];
}

/** Undefined for words that are in no step: another version may have written them. */
export function readStep(words: string): NamedStep | undefined {
  for (const { step, pattern } of PATTERNS) {
    const match = pattern.exec(words);
    if (match) return { step, values: match.slice(1) };
  }
  return undefined;
}

const PATTERNS = (Object.keys(STEPS) as Step[]).map((step) => {
  const parts = STEPS[step].split(/\{\d\}/);
  return { step, pattern: new RegExp(`^${parts.join("(.+)")}$`, "s") };
});
