// A real PostgreSQL 15 with pgvector for tests and benchmarks: installed when missing, started on a
// free port in a temporary folder, thrown away afterwards. `node scripts/postgres.ts` runs one by hand.
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { randomBytes, randomInt } from "node:crypto";
import { once } from "node:events";
import { chown, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import postgres from "postgres";
import { installPostgres } from "./postgres-install.ts";

const run = promisify(execFile);
const START_TIMEOUT_MS = 120_000;
const START_TRIES = 4;

export interface TestPostgres {
  /** A superuser's URL of the database `postgres`. */
  readonly url: string;
  /** Stops the server as a crash does and starts it again; absent for a server that is not ours. */
  readonly restart?: (whileDown?: () => Promise<unknown>) => Promise<void>;
  /** Starts a streaming replica of it; absent for a server that is not ours. */
  readonly replica?: () => Promise<TestPostgres>;
  stop(): Promise<void>;
}

export interface StartOptions {
  readonly durable?: boolean;
  /** Of the server's configuration. */
  readonly settings?: Readonly<Record<string, string>>;
}

/** Undefined, after saying so on stderr, where there is no way to have one; in CI that is a failure. */
export async function startPostgres(options: StartOptions = {}): Promise<TestPostgres | undefined> {
  const given = process.env["KNOWLEDGE_TEST_DATABASE_URL"];
  if (given) return { url: given, stop: async () => {} };
  let bin: string;
  try {
    bin = await installPostgres();
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    if (process.env["CI"] === "true")
      throw new Error(`PostgreSQL is needed in CI: ${reason}`, { cause });
    say(
      `SKIPPED, no PostgreSQL to test on: ${reason}. Set KNOWLEDGE_TEST_DATABASE_URL to use yours.`,
    );
    return undefined;
  }
  return startOwn(bin, options);
}

async function startOwn(
  bin: string,
  { durable = false, settings = {} }: StartOptions,
): Promise<TestPostgres> {
  const { owner, folder } = await serverFolder();
  const password = randomBytes(12).toString("hex");
  const passwordFile = join(folder, "password");
  await writeFile(passwordFile, password);
  if (owner) await chown(passwordFile, owner.uid, owner.gid);
  const data = join(folder, "data");
  const cluster = ["-D", data, "-U", "postgres", "--auth=scram-sha-256", "--encoding=UTF8"];
  const initdb = [...cluster, "--locale=C.UTF-8", `--pwfile=${passwordFile}`, "--no-sync"];
  await run(join(bin, "initdb"), initdb, { ...owner, cwd: folder });
  const server = await startServer({ bin, data, folder, durable, settings, owner }, password);
  return { ...server, replica: () => startReplica(bin, server.url, password) };
}

/** A copy of the running server, which then follows it. */
async function startReplica(bin: string, url: string, password: string): Promise<TestPostgres> {
  const { owner, folder } = await serverFolder();
  const data = join(folder, "data");
  const copy = ["-d", url, "-D", data, "-R", "-X", "stream", "-c", "fast", "--no-sync"];
  await run(join(bin, "pg_basebackup"), copy, { ...owner, cwd: folder });
  return startServer({ bin, data, folder, durable: false, settings: {}, owner }, password);
}

async function serverFolder() {
  const owner = await serverUser();
  const folder = await mkdtemp(join(tmpdir(), "knowledge-postgres-"));
  if (owner) await chown(folder, owner.uid, owner.gid);
  return { owner, folder };
}

async function startServer(place: Omit<Launch, "port">, password: string): Promise<TestPostgres> {
  let server: ChildProcess | undefined;
  const launch = (port: number) => {
    server = spawnServer({ ...place, port });
    return server;
  };
  const killServer = () => server?.kill("SIGQUIT");
  process.once("exit", killServer);
  const halt = async () => server && ended(server, "SIGQUIT");
  const { port, url } = await onFreePort(password, launch);
  return {
    url,
    restart: async (whileDown) => {
      await halt();
      try {
        await whileDown?.();
      } finally {
        await answers(url, launch(port));
      }
    },
    stop: async () => {
      process.off("exit", killServer);
      await halt();
      // Its processes may still be writing when the first has ended.
      await rm(place.folder, { recursive: true, force: true, maxRetries: 10 });
    },
  };
}

/** Tries again: another process may take a port between its being found free and its use. */
async function onFreePort(
  password: string,
  launch: (port: number) => ChildProcess,
  tries = START_TRIES,
): Promise<{ readonly port: number; readonly url: string }> {
  const port = await freePort();
  const url = `postgres://postgres:${password}@127.0.0.1:${port}/postgres`;
  const server = launch(port);
  try {
    await answers(url, server);
    return { port, url };
  } catch (thrown) {
    if (tries === 1 || server.exitCode === null) throw thrown;
    return onFreePort(password, launch, tries - 1);
  }
}

interface Launch {
  readonly bin: string;
  readonly data: string;
  readonly folder: string;
  readonly port: number;
  readonly durable: boolean;
  readonly settings: Readonly<Record<string, string>>;
  readonly owner: Owner | undefined;
}

function spawnServer({ bin, data, folder, port, durable, owner, settings }: Launch): ChildProcess {
  const all = {
    listen_addresses: "127.0.0.1",
    port,
    unix_socket_directories: folder,
    max_connections: 300,
    shared_buffers: "512MB",
    maintenance_work_mem: "512MB",
    // Only a power cut distinguishes these from a safe server, and tests do not cut the power.
    fsync: durable ? "on" : "off",
    full_page_writes: durable ? "on" : "off",
    ...settings,
  };
  const flags = Object.entries(all).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const child = spawn(join(bin, "postgres"), ["-D", data, ...flags], {
    ...owner,
    cwd: folder,
    stdio: "ignore",
  });
  child.unref();
  return child;
}

async function ended(server: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const exit = new Promise<void>((resolve) => server.once("exit", () => resolve()));
  server.ref();
  server.kill(signal);
  await exit;
}

async function answers(url: string, server: ChildProcess): Promise<void> {
  const deadline = Date.now() + START_TIMEOUT_MS;
  for (;;) {
    const sql = postgres(url, {
      max: 1,
      connect_timeout: 10,
      fetch_types: false,
      onnotice: () => {},
    });
    try {
      await sql`SELECT 1`;
      return;
    } catch (cause) {
      if (server.exitCode !== null) throw new Error("PostgreSQL did not start", { cause });
      if (Date.now() > deadline) throw new Error("PostgreSQL did not answer in time", { cause });
      await sleep(50);
    } finally {
      await sql.end({ timeout: 1 });
    }
  }
}

interface Owner {
  readonly uid: number;
  readonly gid: number;
}

/** PostgreSQL refuses to run as root: then it runs as the user that its package made. */
async function serverUser(): Promise<Owner | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const ids = await Promise.all(["-u", "-g"].map((flag) => run("id", [flag, "postgres"])));
  const [uid, gid] = ids.map(({ stdout }) => Number(stdout.trim()));
  return { uid: uid as number, gid: gid as number };
}

