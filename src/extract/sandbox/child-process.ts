// A reader's process as the server sees it.
import { type ChildProcess, spawn } from "node:child_process";
import { Socket } from "node:net";
import { fileURLToPath } from "node:url";
import type { ReadSettings } from "../reader.ts";
import { type Job, openReplies, type ReplyEvents } from "./protocol.ts";

export interface ChildOptions {
  readonly childUrl: URL;
  readonly settings: ReadSettings;
}

interface ChildEnd {
  readonly signal: string | null;
  readonly stderr: string;
  /** Why the process could not be started. */
  readonly cause?: unknown;
}

const STDERR_CHARACTERS = 4_000;

export function startChild({ childUrl, settings }: ChildOptions, events: ReplyEvents) {
  const args = [
    `--max-old-space-size=${settings.limits.childHeapMb}`,
    // A small heap would come with a small young generation, which costs a fifth of the time.
    "--max-semi-space-size=32",
    fileURLToPath(childUrl),
    JSON.stringify(settings),
  ];
  const child = spawn(process.execPath, args, {
    env: {},
    stdio: ["pipe", "ignore", "pipe", "pipe"],
  });
  // Missing if the system is out of processes or file descriptors.
  const stdio = child.stdio ?? [];
  const pipes = stdio.filter((pipe) => pipe instanceof Socket);
  const keepsAlive = (does: boolean) => {
    for (const each of [child, ...pipes]) each[does ? "ref" : "unref"]();
  };
  stdio[3]?.on("data", openReplies(events));
  // A broken pipe is reported by the end of the process.
  for (const pipe of pipes) pipe.on("error", () => {});
  const ended = endOf(child);
  // An idle child must not keep the server running.
  keepsAlive(false);
  return {
    pid: child.pid ?? 0,
    send: (job: Job) => void child.stdin?.write(`${JSON.stringify(job)}\n`),
    /** Whether the child keeps the server's process running. */
    keepsAlive,
    kill: () => void child.kill("SIGKILL"),
    /** Resolves when the process has exited and its pipes are closed. */
    ended,
  };
}

function endOf(child: ChildProcess): Promise<ChildEnd> {
  const { promise, resolve } = Promise.withResolvers<ChildEnd>();
  const said = { text: "" };
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    said.text = (said.text + text).slice(-STDERR_CHARACTERS);
  });
  // If the process did not start, there is no close event.
  child.once("error", (cause) => {
    if (child.pid === undefined) resolve({ signal: null, stderr: "", cause });
  });
  child.once("close", (_code, signal) => resolve({ signal, stderr: said.text }));
  return promise;
}
