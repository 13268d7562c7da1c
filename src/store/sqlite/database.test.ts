import { expect, test } from "vitest";
import { openDatabase } from "./database.ts";

// Under /proc a folder can't be made although its parent is there; on other systems it has no parent either.
test.each(["/proc/nowhere/data", "/dev/null/data"])(
  "a data folder that cannot be created is reported: %s",
  (dataDir) => {
    expect(() => openDatabase(dataDir)).toThrow(/data folder could not be read or written/);
  },
);
