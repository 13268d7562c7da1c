// SIGTERM in every state that a server can be in: how long it takes to end.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import postgres from "postgres";
import { buildFaultyDisk } from "../../scripts/faulty-disk.ts";
import { PROGRAM } from "../../test/support/shipped.ts";
import { tempFolder } from "../../test/support/temp-folder.ts";
import { openDiskControl } from "../faults/disk-control.ts";
import { callTool } from "../fuzz/load.ts";

/** What supervisors wait before they kill. */
export const DEADLINE_MS = 30_000;
const HOUR_MS = 3_600_000;

export interface Ending {
  readonly state: string;
  readonly ms: number;
  readonly end: string;
}

interface Stage {
  readonly folder: string;
  readonly root: string;
  /** The URL of a database, for states that need one. */
  readonly database: string;
  start(args: readonly string[], env?: Readonly<Record<string, string>>): ChildProcess;
  serve(more?: readonly string[], env?: Readonly<Record<string, string>>): Promise<Served>;
}

interface Served {
  readonly child: ChildProcess;
  readonly url: string;
  /** Without waiting for its response. */
  add(name: string, text?: string): Promise<unknown>;
}

/** Brings a process into a state; `undo` runs after it has ended. */
type State = (stage: Stage) => Promise<{ readonly child: ChildProcess; undo?(): unknown }>;

export const STATES: Readonly<Record<string, State>> = {
  idle: ({ serve }) => serve(),
  "at any moment of its start": async ({ start, folder, root }) => {
    const child = start(["http", "--port", "0", ...placed({ folder, root })]);
    await sleep(Math.random() * 1_500);
    return { child };
  },
  "with a queue of 300 files": async ({ serve }) => {
    const server = await serve();
    const adds = Array.from({ length: 300 }, (_, n) => server.add(`note-${n}.txt`));
    await Promise.all(adds);
    return server;
  },
  "with a disk that hangs": async ({ serve, folder }) => {
    const control = openDiskControl(join(folder, "control"));
    const server = await serve([], {
      LD_PRELOAD: buildFaultyDisk() ?? "",
      FAULTY_DISK_FOLDER: join(folder, "data"),
      FAULTY_DISK_CONTROL: control.path,
    });
    await server.add("first.txt");
    control.arm({ fault: "delay", at: 1, sticky: true, delayMs: HOUR_MS });
    for (let n = 0; n < 6; n++) void server.add(`note-${n}.txt`);
    await sleep(1_000);
    return server;
  },
  "with a database that another process has locked": async ({ serve, folder }) => {
    const server = await serve();
    await server.add("first.txt");
    const other = new DatabaseSync(join(folder, "data", "knowledge.db"));
    other.exec("BEGIN IMMEDIATE");
    for (let n = 0; n < 6; n++) void server.add(`note-${n}.txt`);
    await sleep(500);
    return { ...server, undo: () => other.close() };
  },
  "at its start, with a database that another process has locked": async ({
    start,
    serve,
    folder,
    root,
  }) => {
    const first = await serve();
    await first.add("first.txt");
    await ended(first.child, "SIGKILL");
    const other = new DatabaseSync(join(folder, "data", "knowledge.db"));
    other.exec("BEGIN IMMEDIATE");
    const child = start(["http", "--port", "0", ...placed({ folder, root })]);
    await sleep(1_500);
    return { child, undo: () => other.close() };
  },
  "with readers that are stopped": async ({ serve }) => {
    const server = await serve();
    const text = `<html><body>${"<p>A page about ships.</p>".repeat(200_000)}</body></html>`;
    for (let n = 0; n < 4; n++) void server.add(`page-${n}.html`, text);
    await sleep(700);
    const children = childrenOf(server.child.pid ?? 0).filter(hasStarted);
    for (const pid of children) process.kill(pid, "SIGSTOP");
    await sleep(300);
    return { ...server, undo: () => children.forEach(killQuietly) };
  },
  "with clients that send and read nothing": async ({ serve }) => {
    const server = await serve();
    const { port } = new URL(server.url);
    const head =
      "HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\naccept: application/json, text/event-stream\r\n";
    const starts = [
      "",
      "POST /mcp HTTP/1.1\r\nho",
      `POST /mcp ${head}content-length: 1000\r\n\r\n{"json`,
      `POST /api/upload?filename=a.txt ${head}content-length: 100000\r\n\r\nabc`,
      `GET /mcp ${head}upgrade: websocket\r\nconnection: upgrade\r\nsec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`,
    ];
    const sockets = Array.from({ length: 50 }, (_, n) => {
      const socket = connect(Number(port), "127.0.0.1");
      socket.on("error", () => {});
      socket.pause();
      socket.write(starts[n % starts.length] ?? "");
      return socket;
    });
    await sleep(500);
    return { ...server, undo: () => sockets.forEach((each) => void each.destroy()) };
  },
  "with a client of its search socket that never reads": async ({ serve, folder }) => {
    const server = await serve();
    await server.add("first.txt");
    const sockets = Array.from({ length: 80 }, () => connect(join(folder, "data", "search.sock")));
    for (const each of sockets) each.on("error", () => {}).pause();
    await sleep(300);
    return { ...server, undo: () => sockets.forEach((each) => void each.destroy()) };
  },
  "while PostgreSQL hangs": async ({ serve, database, root }) => {
    const server = await serve(["--database-url", database]);
    await server.add("first.txt");
    const paused = await pausePostgres(database);
    for (let n = 0; n < 6; n++) void server.add(`note-${n}.txt`);
    writeFileSync(join(root, "late.txt"), "Late.");
    await sleep(500);
    return { ...server, undo: paused };
  },
  "at its start, while PostgreSQL hangs": async ({ start, database, folder, root }) => {
    const paused = await pausePostgres(database);
    const child = start([
      "http",
      "--port",
      "0",
      ...placed({ folder, root }),
      "--database-url",
      database,
    ]);
    await sleep(2_000);
    return { child, undo: paused };
  },
  "a worker, while PostgreSQL hangs": async ({ start, database, folder }) => {
    const child = start(["worker", "--data-dir", join(folder, "data"), "--database-url", database]);
    await sleep(2_000);
    return { child, undo: await pausePostgres(database) };
  },
  "while another server migrates": async ({ start, database, folder, root }) => {
    const sql = postgres(database, { max: 1, fetch_types: false, onnotice: () => {} });
    await sql.unsafe(
      "DROP SCHEMA IF EXISTS knowledge CASCADE; SELECT pg_advisory_lock(7203451902)",
    );
    const child = start([
      "http",
      "--port",
      "0",
      ...placed({ folder, root }),
      "--database-url",
      database,
    ]);
    await sleep(2_000);
    return { child, undo: () => sql.end({ timeout: 1 }) };
  },
};

