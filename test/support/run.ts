// One run of the program from its start to its end, as a shell or a supervisor sees it.
import { spawn } from "node:child_process";
import { programEnv } from "./process.ts";
import { PROGRAM } from "./shipped.ts";

export interface RunOptions {
  readonly args: readonly string[];
  /** Its home and working directory. */
  readonly folder: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Another copy of the program's entry file. */
  readonly main?: string;
  /** Left open, or closed at once. */
  readonly stdin?: "open" | "closed";
  /** Sends one SIGTERM when stderr or stdout has this. */
  readonly stopAt?: RegExp;
  /** Kills it after a test failed. */
  readonly signal?: AbortSignal;
}

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export function runToEnd(options: RunOptions): Promise<Ended> {
  const { args, folder, env, main = PROGRAM, stdin = "closed", stopAt, signal } = options;
  const child = spawn(process.execPath, [main, ...args], {
    cwd: folder,
    env: { ...programEnv(folder), ...env },
    stdio: "pipe",
    killSignal: "SIGKILL",
    ...(signal ? { signal } : {}),
  });
  const seen = { stdout: "", stderr: "", isAsked: false };
  const take = (name: "stdout" | "stderr") => (part: Buffer) => {
    seen[name] += part;
    if (seen.isAsked || !stopAt?.test(seen[name])) return;
    seen.isAsked = true;
    child.kill("SIGTERM");
  };
  child.stdout.on("data", take("stdout"));
  child.stderr.on("data", take("stderr"));
  child.stdin.on("error", () => {});
  if (stdin === "closed") child.stdin.end();
  const { promise, resolve, reject } = Promise.withResolvers<Ended>();
  child.on("error", reject);
  child.on("close", (code, signal) =>
    resolve({ code, signal, stdout: seen.stdout, stderr: seen.stderr }),
  );
  return promise;
}
