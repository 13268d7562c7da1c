// The processes of a history: started, asked, killed, paused and replaced.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { Answer, Line, Request } from "./member.ts";

export interface Place {
  readonly kind: "sqlite" | "postgres";
  /** A data folder, or a database's URL. */
  readonly at: string;
  readonly files: string;
}

export type Reply =
  | { readonly kind: "answer"; readonly answer: Answer }
  | { readonly kind: "failed"; readonly code: string }
  | { readonly kind: "dead" };

export interface Member {
  readonly name: string;
  readonly busy: number;
  readonly isPaused: boolean;
  ask(request: Request, onQueued?: (task: string) => void): Promise<Reply>;
  kill(): Promise<void>;
  pause(): void;
  resume(): void;
}

interface Open {
  readonly resolve: (reply: Reply) => void;
  readonly onQueued: (task: string) => void;
}

const PROGRAM = fileURLToPath(new URL("member.ts", import.meta.url));
const CACHE = fileURLToPath(new URL("../../.tmp/compiled", import.meta.url));

/** Resolves when it can be asked. */
export async function startMember(name: string, place: Place): Promise<Member> {
  const child: ChildProcess = spawn(
    process.execPath,
    [PROGRAM, place.kind, place.at, place.files],
    {
      stdio: ["pipe", "pipe", "inherit"],
      env: { ...process.env, NODE_COMPILE_CACHE: CACHE },
    },
  );
  const closed = once(child, "close");
  const open = new Map<number, Open>();
  const state = { lastId: 0, isDead: false, isPaused: false };
  const ready = Promise.withResolvers<Reply>();
  open.set(0, { resolve: ready.resolve, onQueued: () => {} });
  // All its output from before its death has been read by then.
  closed.then(() => {
    state.isDead = true;
    for (const { resolve } of open.values()) resolve({ kind: "dead" });
    open.clear();
  });
  createInterface({ input: child.stdout as NodeJS.ReadableStream }).on("line", (text) => {
    const line = JSON.parse(text) as Line;
    const asked = open.get(line.id);
    if ("queued" in line) return asked?.onQueued(line.queued);
    open.delete(line.id);
    asked?.resolve(toReply(line));
  });
  const first = await ready.promise;
  if (first.kind !== "answer") {
    const [code, signal] = await closed;
    throw new Error(`${name} ended before it could be asked (exit code ${code}, signal ${signal})`);
  }
  return {
    name,
    get busy() {
      return open.size;
    },
    get isPaused() {
      return state.isPaused;
    },
    ask(request, onQueued = () => {}) {
      if (state.isDead) return Promise.resolve({ kind: "dead" });
      const id = ++state.lastId;
      const { promise, resolve } = Promise.withResolvers<Reply>();
      open.set(id, { resolve, onQueued });
      child.stdin?.write(`${JSON.stringify({ id, ...request })}\n`);
      return promise;
    },
    async kill() {
      child.stdin?.on("error", () => {});
      child.kill("SIGKILL");
      await closed;
    },
    pause() {
      state.isPaused = child.kill("SIGSTOP");
    },
    resume() {
      child.kill("SIGCONT");
      state.isPaused = false;
    },
  };
}

function toReply(line: Exclude<Line, { queued: string }>): Reply {
  return "failed" in line
    ? { kind: "failed", code: line.failed }
    : { kind: "answer", answer: line.answer };
}
