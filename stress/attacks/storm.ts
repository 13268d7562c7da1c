// Four servers and two workers on one PostgreSQL, all of which are killed, paused and restarted at random while documents
// are added: what was acknowledged is there once, and nothing else is.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { TestPostgres } from "../../scripts/postgres.ts";
import { PROGRAM } from "../../test/support/shipped.ts";
import { type HttpServer, startHttp } from "../../test/support/spawned.ts";
import { tempFolder } from "../../test/support/temp-folder.ts";
import { callTool } from "../fuzz/load.ts";
import { openRandom } from "../fuzz/random.ts";

const SERVERS = 4;
const WORKERS = 2;
const LANES = 4;
const SETTLE_MS = 180_000;

export interface StormReport {
  readonly acknowledged: number;
  readonly unknown: number;
  readonly events: Readonly<Record<string, number>>;
  readonly problems: readonly string[];
}

export async function raiseStorm(
  database: TestPostgres,
  { events, seed }: { readonly events: number; readonly seed: number },
): Promise<StormReport> {
  const random = openRandom(seed);
  const party = await gather(database);
  const adding = { isOver: false };
  /** Each file that was sent: whether it was acknowledged. */
  const sent = new Map<string, boolean>();
  const tried: Record<string, number> = {};
  const lanes = Array.from({ length: LANES }, (_, lane) => addAll(party, { lane, sent, adding }));
  const acts = {
    "kill a server": () => party.replaceServer(random.below(SERVERS)),
    "kill a worker": () => party.replaceWorker(random.below(WORKERS)),
    "pause a server": () => pause(party.servers[random.below(SERVERS)]?.child, random.below(4_000)),
    "pause a worker": () => pause(party.workers[random.below(WORKERS)], random.below(4_000)),
    "restart PostgreSQL": async () => database.restart?.(() => sleep(random.below(1_500))),
  };
  for (let turn = 0; turn < events; turn++) {
    const name = random.pick(Object.keys(acts) as [keyof typeof acts]);
    tried[name] = (tried[name] ?? 0) + 1;
    await acts[name]();
    await sleep(random.below(700));
  }
  adding.isOver = true;
  await Promise.all(lanes);
  const problems = await judge(party, sent);
  await party.end();
  const acknowledged = [...sent.values()].filter(Boolean).length;
  return { acknowledged, unknown: sent.size - acknowledged, events: tried, problems };
}

interface Party {
  readonly root: string;
  readonly servers: HttpServer[];
  readonly workers: ChildProcess[];
  replaceServer(at: number): Promise<void>;
  replaceWorker(at: number): Promise<void>;
  end(): Promise<void>;
}

async function gather({ url }: TestPostgres): Promise<Party> {
  const folder = tempFolder("storm");
  const [root, config] = [join(folder, "files"), join(folder, "config.json")];
  mkdirSync(root);
  writeFileSync(config, JSON.stringify({ databaseUrl: url }));
  const serve = (at: number) => startHttp({ dataDir: join(folder, `server-${at}`), root, config });
  const work = (at: number) => {
    const place = ["--config", config, "--data-dir", join(folder, `worker-${at}`)];
    const args = [PROGRAM, "worker", ...place, "--log-level", "error"];
    return spawn(process.execPath, args, { stdio: "ignore" });
  };
  const servers = await Promise.all(Array.from({ length: SERVERS }, (_, at) => serve(at)));
  const workers = Array.from({ length: WORKERS }, (_, at) => work(at));
  return {
    root,
    servers,
    workers,
    async replaceServer(at) {
      await servers[at]?.kill();
      servers[at] = await serve(at);
    },
    async replaceWorker(at) {
      await kill(workers[at]);
      workers[at] = work(at);
    },
    async end() {
      await Promise.all([...servers.map((each) => each.kill()), ...workers.map(kill)]);
    },
  };
}

/** One add after the other, each by another server; a refused one is not tried again. */
async function addAll(
  { root, servers }: Pick<Party, "root" | "servers">,
  {
    lane,
    sent,
    adding,
  }: {
    readonly lane: number;
    readonly sent: Map<string, boolean>;
    readonly adding: { readonly isOver: boolean };
  },
): Promise<void> {
  for (let number = 0; !adding.isOver; number++) {
    const name = `note-${lane}-${number}.txt`;
    const file_path = join(root, name);
    writeFileSync(
      file_path,
      `Note ${lane}-${number}: the keeper of lamp${lane}x${number} saw a ship.`,
    );
    const url = servers[(lane + number) % servers.length]?.url ?? "";
    sent.set(name, false);
    try {
      const { payload } = await callTool(url, "knowledge-add", {
        file_path,
        async: number % 3 > 0,
      });
      sent.set(name, payload["success"] === true);
    } catch {
      // Its server was killed: it may have been taken, or not.
    }
    await sleep(30);
  }
}

async function judge({ servers }: Party, sent: ReadonlyMap<string, boolean>): Promise<string[]> {
  const url = servers[0]?.url ?? "";
  const deadline = performance.now() + SETTLE_MS;
  for (;;) {
    const { payload } = await callTool(url, "knowledge-status", {});
    const { queued, running } = (payload["tasks"] ?? {}) as Record<string, number>;
    if (queued === 0 && running === 0) break;
    if (performance.now() > deadline) return [`${queued} queued, ${running} running for ever`];
    await sleep(300);
  }
  const names: string[] = [];
  for (let offset = 0; ; offset += 500) {
    const { payload } = await callTool(url, "knowledge-show", { limit: 500, offset });
    const page = (payload["documents"] ?? []) as { filename: string }[];
    names.push(...page.map(({ filename }) => filename));
    if (page.length < 500) break;
  }
  const there = new Set(names);
  return [
    ...[...sent]
      .filter(([name, isTaken]) => isTaken && !there.has(name))
      .map(([name]) => `${name} is lost`),
    ...names.filter((name) => !sent.has(name)).map((name) => `${name} was never sent`),
    ...names
      .filter((name, at) => names.indexOf(name) !== at)
      .map((name) => `${name} is there twice`),
  ];
}

async function pause(child: ChildProcess | undefined, ms: number): Promise<void> {
  child?.kill("SIGSTOP");
  await sleep(ms);
  child?.kill("SIGCONT");
}

async function kill(child: ChildProcess | undefined): Promise<void> {
  if (!child || child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, "exit");
  child.kill("SIGKILL");
  await exited;
}
