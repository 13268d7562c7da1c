// Runs one operation with the program that ships, and records what it acknowledged.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { exitCode } from "../../src/cli/exit-code.ts";
import {
  backupOf,
  dataDirOf,
  newDirOf,
  type Operation,
  type Place,
  restoredDirOf,
  sourceBackupOf,
  textOf,
} from "./operations.ts";
import { type Ending, type Payload, runCommand, type Server, startServer } from "./program.ts";

type Fact =
  | { readonly kind: "queued"; readonly task: string }
  | { readonly kind: "done" }
  | { readonly kind: "failed"; readonly code: string; readonly message: string };

/** `calls`: the number of disk calls by then. */
export type Said = Fact & { readonly calls: number };

export interface Outcome {
  readonly said: readonly Said[];
  readonly end: "answered" | "killed" | "silent";
}

export interface Disk extends Place {
  readonly env?: Readonly<Record<string, string>>;
  counts(): { readonly calls: number; readonly fired: number };
}

const UNAVAILABLE = exitCode("STORE_UNAVAILABLE");
// On a disk that keeps failing, a server would retry forever.
const TRY_FOR_MS = 3_000;
const POLL_MS = 20;

export async function operate(operation: Operation, disk: Disk): Promise<Outcome> {
  const said: Said[] = [];
  const say = (fact: Fact) => void said.push({ ...fact, calls: disk.counts().calls });
  const end =
    operation in AS_SERVER
      ? await serve(operation as keyof typeof AS_SERVER, disk, say)
      : await command(operation as keyof typeof COMMANDS, disk, say);
  return { said, end };
}

type Say = (fact: Fact) => void;

const COMMANDS = {
  add: (place: Place) => ["add", write(place, "fir.txt", textOf("fir"))],
  first: (place: Place) => ["add", write(place, "fir.txt", textOf("fir"))],
  replace: (place: Place) => ["add", write(place, "apple.txt", textOf("apple", 2))],
  remove: () => ["remove", "birch.txt", "--yes"],
  clear: () => ["clear", "--yes"],
  backup: (place: Place) => ["backup", backupOf(place)],
  restore: (place: Place) => ["restore", sourceBackupOf(place)],
} as const;

async function command(
  operation: keyof typeof COMMANDS,
  disk: Disk,
  say: Say,
): Promise<Outcome["end"]> {
  const dirs = { first: newDirOf(disk), restore: restoredDirOf(disk) };
  const dataDir = operation in dirs ? dirs[operation as keyof typeof dirs] : dataDirOf(disk);
  const { end, stderr } = await runCommand(COMMANDS[operation](disk), { ...disk, dataDir });
  if (end === "killed" || end === "silent") return end;
  if (end.code === 0) say({ kind: "done" });
  else {
    const code = end.code === UNAVAILABLE ? "store_unavailable" : `exit code ${end.code}`;
    say({ kind: "failed", code, message: stderr });
  }
  return "answered";
}

/** The server ended instead of responding. */
class Ended extends Error {
  readonly end: Ending;
  constructor(end: Ending) {
    super("the server ended");
    this.end = end;
  }
}

type Ask = (tool: string, args: object) => Promise<Payload>;

const AS_SERVER = {
  async enqueue(ask: Ask, disk: Disk, say: Say) {
    const file_path = write(disk, "fir.txt", textOf("fir"));
    const { task_id, ...payload } = await ask("knowledge-add", { file_path });
    if (task_id === undefined) return payload;
    say({ kind: "queued", task: String(task_id) });
    return {};
  },
  rule: (ask: Ask) => putRule(ask, "rule 2"),
  async work(ask: Ask, disk: Disk) {
    for (let until = Number.POSITIVE_INFINITY; performance.now() < until; await sleep(POLL_MS)) {
      if (await isIdle(ask)) return {};
      if (disk.counts().fired > 0) until = Math.min(until, performance.now() + TRY_FOR_MS);
    }
    return { error: "store_unavailable", message: "The waiting task is still open." };
  },
} as const;

async function serve(
  operation: keyof typeof AS_SERVER,
  disk: Disk,
  say: Say,
): Promise<Outcome["end"]> {
  const server = startServer({ ...disk, dataDir: dataDirOf(disk) });
  try {
    const payload: Payload = await AS_SERVER[operation](askOf(server), disk, say);
    const { error, message } = payload;
    if (error === undefined) say({ kind: "done" });
    else say({ kind: "failed", code: String(error), message: String(message) });
    await server.end();
    return "answered";
  } catch (thrown) {
    if (!(thrown instanceof Ended)) throw thrown;
    if (typeof thrown.end === "string") return thrown.end;
    const { code } = thrown.end;
    const reason = code === UNAVAILABLE ? "store_unavailable" : `exit code ${code}`;
    say({ kind: "failed", code: reason, message: "The server ended." });
    return "answered";
  }
}

export function askOf(server: Server): Ask {
  return async (tool, args) => {
    const answer = await server.call(tool, args);
    if (typeof answer === "string" || "code" in answer) throw new Ended(answer as Ending);
    return answer;
  };
}

export async function isIdle(ask: Ask): Promise<boolean> {
  const { success, tasks } = await ask("knowledge-status", {});
  const { queued = 0, running = 0 } = (tasks ?? {}) as { queued?: number; running?: number };
  return success === true && queued + running === 0;
}

/** Creates the scope first, if it does not exist yet. */
export async function putRule(ask: Ask, content: string): Promise<Payload> {
  const scope = await ask("knowledge-scope-put", { scope_id: "team", tier: "GENERAL" });
  if (scope["success"] !== true) return scope;
  const where = { scope_id: "team", category: "style", keyword: "tabs" };
  return ask("knowledge-entry-put", { ...where, content });
}

export function write({ files }: Place, name: string, text: string): string {
  const path = join(files, name);
  writeFileSync(path, text);
  return path;
}
