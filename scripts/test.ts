// What CI runs: build, checks, then every test project. The last line is the sum: `N passed, N failed`.
//
//   prepare ▶ build ▶ ┬ checks, all at once ┬ ▶ the tests that start processes ▶ sum
//                     └ unit tests          ┤         ▲ those in a browser
//   PostgreSQL, old Node ───────────────────┘         │
//             └ Chromium ─────────────────────────────┘
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { CHECKS, run, runBeside, type Step } from "./check.ts";
import { PENDING } from "./chromium.ts";

const root = join(import.meta.dirname, "..");
const reports = join(root, ".tmp", "test");

/**
 * What the tests that start processes need beside npm's packages. Installed before them, because they would spend their
 * time limits on it. apt does one thing at a time, and the compiler for the faulty disk comes with PostgreSQL.
 */
const FROM_APT = [
  ["PostgreSQL", "node", "scripts/postgres.ts", "--install"],
  ["faulty disk", "node", "scripts/faulty-disk.ts"],
] as const;
const FROM_NPM = [["oldest Node", "node", "scripts/oldest-node.ts"]] as const;
/** The largest of them: tests in a browser wait for it, the others start. */
const BROWSER = [["Chromium", "node", "scripts/chromium.ts"]] as const;

/** Projects of one row share their workers; `npm test -- unit` runs the named ones alone. */
const QUICK = ["unit"];
const PROCESSES = ["conformance", "e2e", "browser"];
const named = process.argv.slice(2);

interface Report {
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
  /** The same for what failed once and then passed. */
  readonly unstable: readonly string[];
}

async function check(step: Step): Promise<Sum> {
  if (await runBeside(step)) return { passed: 1, failures: [], unstable: [] };
  return { passed: 0, failures: [`${step.name}: ${step.line.join(" ")}`], unstable: [] };
}

/** A part that is missing fails no step: the tests that need it say so themselves. */
async function install(parts: readonly (readonly [string, string, ...string[]])[]): Promise<void> {
  for (const [name, ...line] of parts) await runBeside({ name, line });
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

interface Tested {
  readonly files: readonly TestFile[];
  readonly failures: readonly string[];
}

/** Runs all test files of the projects, or those that are named. */
async function runTests(projects: readonly string[], only: readonly string[]): Promise<Tested> {
  const name = projects.join(", ");
  process.stdout.write(`\n── ${name} tests${only.length > 0 ? ", again" : ""}\n`);
  const file = join(reports, `${projects.join("-")}${only.length > 0 ? "-again" : ""}.json`);
  const options = ["--reporter=default", "--reporter=json", `--outputFile.json=${file}`];
  const flags = projects.flatMap((project) => ["--project", project]);
  const line = ["vitest", "run", ...only, ...flags, "--passWithNoTests", ...options] as const;
  const ok = await run(line, (part) => void process.stdout.write(part));
  const files = await readFile(file, "utf8").then(
    (text) => (JSON.parse(text) as Report).testResults,
    () => [],
  );
  // A file that does not load, or whose hook fails, has no failed test and is a failure all the same.
  const failures = files.flatMap(failuresOf);
  if (!ok && failures.length === 0) failures.push(`${name}: vitest failed outside the tests`);
  return { files, failures };
}

/** If more files failed, it was not by chance. */
const MAX_AGAIN = 3;

/**
 * Files that failed are run once more, by themselves. What passes then does not fail the run, but is named at its end:
 * a test, or the program, depends on chance.
 */
async function testProjects(projects: readonly string[]): Promise<Sum> {
  const first = await runTests(projects, []);
  const failed = first.files.filter((file) => failuresOf(file).length > 0);
  const passed = countPassed(first.files);
  if (failed.length === 0 || failed.length > MAX_AGAIN) {
    return { passed, failures: first.failures, unstable: [] };
  }
  const only = failed.map(({ name }) => relative(root, name));
  const { files, failures } = await runTests(projects, only);
  return {
    passed: passed - countPassed(failed) + countPassed(files),
    failures,
    unstable: failures.length === 0 ? first.failures : [],
  };
}

function countPassed(files: readonly TestFile[]): number {
  const results = files.flatMap(({ assertionResults }) => assertionResults);
  return results.filter(({ status }) => status === "passed").length;
}

await rm(reports, { recursive: true, force: true });
await mkdir(reports, { recursive: true });
const pending = join(reports, "chromium-pending");
await writeFile(pending, "");
process.env[PENDING] = pending;
const apt = install(FROM_APT);
const parts = Promise.all([apt, install(FROM_NPM)]);
const browser = apt.then(() => install(BROWSER)).then(() => rm(pending));
await runBeside({ name: "prepare", line: ["node", "scripts/prepare.ts"] });
const build = await check({ name: "build", line: ["node", "scripts/build.ts"] });
const checks = CHECKS.map(([name, ...line]) => check({ name, line }));
const quick = named.length > 0 ? [] : [testProjects(QUICK)];
const sums = [build, ...(await Promise.all([...checks, ...quick]))];
await parts;
sums.push(await testProjects(named.length > 0 ? named : PROCESSES));
await browser;

const passed = sums.reduce((sum, each) => sum + each.passed, 0);
const failures = sums.flatMap((sum) => sum.failures);
process.exitCode = failures.length === 0 ? 0 : 1;
// Last of all: where the output is cut, its end remains.
for (const each of sums.flatMap((sum) => sum.unstable)) process.stdout.write(`\nUNSTABLE ${each}`);
for (const failure of failures) process.stdout.write(`\nFAILED ${failure}`);
process.stdout.write(`\n\n${passed} passed, ${failures.length} failed\n`);
