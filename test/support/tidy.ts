import { flushCompileCache } from "node:module";
import { afterAll } from "vitest";
import { removeTempFolders } from "./temp-folder.ts";

// Registered first, so it runs last: servers have stopped by then.
afterAll(async () => {
  // A worker is killed after its file; what it compiled would be compiled again for the next.
  flushCompileCache();
  await removeTempFolders();
});
