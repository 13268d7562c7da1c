import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Starts the longest files first, so that the run does not end with one busy worker and idle ones. */
const LONGEST = [
  "kill-steps",
  "documents-crash",
  "documents-cli",
  "trust",
  "faulty-disk",
  "console",
  "official",
  "store-postgres-faults",
  "history",
  "maintenance",
  "documents",
  "any-json",
  "store-sqlite-crash",
  "pool.process",
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