export async function stopIn(state: string, database: string): Promise<Ending> {
  const stage = openStage(database);
  const enter = STATES[state];
  if (!enter) throw new Error(`no such state: ${state}`);
  const { child, undo } = await enter(stage);
  const began = performance.now();
  const end = await ended(child, "SIGTERM", DEADLINE_MS + 5_000);
  const ms = Math.round(performance.now() - began);
  await undo?.();
  return { state, ms, end };
}

function openStage(database: string): Stage {
  const folder = tempFolder("stop");
  const root = join(folder, "files");
  mkdirSync(root);
  const start: Stage["start"] = (args, env = {}) =>
    spawn(process.execPath, [PROGRAM, ...args], {
      cwd: root,
      env: { ...process.env, ...env },
      stdio: ["ignore", "ignore", "pipe"],
    });
  return {
    folder,
    root,
    database,
    start,
    async serve(more = [], env = {}) {
      const child = start(["http", "--port", "0", ...placed({ folder, root }), ...more], env);
      const url = await urlOf(child);
      const add = async (name: string, text = `The keeper of ${name} saw a ship.`) => {
        const file_path = join(root, name);
        writeFileSync(file_path, text);
        return callTool(url, "knowledge-add", { file_path, async: name !== "first.txt" }).catch(
          () => {},
        );
      };
      return { child, url, add };
    },
  };
}

function placed({ folder, root }: Pick<Stage, "folder" | "root">): readonly string[] {
  return ["--data-dir", join(folder, "data"), "--root", root];
}

function urlOf(child: ChildProcess): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let said = "";
  child.stderr?.on("data", (part) => {
    said += part;
    const found = /http:\/\/127\.0\.0\.1:\d+/.exec(said);
    if (found) resolve(`${found[0]}/mcp`);
  });
  child.once("exit", () => reject(new Error(`the server ended:\n${said}`)));
  return promise;
}

/** How it ended: its code, the signal that ended it, or `never`. */
async function ended(
  child: ChildProcess,
  signal: NodeJS.Signals,
  withinMs = HOUR_MS,
): Promise<string> {
  const gone = () => String(child.exitCode ?? child.signalCode);
  if (child.exitCode !== null || child.signalCode !== null) return gone();
  const exit = once(child, "exit");
  child.kill(signal);
  const late = sleep(withinMs, "late", { ref: false });
  if ((await Promise.race([exit, late])) !== "late") return gone();
  child.kill("SIGKILL");
  await exit;
  return "never";
}

/** Until then it is a copy of the server, which waits for it in the system call that starts it. */
function hasStarted(pid: number): boolean {
  return readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("--max-old-space-size");
}

async function pausePostgres(database: string): Promise<() => Promise<void>> {
  const sql = postgres(database, { max: 1, fetch_types: false, onnotice: () => {} });
  const [row] = await sql`SELECT pg_backend_pid() AS pid`;
  const parent = parentOf(Number(row?.["pid"]));
  await sql.end({ timeout: 1 });
  const all = [parent, ...childrenOf(parent)];
  for (const pid of all) process.kill(pid, "SIGSTOP");
  return async () => {
    for (const pid of all) {
      try {
        process.kill(pid, "SIGCONT");
      } catch {
        // It has ended.
      }
    }
  };
}

function parentOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
}

function childrenOf(pid: number): readonly number[] {
  return readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, "utf8")
      .split(" ")
      .filter(Boolean)
      .map(Number),
  );
}

function killQuietly(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended.
  }
}
