import { defineConfig } from "vitest/config";

// What starts the program starts the built one.
const globalSetup = ["test/support/build-first.ts"];

const setupFiles = ["test/support/tidy.ts"];

// A loaded machine is slow, not wrong.
const expect = { poll: { timeout: 50_000 } };

// unit is what runs on every save; the other projects start processes and take longer.
export default defineConfig({
  test: {
    maxWorkers: 2,
    projects: [
      {
        test: {
          name: "unit",
          expect,
          setupFiles: [...setupFiles, "test/support/seed-properties.ts"],
          include: ["src/**/*.test.ts", "test/*.test.ts", "test/property/**/*.test.ts"],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: "conformance",
          expect,
          globalSetup,
          setupFiles,
          include: ["test/contract/**/*.test.ts", "test/conformance/**/*.test.ts"],
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          name: "e2e",
          expect,
          globalSetup,
          setupFiles,
          include: ["test/e2e/**/*.test.ts"],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          fileParallelism: false,
        },
      },
      {
        test: {
          name: "browser",
          expect,
          globalSetup,
          setupFiles,
          include: ["test/browser/**/*.test.ts"],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          fileParallelism: false,
        },
      },
    ],
  },
});
