// Fresh stdio processes: what the first calls of an agent cost, measured on raw lines so that no client's work is in it.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";

export interface ColdRun {
  readonly command: readonly string[];
  readonly pauseMs: number;
  /** Each is a method and its parameters, sent one after the other's response. */
  readonly calls: readonly (readonly [string, Record<string, unknown>])[];
}

export interface ColdTimes {
  /** All calls together as the client sees them, right after `initialized` and the pause. */
  readonly ms: number;
  /** What the server's log says of its tools; nothing for pings. */
  readonly toolsMs: number;
}

const INITIALIZED = '{"jsonrpc":"2.0","method":"notifications/initialized"}\n';

export async function runCold({ command, pauseMs, calls }: ColdRun): Promise<ColdTimes> {
  const [program = "", ...args] = command;
  const child = spawn(program, args, { stdio: ["pipe", "pipe", "pipe"] });
  const lines = createInterface({ input: child.stdout });
  const said: Buffer[] = [];
  child.stderr.on("data", (part: Buffer) => said.push(part));
  const waiting: ((line: string) => void)[] = [];
  lines.on("line", (line) => {
    if (line.includes('"id":')) waiting.shift()?.(line);
  });
  const ask = (id: number, method: string, params: Record<string, unknown>) => {
    const { promise, resolve } = Promise.withResolvers<string>();
    waiting.push(resolve);
    child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
    return promise;
  };
  try {
    const clientInfo = { name: "cold", version: "1.0.0" };
    await ask(0, "initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo });
    // Without a pause it travels in one packet with the first call, as quick clients send it.
    if (pauseMs > 0) {
      child.stdin.write(INITIALIZED);
      await sleep(pauseMs);
    } else {
      child.stdin.cork();
      child.stdin.write(INITIALIZED);
      setImmediate(() => child.stdin.uncork());
    }
    const started = performance.now();
    for (const [at, [method, params]] of calls.entries()) {
      const line = await ask(at + 1, method, params);
      if (line.includes('"isError":true') || line.includes('"error":{')) throw new Error(line);
    }
    const ms = performance.now() - started;
    child.stdin.end();
    await once(child, "close");
    return { ms, toolsMs: toolsIn(Buffer.concat(said).toString()) };
  } finally {
    child.stdin.end();
  }
}

function toolsIn(log: string): number {
  const taken = log.matchAll(/"event":"mcp\.call".*?"ms":([\d.]+)/g);
  return [...taken].reduce((sum, [, ms]) => sum + Number(ms), 0);
}

export const PINGS: ColdRun["calls"] = [1, 2, 3].map(() => ["ping", {}]);

export function stepsOf(id: string): ColdRun["calls"] {
  const call = (name: string, given: Record<string, unknown>) =>
    ["tools/call", { name, arguments: given }] as const;
  return [
    call("get_categories", { project_name: id }),
    call("get_keywords", { project_name: id, categories: ["git", "api"] }),
    call("get_knowledge", { scope_id: id, keywords: ["rule-0", "rule-8"] }),
  ];
}
