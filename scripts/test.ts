// What CI runs: build, checks, then every test project. The last line is the sum: `N passed, N failed`.
import { spawnSync } from "node:child_process";
import { mkdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");
const reports = join(root, ".tmp", "test");

const CHECKS = [
  ["lint", "biome", "check", "."],
  ["types", "tsc", "--noEmit"],
  ["types of the console", "tsc", "-p", "src/console/pages"],
  ["unused", "knip"],
  ["supply chain", "node", "scripts/supply-chain.ts"],
] as const;

/** What some tests need beside npm's packages; each says what is missing where it cannot be installed. */
const PARTS = [
  ["scripts/postgres.ts", "--install"],
  ["scripts/chromium.ts"],
  ["scripts/faulty-disk.ts"],
] as const;

/** From the quickest to the slowest; `npm test -- unit` runs the named ones alone. */
const PROJECTS = ["unit", "conformance", "e2e", "browser"];
const chosen = process.argv.length > 2 ? process.argv.slice(2) : PROJECTS;

interface Report {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly testResults: readonly {
    readonly status: string;
    readonly assertionResults: readonly unknown[];
  }[];
}

interface Sum {
  readonly passed: number;
  readonly failed: number;
}

function run(command: string, args: readonly string[]): boolean {
  const path = join(root, "node_modules", ".bin");
  const { status } = spawnSync(command, args, {
    cwd: root,
    stdio: ["ignore", "inherit", "inherit"],
    env: { ...process.env, PATH: `${path}:${process.env["PATH"]}` },
  });
  return status === 0;
}

function check(name: string, command: string, args: readonly string[]): Sum {
  process.stdout.write(`\n── ${name}\n`);
  return run(command, args) ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
}

async function testProject(project: string): Promise<Sum> {
  process.stdout.write(`\n── ${project} tests\n`);
  const file = join(reports, `${project}.json`);
  const options = ["--reporter=default", "--reporter=json", `--outputFile.json=${file}`];
  const ok = run("vitest", ["run", "--project", project, "--passWithNoTests", ...options]);
  const report = await readFile(file, "utf8").then(
    (text) => JSON.parse(text) as Report,
    () => undefined,
  );
  const passed = report?.numPassedTests ?? 0;
  // A file that does not load has no test that could fail.
  const broken = report?.testResults.filter(
    ({ status, assertionResults }) => status === "failed" && assertionResults.length === 0,
  );
  const failed = (report?.numFailedTests ?? 0) + (broken?.length ?? 0);
  return { passed, failed: ok ? failed : Math.max(1, failed) };
}

await rm(reports, { recursive: true, force: true });
await mkdir(reports, { recursive: true });
run("node", ["scripts/prepare.ts"]);
// Before the tests, which would otherwise spend their time limits on it.
for (const [script, ...args] of PARTS) run("node", [script, ...args]);
const sums: Sum[] = [check("build", "node", ["scripts/build.ts"])];
for (const [name, command, ...args] of CHECKS) sums.push(check(name, command, args));
for (const project of chosen) sums.push(await testProject(project));

const passed = sums.reduce((sum, each) => sum + each.passed, 0);
const failed = sums.reduce((sum, each) => sum + each.failed, 0);
process.exitCode = failed === 0 ? 0 : 1;
process.stdout.write(`\n${passed} passed, ${failed} failed\n`);
