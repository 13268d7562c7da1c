// Time in proportion to the text. Each function takes a few milliseconds for a run of this length; one that looks at
// every position anew takes a thousand times as long, and the limit lies between. LONG_RUNS=200000 tries longer ones.
import { spawn } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { longRuns } from "../support/long-runs.ts";
import { TEXT_FUNCTIONS } from "../support/text-functions.ts";

const CHARACTERS = Number(process.env["LONG_RUNS"] ?? 16_000);
const IS_LONG = CHARACTERS > 16_000;
/** Of CPU time, which other programs of the machine do not use up. */
const LIMIT_MS = IS_LONG ? 10_000 : 500;
const KILL_AFTER_MS = IS_LONG ? 3_600_000 : 600_000;
const CHILD = join(import.meta.dirname, "..", "support", "children", "long-runs.ts");

test(
  "every text function is linear on long runs of any class of character",
  async () => {
    const args = [CHILD, String(CHARACTERS), IS_LONG ? "all" : "some"];
    const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
    const timer = setTimeout(() => child.kill("SIGKILL"), KILL_AFTER_MS);
    let printed = "";
    for await (const part of child.stdout) printed += part;
    clearTimeout(timer);
    const lines = printed.split("\n");
    // The function named in the last line did not return.
    expect(lines.pop()).toBe("");
    const slow = lines.filter((line) => Number(line.slice(line.lastIndexOf("\t"))) > LIMIT_MS);
    expect(slow).toEqual([]);
    const runs = longRuns(CHARACTERS, IS_LONG).size;
    expect(lines).toHaveLength(runs * Object.keys(TEXT_FUNCTIONS).length);
  },
  KILL_AFTER_MS + 20_000,
);
