import { BaseSequencer, type TestSpecification } from "vitest/node";

/** What takes longest starts first: else the run ends with one busy worker and idle ones beside it. */
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
