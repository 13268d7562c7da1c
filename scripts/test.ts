// What CI runs: build, checks, then every test project. The last line is the sum: `N passed, N failed`.
import { mkdir, readFile, rm } from "node:fs/promises";
import { join, relative } from "node:path";
import { CHECKS, run } from "./check.ts";

const root = join(import.meta.dirname, "..");
const reports = join(root, ".tmp", "test");

/** What some tests need beside npm's packages; each says what is missing where it cannot be installed. */
const PARTS = [
  ["scripts/postgres.ts", "--install"],
  ["scripts/chromium.ts"],
  ["scripts/faulty-disk.ts"],
  ["scripts/oldest-node.ts"],
] as const;

/** What is in one row shares its workers; `npm test -- unit` runs the named ones alone. */
const PROJECTS = [["unit"], ["conformance", "e2e", "browser"]] as const;
const named = process.argv.slice(2);
const chosen = named.length > 0 ? [named] : PROJECTS;

interface Report {
  readonly numPassedTests: number;
  readonly testResults: readonly TestFile[];
}

interface TestFile {
  readonly name: string;
  readonly status: string;
  readonly message: string;
  readonly assertionResults: readonly {
    readonly fullName: string;
    readonly status: string;
    readonly failureMessages: readonly string[];
  }[];
}

interface Sum {
  readonly passed: number;
  /** One line or two for each thing that failed. */
  readonly failures: readonly string[];
}

function check(name: string, command: string, args: readonly string[]): Sum {
  process.stdout.write(`\n── ${name}\n`);
  if (run(command, args)) return { passed: 1, failures: [] };
  return { passed: 0, failures: [`${name}: ${[command, ...args].join(" ")}`] };
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: colours begin with one
const COLOURS = /\u001b\[[\d;]*m/g;

/** A failure's text up to the trace: `expected 1 to be 2` alone seldom says enough. */
function firstLines(text: string): string {
  const lines = text.replace(COLOURS, "").split("\n");
  const trace = lines.findIndex((line) => /^\s+at /.test(line));
  const shown = (trace < 0 ? lines : lines.slice(0, trace)).filter((line) => line.trim() !== "");
  return shown.slice(0, 6).join("\n      ");
}

function failuresOf({ name, status, message, assertionResults }: TestFile): readonly string[] {
  const file = relative(root, name);
  const failed = assertionResults.filter((test) => test.status === "failed");
  if (status === "failed" && failed.length === 0) return [`${file}\n      ${firstLines(message)}`];
  return failed.map(
    ({ fullName, failureMessages }) =>
      `${file} > ${fullName}\n      ${firstLines(failureMessages[0] ?? "")}`,
  );
}

async function testProjects(projects: readonly string[]): Promise<Sum> {
  const name = projects.join(", ");
  process.stdout.write(`\n── ${name} tests\n`);
  const file = join(reports, `${projects.join("-")}.json`);
  const options = ["--reporter=default", "--reporter=json", `--outputFile.json=${file}`];
  const flags = projects.flatMap((project) => ["--project", project]);
  const ok = run("vitest", ["run", ...flags, "--passWithNoTests", ...options]);
  const report = await readFile(file, "utf8").then(
    (text) => JSON.parse(text) as Report,
    () => undefined,
  );
  // A file that does not load, or whose hook fails, has no failed test and is a failure all the same.
  const failures = report?.testResults.flatMap(failuresOf) ?? [];
  if (!ok && failures.length === 0) failures.push(`${name}: vitest failed outside of the tests`);
  return { passed: report?.numPassedTests ?? 0, failures };
}

await rm(reports, { recursive: true, force: true });
await mkdir(reports, { recursive: true });
run("node", ["scripts/prepare.ts"]);
// Before the tests, which would otherwise spend their time limits on it.
for (const [script, ...args] of PARTS) run("node", [script, ...args]);
const sums: Sum[] = [check("build", "node", ["scripts/build.ts"])];
for (const [name, command, ...args] of CHECKS) sums.push(check(name, command, args));
for (const projects of chosen) sums.push(await testProjects(projects));

const passed = sums.reduce((sum, each) => sum + each.passed, 0);
const failures = sums.flatMap((sum) => sum.failures);
process.exitCode = failures.length === 0 ? 0 : 1;
// Last of all: where the output is cut, its end remains.
for (const failure of failures) process.stdout.write(`\nFAILED ${failure}`);
process.stdout.write(`\n\n${passed} passed, ${failures.length} failed\n`);
