// The list of checks before the tests: `npm run check` runs them, and so does `npm test`.
import { spawnSync } from "node:child_process";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");

export const CHECKS = [
  ["lint", "biome", "check", "--error-on-warnings", "."],
  ["types", "tsc", "--noEmit"],
  ["types of the console", "tsc", "-p", "src/console/pages"],
  ["unused", "knip"],
  ["supply chain", "node", "scripts/supply-chain.ts"],
] as const;

/** Whether it ended well; programs of the packages are found by their names. */
export function run(command: string, args: readonly string[]): boolean {
  const path = join(root, "node_modules", ".bin");
  const { status } = spawnSync(command, args, {
    cwd: root,
    stdio: ["ignore", "inherit", "inherit"],
    env: { ...process.env, PATH: `${path}:${process.env["PATH"]}` },
  });
  return status === 0;
}

if (import.meta.main) {
  const failed = CHECKS.filter(([, command, ...args]) => !run(command, args));
  for (const [name] of failed) process.stderr.write(`The check "${name}" failed.\n`);
  process.exitCode = failed.length === 0 ? 0 : 1;
}
