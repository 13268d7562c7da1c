import { afterAll } from "vitest";
import { removeTempFolders } from "./temp-folder.ts";

// Registered first, so it runs last: servers have stopped by then.
afterAll(removeTempFolders);
