// The program as its users start it: a process of its own, on a folder of its own.
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { PACKAGE, PROGRAM } from "./shipped.ts";
import { tempFolder } from "./temp-folder.ts";

const COMPILED = join(PACKAGE, ".tmp", "compiled");

export interface Program {
  readonly child: ChildProcessWithoutNullStreams;
  readonly folder: string;
  /** Everything written to stderr so far. */
  stderr(): string;
  /** Asks it to stop, and gives its exit code. */
  stop(): Promise<number | null>;
}

export interface ProgramOptions {
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Fills the folder that the program is started in. */
  readonly prepare?: (folder: string) => Promise<void>;
  /** Another copy of the program. */
  readonly main?: string;
  /** Another version of Node. */
  readonly node?: string;
}

/** Flags that every start needs: nothing of the machine's own configuration is used. */
export function programLine(args: readonly string[], folder: string, main = PROGRAM): string[] {
  return [main, ...args, "--data-dir", join(folder, "data")];
}

/** Compiled code is shared by all: each home folder of its own would compile everything again. */
export function programEnv(folder: string): Record<string, string> {
  return { PATH: process.env["PATH"] ?? "", HOME: folder, NODE_COMPILE_CACHE: COMPILED };
}

export async function startProgram(options: ProgramOptions): Promise<Program> {
  const { args, env = {}, prepare, main, node = process.execPath } = options;
  const folder = tempFolder("program");
  await prepare?.(folder);
  const child = spawn(node, programLine(args, folder, main), {
    ...(prepare ? { cwd: folder } : {}),
    env: { ...programEnv(folder), ...env },
    stdio: "pipe",
  });
  let stderr = "";
  child.stderr.on("data", (part) => {
    stderr += part;
  });
  // At its exit some of what it wrote may still be on the way.
  const closed = new Promise<number | null>((resolve) => child.on("close", resolve));
  return {
    child,
    folder,
    stderr: () => stderr,
    async stop() {
      child.kill("SIGTERM");
      const code = await closed;
      await rm(folder, { recursive: true, force: true });
      return code;
    },
  };
}

export async function startHttpProgram(
  options: ProgramOptions,
): Promise<Program & { url: string }> {
  const program = await startProgram({
    ...options,
    args: ["http", "--port", "0", ...options.args],
  });
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  program.child.stderr.on("data", () => {
    const url = /MCP:\s+(http:\S+)\/mcp/.exec(program.stderr())?.[1];
    if (url !== undefined) resolve(url);
  });
  program.child.once("close", () => resolve(undefined));
  const url = await promise;
  if (url !== undefined) return { ...program, url };
  await program.stop();
  throw new Error(`The server did not start:\n${program.stderr()}`);
}