/**
 * Below those that the system gives to whoever asks for any port: while a server restarts, no other process takes its
 * port, and no client that tries to reach it connects to itself.
 */
const PORTS = { first: 20_000, last: 32_000 };
const PORT_TRIES = 100;

export async function freePort(tries = PORT_TRIES): Promise<number> {
  const port = randomInt(PORTS.first, PORTS.last);
  const probe = createServer().listen(port, "127.0.0.1");
  try {
    await once(probe, "listening");
  } catch (taken) {
    if (tries === 1) throw taken;
    return freePort(tries - 1);
  }
  probe.close();
  await once(probe, "close");
  return port;
}

function say(line: string): void {
  process.stderr.write(`[postgres] ${line}\n`);
}

/** With --install it only makes sure that one can be started; `--set shared_buffers=2GB` and so on are its settings. */
async function main(args: readonly string[]): Promise<void> {
  const set = args.filter((_, at) => args[at - 1] === "--set").map((each) => each.split("="));
  const settings = Object.fromEntries(set) as Record<string, string>;
  const server = await startPostgres({ durable: true, settings });
  if (!server) return;
  const stop = () => server.stop().then(() => process.exit(0));
  if (args.includes("--install")) return stop();
  process.stdout.write(`${server.url}\n`);
  process.once("SIGINT", () => void stop());
  process.once("SIGTERM", () => void stop());
  setInterval(() => {}, 60_000);
}

if (import.meta.main) await main(process.argv.slice(2));
