// What ships: the program as a package starts it. Tests that start a process start this, never the source.
import { join } from "node:path";

export const PACKAGE = join(import.meta.dirname, "..", "..");

export const PROGRAM = join(PACKAGE, "bin", "knowledge-server.js");
