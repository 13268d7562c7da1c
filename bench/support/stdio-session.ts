// A client of a stdio server that is started anew: the barest one, so that what is measured is the server.
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";

export interface Session {
  readonly pid: number;
  /** Rejects where the server refuses, or ends. */
  call(method: string, params: object): Promise<unknown>;
  tool(name: string, args: object): Promise<unknown>;
  end(): Promise<void>;
}

export interface Program {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

interface Reply {
  readonly id?: number;
  readonly result?: { readonly isError?: boolean };
  readonly error?: { readonly message: string };
}

export async function openStdio({ args, env }: Program): Promise<Session> {
  const child = spawn(process.execPath, args, { env, stdio: ["pipe", "pipe", "ignore"] });
  const closed = new Promise<void>((done) => child.once("close", () => done()));
  const waiting = new Map<number, (reply: Reply) => void>();
  createInterface({ input: child.stdout }).on("line", (line) => {
    const reply = JSON.parse(line) as Reply;
    if (reply.id !== undefined) waiting.get(reply.id)?.(reply);
  });
  const send = (message: object) =>
    child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  const state = { id: 0 };
  const call = (method: string, params: object) =>
    new Promise<unknown>((resolve, reject) => {
      const id = ++state.id;
      void closed.then(() => reject(new Error(`${args.join(" ")} ended during ${method}`)));
      waiting.set(id, ({ result, error }) => {
        if (error) reject(new Error(error.message));
        else if (result?.isError) reject(new Error(JSON.stringify(result)));
        else resolve(result);
      });
      send({ id, method, params });
    });
  const clientInfo = { name: "bench", version: "1" };
  await call("initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo });
  send({ method: "notifications/initialized" });
  return {
    pid: child.pid ?? 0,
    call,
    tool: (name, given) => call("tools/call", { name, arguments: given }),
    async end() {
      child.stdin.end();
      // Not every server ends with its input.
      const late = setTimeout(() => child.kill("SIGTERM"), 2_000);
      await closed;
      clearTimeout(late);
    },
  };
}

/** Proportional, in MB: a page that ten processes share counts a tenth in each. */
export function memoryOf(pid: number): number {
  const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, "utf8");
  return Number(/^Pss:\s+(\d+)/m.exec(rollup)?.[1]) / 1024;
}
