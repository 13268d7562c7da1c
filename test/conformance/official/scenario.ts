// Scenarios of the official conformance suite, run against a server.
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";

export const NEXT = join(
  import.meta.dirname,
  "../../../node_modules/conformance-next/dist/index.js",
);

/**
 * The suite has time limits of its own, of 2 s and more, which a busy machine may exceed. So what fails is tried again:
 * what the server does wrong, it does wrong each time.
 */
export const TRIES = 3;

/** True when every check of one scenario passes. */
export async function passes(url: string, scenario: string, args: readonly string[] = []) {
  let outcome = await passesNow(url, scenario, args);
  for (let tries = 1; tries < TRIES && !isPassed(outcome); tries += 1)
    outcome = await passesNow(url, scenario, args);
  return outcome;
}

type Passed = Awaited<ReturnType<typeof passesNow>>;
const isPassed = (outcome: Passed) =>
  typeof outcome === "object" && outcome.passed && outcome.failed === 0;

async function passesNow(url: string, scenario: string, args: readonly string[]) {
  const line = [NEXT, "server", "--url", `${url}/mcp`, "--scenario", scenario, ...args];
  const run = promisify(execFile)(process.execPath, line, { maxBuffer: 16 * 1024 * 1024 });
  const { stdout } = await run.catch((error: { stdout: string }) => error);
  const result = /Passed: (\d+)\/(\d+), (\d+) failed/.exec(stdout);
  return result ? { passed: Number(result[1]) > 0, failed: Number(result[3]) } : stdout.slice(-800);
}

/** The result of each scenario of a revision. One run for all, because starting the suite costs more than a scenario. */
export async function outcomesOf(
  url: string,
  revision: string,
  wanted: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const best = new Map<string, string>();
  const isMissing = (name: string) => !/^[1-9]\d* passed, 0 failed$/.test(best.get(name) ?? "");
  for (let tries = 0; tries < TRIES && wanted.some(isMissing); tries += 1) {
    for (const [name, outcome] of await outcomesNow(url, revision))
      if (isMissing(name)) best.set(name, outcome);
  }
  return best;
}

async function outcomesNow(url: string, revision: string): Promise<ReadonlyMap<string, string>> {
  const line = [
    NEXT,
    "server",
    "--url",
    `${url}/mcp`,
    "--suite",
    "all",
    "--spec-version",
    revision,
  ];
  const run = promisify(execFile)(process.execPath, line, { maxBuffer: 64 * 1024 * 1024 });
  const { stdout } = await run.catch((error: { stdout: string }) => error);
  const [, summary = ""] = stdout.split("=== SUMMARY ===");
  const lines = summary.matchAll(/^[✓✗] ([\w-]+): (\d+ passed, \d+ failed)/gm);
  return new Map([...lines].map(([, name = "", outcome = ""]) => [name, outcome]));
}
