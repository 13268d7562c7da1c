import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Starts the longest files first, so that the run does not end with one busy worker and idle ones. */
const LONGEST = [
  "store-postgres-faults",
  "pool.process",
  "browser/console",
  "documents-cli",
  "packed",
  "installed",
  "sights",
  "source-steps",
  "browser/scopes",
  "first-hour",
  "any-json",
  "history",
  "e2e/sources",
  "source-kinds",
  "places",
  "viewer",
  "terminal",
  "start-stop",
  "trust",
  "kill-steps",
  "data-folder",
  "documents-crash",
  "official",
  "extract-ocr",
  "short-limits",
  "faulty-disk",
  "outages",
  "migrations-postgres",
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
