// Time in proportion to the text. Each function takes a few milliseconds for a run of this length; one that looks at
// every position anew takes a thousand times as long, and the limit lies between. LONG_RUNS=200000 tries longer ones.
import { spawn } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openPathGlob } from "../../src/text/patterns/glob.ts";
import { openIgnoreRules } from "../../src/text/patterns/ignore-rules.ts";
import { longRuns } from "./long-runs.ts";
import { TEXT_FUNCTIONS } from "./text-functions.ts";

const CHARACTERS = Number(process.env["LONG_RUNS"] ?? 16_000);
const IS_LONG = CHARACTERS > 16_000;
/** Of CPU time, which other programs of the machine do not use up. */
const LIMIT_MS = IS_LONG ? 10_000 : 500;
const KILL_AFTER_MS = IS_LONG ? 3_600_000 : 600_000;
const CHILD = join(import.meta.dirname, "long-runs.ts");

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

const HOSTILE = {
  "folders in folders": (times: number) => `${"**/a/".repeat(times)}b`,
  "any folder, again": (times: number) => `a/${"**/".repeat(times)}b`,
  "stars in a name": (times: number) => `${"*a".repeat(times)}*b`,
  "stars in every folder": (times: number) => `**/${"*a*/".repeat(times)}b`,
  "deep stars": (times: number) => `${"**a".repeat(times)}b`,
  "single characters and stars": (times: number) => `${"?*".repeat(times)}b`,
  "long classes": (times: number) => `${`*[${"a-z".repeat(times)}]`.repeat(times)}b`,
  "negated classes": (times: number) => `**/${"*[!b]".repeat(times)}b`,
};
const PATHS = {
  "nested folders": (times: number) => "a/".repeat(times * 6),
  "a long name": (times: number) => "a".repeat(times * 12),
  "long names in folders": (times: number) => `${"a".repeat(20)}/`.repeat(times),
};

// Every token of a pattern, of which `?` has two, is looked at once at most for every character of a path.
test.each(
  Object.entries(HOSTILE).flatMap(([name, pattern]) =>
    Object.entries(PATHS).map(([on, path]) => [name, on, pattern, path] as const),
  ),
)(
  "%s on %s take at most the pattern's length times the path's",
  (_name, _on, patternOf, pathOf) => {
    for (const times of [1, 10, 40]) {
      const [pattern, path] = [patternOf(times), `${pathOf(times)}ab`];
      const [rules, glob] = [{ count: 0 }, { count: 0 }];
      openIgnoreRules([pattern]).match(path, false, rules);
      openPathGlob(pattern)(path, glob);
      for (const { count } of [rules, glob]) {
        expect(count).toBeLessThanOrEqual(2 * (pattern.length + 3) * (path.length + 1));
      }
    }
  },
);
