import { expect, test } from "vitest";
import { openDatabase } from "./database.ts";

// Under /proc a folder cannot be created although its parent exists; on other systems the parent does not exist either.
test.each(["/proc/nowhere/data", "/dev/null/data"])(
  "a data folder that cannot be created is reported: %s",
  (dataDir) => {
    expect(() => openDatabase(dataDir)).toThrow(/data folder could not be read or written/);
  },
);
