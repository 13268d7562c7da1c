// The program that ships, on a data folder: run as a command, or as a server over stdio.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { PROGRAM } from "../../test/support/shipped.ts";

export interface Start {
  readonly dataDir: string;
  /** What may be added. */
  readonly files: string;
  /** Puts a faulty disk below the program; absent for a healthy one. */
  readonly env?: Readonly<Record<string, string>>;
  /** A module that runs before the program. */
  readonly preload?: URL;
}

/** `silent`: it neither responded nor ended, and was killed. */
export type Ending = { readonly code: number } | "killed" | "silent";

export interface Ran {
  readonly end: Ending;
  readonly stderr: string;
}

export type Payload = Readonly<Record<string, unknown>>;

export interface Server {
  /** The ending, if there is no response. */
  call(tool: string, args: object): Promise<Payload | Ending>;
  /** As a client ends it, by closing stdin. */
  end(): Promise<Ending>;
}

// After this, the caller counts as left without a response.
const ANSWER_WITHIN_MS = 120_000;

export async function runCommand(args: readonly string[], start: Start): Promise<Ran> {
  const { child, ended, stderr } = startProgram(args, start);
  child.stdin?.end();
  const end = await ended();
  return { end, stderr: stderr() };
}

export function startServer(start: Start): Server {
  const { child, ended } = startProgram([], start);
  const waiting = new Map<number, (payload: Payload) => void>();
  createInterface({ input: child.stdout as NodeJS.ReadableStream }).on("line", (line) => {
    const { id, result } = JSON.parse(line) as Reply;
    const [content] = result?.content ?? [];
    if (content) waiting.get(id)?.(JSON.parse(content.text) as Payload);
  });
  const send = (message: object) =>
    child.stdin?.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  const clientInfo = { name: "faults", version: "1.0.0" };
  const hello = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo };
  send({ id: 0, method: "initialize", params: hello });
  send({ method: "notifications/initialized" });
  let lastId = 0;
  return {
    call(name, args) {
      const id = ++lastId;
      const { promise, resolve } = Promise.withResolvers<Payload>();
      waiting.set(id, resolve);
      send({ id, method: "tools/call", params: { name, arguments: args } });
      const answered = new AbortController();
      promise.then(() => answered.abort());
      return Promise.race([promise, ended(answered.signal)]);
    },
    end() {
      child.stdin?.end();
      return ended();
    },
  };
}

interface Reply {
  readonly id: number;
  readonly result?: { readonly content?: readonly { readonly text: string }[] };
}

function startProgram(args: readonly string[], { dataDir, files, env, preload }: Start) {
  const before = preload ? ["--import", preload.href] : [];
  const level = preload ? "debug" : "error";
  // A socket is not a file that could be lost.
  const share = ["--share", "off"];
  const flags = ["--data-dir", dataDir, "--root", files, "--log-level", level, ...share];
  const child = spawn(process.execPath, [...before, PROGRAM, ...args, ...flags], {
    cwd: files,
    stdio: ["pipe", "pipe", "pipe"],
    env: { ...process.env, ...env },
  });
  const closed = once(child, "close");
  // Writing to a killed process is no error here: its end is reported.
  child.stdin?.on("error", () => {});
  child.stdout?.resume();
  let stderr = "";
  child.stderr?.on("data", (part) => {
    stderr = (stderr + part).slice(-2_000);
  });
  return {
    child,
    stderr: () => stderr,
    ended: (until?: AbortSignal) => endOf(child, closed, until),
  };
}

async function endOf(
  child: ChildProcess,
  closed: Promise<unknown[]>,
  until?: AbortSignal,
): Promise<Ending> {
  const state = { isLate: false };
  const timer = setTimeout(() => {
    state.isLate = true;
    child.kill("SIGKILL");
  }, ANSWER_WITHIN_MS);
  const stopped = () => clearTimeout(timer);
  until?.addEventListener("abort", stopped, { once: true });
  const [code] = await closed;
  stopped();
  if (code !== null) return { code: Number(code) };
  return state.isLate ? "silent" : "killed";
}
