/** The program, and each file that runs in a worker thread or a separate process. */
export const ENTRIES: readonly string[] = [
  "src/main.ts",
  "src/extract/sandbox/child.ts",
  "src/embed/onnx/worker.ts",
  "src/store/sqlite/thread/worker.ts",
];
