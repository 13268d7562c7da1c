// For commands that are no tests but import from src/: node --import ./test/support/run-built.ts FILE
import buildFirst from "./build-first.ts";

await buildFirst();
await import("./as-built.ts");
