// A real PgBouncer in front of a test's database: installed when missing, thrown away afterwards.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import postgres from "postgres";
import { installPackages } from "./apt.ts";
import { freePort } from "./postgres.ts";

const PROGRAM = "/usr/sbin/pgbouncer";
const START_TIMEOUT_MS = 60_000;

/** False, after saying so on stderr, where there is no way to have one; in CI that is a failure. */
export function hasPgBouncer(): boolean {
  if (existsSync(PROGRAM) || (installPackages("pgbouncer") && existsSync(PROGRAM))) return true;
  const reason = "there is no PgBouncer. Run: apt-get install pgbouncer";
  if (process.env["CI"] === "true") throw new Error(`PgBouncer is needed in CI: ${reason}`);
  process.stderr.write(`[pgbouncer] SKIPPED: ${reason}\n`);
  return false;
}

export interface PgBouncer {
  readonly url: string;
  stop(): Promise<void>;
}

/** `settings` go into its file as they are. */
export async function startPgBouncer(
  databaseUrl: string,
  settings: Readonly<Record<string, string>>,
): Promise<PgBouncer> {
  const { hostname, port, username, password, pathname } = new URL(databaseUrl);
  const name = pathname.slice(1);
  const own = await freePort();
  const folder = await mkdtemp(join(tmpdir(), "knowledge-pgbouncer-"));
  await chmod(folder, 0o755);
  const all = {
    listen_addr: "127.0.0.1",
    listen_port: String(own),
    unix_socket_dir: "",
    auth_type: "any",
    ...settings,
  };
  const lines = Object.entries(all).map(([key, value]) => `${key} = ${value}`);
  const database = `${name} = host=${hostname} port=${port} dbname=${name} user=${username} password=${password}`;
  const file = join(folder, "pgbouncer.ini");
  await writeFile(file, ["[databases]", database, "[pgbouncer]", ...lines, ""].join("\n"));
  // It refuses to run as root.
  const user = process.getuid?.() === 0 ? ["-u", "postgres"] : [];
  const child = spawn(PROGRAM, ["-q", ...user, file], { stdio: "ignore" });
  const url = `postgres://${username}@127.0.0.1:${own}/${name}`;
  await answers(url, child);
  return {
    url,
    async stop() {
      const exit = once(child, "exit");
      child.kill("SIGINT");
      await exit;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function answers(url: string, child: ChildProcess): Promise<void> {
  const deadline = Date.now() + START_TIMEOUT_MS;
  for (;;) {
    const sql = postgres(url, { max: 1, fetch_types: false, onnotice: () => {} });
    try {
      await sql.unsafe("SELECT 1").simple();
      return;
    } catch (cause) {
      if (child.exitCode !== null || Date.now() > deadline)
        throw new Error("PgBouncer did not start", { cause });
      await sleep(50);
    } finally {
      await sql.end({ timeout: 1 });
    }
  }
}
