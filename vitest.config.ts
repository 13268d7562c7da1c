import { join } from "node:path";
import { defineConfig } from "vitest/config";
import { LongestFirst } from "./test/support/longest-first.ts";

const PROCESS_TESTS = "src/**/*.process.test.ts";

const shared = {
  // A loaded machine is slow, not wrong: these limits end what hangs, and are not met by what waits for its turn.
  expect: { poll: { timeout: 120_000, interval: 100 } },
  setupFiles: ["test/support/tidy.ts", "test/support/seed-properties.ts"],
  // Node reads the source as it is, where it can: a quarter of the unit tests' CPU time went into translating it.
  experimental: { viteModuleRunner: !process.features.typescript },
};

/**
 * Tests that start processes: the built program, and one PostgreSQL for all of them. Much of their time is waiting, so
 * more files run at once than the two cores of CI could compute.
 */
const started = {
  ...shared,
  maxWorkers: 5,
  // As for unit tests: what a file changes in its process, it changes back.
  isolate: false,
  sequence: { groupOrder: 1 },
  // Nothing of the tests is kept in the home folder.
  env: { NODE_COMPILE_CACHE: join(import.meta.dirname, ".tmp", "compiled") },
  globalSetup: ["test/support/build-first.ts", "test/support/one-postgres.ts"],
  testTimeout: 300_000,
  hookTimeout: 300_000,
};

// unit runs on every save: one process, no children. The other projects share their workers in one run.
export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    // PostgreSQL stops at the end.
    teardownTimeout: 120_000,
    projects: [
      {
        test: {
          ...shared,
          name: "unit",
          maxWorkers: 3,
          // Modules hold no state, so files may share them: half of the time goes into loading otherwise.
          isolate: false,
          include: ["src/**/*.test.ts", "test/*.test.ts"],
          exclude: [PROCESS_TESTS],
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          ...started,
          name: "conformance",
          include: [
            PROCESS_TESTS,
            "test/contract/**/*.test.ts",
            "test/property/**/*.test.ts",
            "test/conformance/**/*.test.ts",
          ],
        },
      },
      { test: { ...started, name: "e2e", include: ["test/e2e/**/*.test.ts"] } },
      {
        test: {
          ...started,
          name: "browser",
          include: ["test/browser/**/*.test.ts"],
          // On a new machine the browser may still be on its way.
          hookTimeout: 600_000,
        },
      },
    ],
  },
});
