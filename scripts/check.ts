// The list of checks before the tests: `npm run check` runs them, and so does `npm test`.
import { spawn } from "node:child_process";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");

export const CHECKS = [
  ["lint", "biome", "check", "--error-on-warnings", "."],
  ["types", "tsc", "--noEmit"],
  ["types of the console", "tsc", "-p", "src/console/pages"],
  ["unused", "knip"],
  ["supply chain", "node", "scripts/supply-chain.ts"],
] as const;

export interface Step {
  readonly name: string;
  readonly line: readonly [command: string, ...args: string[]];
}

/** Runs it to its end and says whether that was a good one. Programs of the packages are found by their names. */
export function run([command, ...args]: Step["line"], print: (part: Buffer) => void) {
  const path = join(root, "node_modules", ".bin");
  const child = spawn(command, args, {
    cwd: root,
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, PATH: `${path}:${process.env["PATH"]}` },
  });
  child.stdout.on("data", print);
  child.stderr.on("data", print);
  const { promise, resolve } = Promise.withResolvers<boolean>();
  child.on("error", () => resolve(false));
  child.on("close", (code) => resolve(code === 0));
  return promise;
}

/** For steps that run side by side: what each prints appears in one piece, when it has ended. */
export async function runBeside({ name, line }: Step): Promise<boolean> {
  const started = performance.now();
  const parts: Buffer[] = [];
  const isOk = await run(line, (part) => parts.push(part));
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  const printed = Buffer.concat(parts).toString().trimEnd();
  process.stdout.write(`\n── ${name}: ${isOk ? "passed" : "FAILED"}, ${seconds} s\n`);
  if (printed !== "") process.stdout.write(`${printed}\n`);
  return isOk;
}

if (import.meta.main) {
  const results = await Promise.all(CHECKS.map(([name, ...line]) => runBeside({ name, line })));
  process.exitCode = results.every(Boolean) ? 0 : 1;
}
