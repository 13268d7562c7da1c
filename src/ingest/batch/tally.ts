// The outcomes of a folder's files: counts, and the first failures.
import type { FileFailure, FolderCounts, FolderReport } from "../../domain/task.ts";

export interface Tally {
  add(count: "added" | "unchanged" | "skipped"): void;
  fail(failure: FileFailure): void;
  counts(): FolderCounts;
  report(): FolderReport;
}

// Enough to see what is wrong, without flooding the reply if everything fails.
const MAX_FAILURES = 20;

export function openTally(found: number): Tally {
  const counts = { found, added: 0, unchanged: 0, failed: 0, skipped: 0 };
  const failures: FileFailure[] = [];
  return {
    add(count) {
      counts[count] += 1;
    },
    fail(failure) {
      counts.failed += 1;
      if (failures.length < MAX_FAILURES) failures.push(failure);
    },
    counts: () => ({ ...counts }),
    report: () => ({ ...counts, failures: [...failures] }),
  };
}
