import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Starts the longest files first, so that the run does not end with one busy worker and idle ones. */
const LONGEST = [
  "store-postgres-faults",
  "documents-cli",
  "console",
  "faulty-disk",
  "packed",
  "kill-steps",
  "real-errors",
  "extract-ocr",
  "official",
  "trust",
  "installed",
  "pool.process",
  "transports",
  "maintenance",
  "history",
  "official-clients",
  "ingest",
  "short-limits",
  "any-json",
  "documents-crash",
  "data-folder",
  "exit-codes",
  "viewer",
];

const placeOf = ({ moduleId }: TestSpecification) => {
  const at = LONGEST.findIndex((name) => moduleId.endsWith(`/${name}.test.ts`));
  return at < 0 ? LONGEST.length : at;
};

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).toSorted((a, b) => placeOf(a) - placeOf(b));
  }
}
