// A reader's process as the server sees it: requests go in as lines of JSON, replies come out as frames.
import { type ChildProcess, spawn } from "node:child_process";
import { Socket } from "node:net";
import { fileURLToPath } from "node:url";
import type { ReadSettings } from "../reader.ts";
import { openFrames } from "./frames.ts";
import { isReply, type Job, type Reply } from "./protocol.ts";

export interface ChildOptions {
  readonly childUrl: URL;
  readonly settings: ReadSettings;
}

export interface ChildEvents {
  readonly onReply: (reply: Reply) => void;
  readonly onUnreadable: (reason: string) => void;
}

export interface Child {
  readonly pid: number;
  send(job: Job): void;
  /** Whether the child keeps the server's process running. */
  keepsAlive(does: boolean): void;
  kill(): void;
  /** Resolves when the process has exited and its pipes are closed. */
  readonly ended: Promise<ChildEnd>;
}

interface ChildEnd {
  readonly signal: string | null;
  readonly stderr: string;
  /** Why the process could not be started. */
  readonly cause?: unknown;
}

const STDERR_CHARACTERS = 4_000;
/** The largest text takes 100 MB, and its blocks less than three times that. */
const MAX_REPLY_BYTES = 400 * 1024 * 1024;

export function startChild({ childUrl, settings }: ChildOptions, events: ChildEvents): Child {
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
  const frames = openFrames({
    maxBytes: MAX_REPLY_BYTES,
    onValue: (value) =>
      isReply(value) ? events.onReply(value) : events.onUnreadable("a reply of no known kind"),
    onUnreadable: events.onUnreadable,
  });
  stdio[3]?.on("data", frames);
  // A broken pipe is reported by the end of the process.
  for (const pipe of pipes) pipe.on("error", () => {});
  const ended = endOf(child);
  // An idle child must not keep the server running.
  keepsAlive(false);
  return {
    pid: child.pid ?? 0,
    send: (job) => void child.stdin?.write(`${JSON.stringify(job)}\n`),
    keepsAlive,
    kill: () => void child.kill("SIGKILL"),
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
