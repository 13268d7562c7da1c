// Four servers and two workers on one PostgreSQL with a replica, all of which are killed, paused and restarted at random
// while documents are added, removed and searched: what was acknowledged is there once, nothing else is, a server finds
// what it has just confirmed, and who may read one scope sees nothing of the other.
import { type ChildProcess, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { TestPostgres } from "../../scripts/postgres.ts";
import { S3_KEYS, S3_REGION, type S3Server, startS3 } from "../../test/support/s3-server.ts";
import { PROGRAM } from "../../test/support/shipped.ts";
import { type HttpServer, startHttp } from "../../test/support/spawned.ts";
import { tempFolder } from "../../test/support/temp-folder.ts";
import { asAdministrator } from "../../test/support/temp-postgres.ts";
import { callTool } from "../fuzz/load.ts";
import { openRandom, type Random } from "../fuzz/random.ts";

const SERVERS = 4;
const WORKERS = 2;
const LANES = 4;
const SETTLE_MS = 240_000;
const SCOPES = ["alpha", "beta"] as const;
const OWNER = "owner-token";

type ScopeName = (typeof SCOPES)[number];
/** `unknown`: its server was killed meanwhile, so it may have been done, or not. */
type Fate = "there" | "gone" | "unknown";

export interface StormReport {
  readonly acknowledged: number;
  readonly removed: number;
  readonly unknown: number;
  /** Looks by callers who may read one scope, and what a server was asked right after it had confirmed an add. */
  readonly looks: number;
  readonly ownReads: number;
  readonly events: Readonly<Record<string, number>>;
  readonly problems: readonly string[];
}

interface Storm {
  readonly party: Party;
  readonly sent: Map<string, Fate>;
  readonly counts: { looks: number; ownReads: number };
  readonly problems: string[];
  isOver: boolean;
}

export async function raiseStorm(
  database: TestPostgres,
  { seconds, seed }: { readonly seconds: number; readonly seed: number },
): Promise<StormReport> {
  const random = openRandom(seed);
  const party = await gather(database);
  const counts = { looks: 0, ownReads: 0 };
  const storm: Storm = { party, sent: new Map(), counts, problems: [], isOver: false };
  const tried: Record<string, number> = {};
  const lanes = [
    ...Array.from({ length: LANES }, (_, lane) => addAll(storm, lane)),
    ...SCOPES.map((scope) => lookAround(storm, scope)),
  ];
  const acts = actsOn(party, database, random);
  const until = performance.now() + seconds * 1000;
  while (performance.now() < until) {
    const name = random.pick(Object.keys(acts) as [keyof typeof acts]);
    tried[name] = (tried[name] ?? 0) + 1;
    await acts[name]();
    await sleep(random.below(1_500));
  }
  storm.isOver = true;
  await Promise.all(lanes);
  storm.problems.push(...(await judge(storm)));
  await party.end();
  const of = (fate: Fate) => [...storm.sent.values()].filter((each) => each === fate).length;
  return {
    ...{ acknowledged: of("there"), removed: of("gone"), unknown: of("unknown"), ...counts },
    events: tried,
    problems: storm.problems,
  };
}

function actsOn(party: Party, database: TestPostgres, random: Random) {
  const { servers, workers, replica } = party;
  const onReplica = (statement: string) =>
    asAdministrator(replica.url, (sql) => sql.unsafe(statement)).catch(() => {});
  return {
    "kill a server": () => party.replaceServer(random.below(SERVERS)),
    "kill a worker": () => party.replaceWorker(random.below(WORKERS)),
    "pause a server": () => pause(servers[random.below(SERVERS)]?.child, random.below(4_000)),
    "pause a worker": () => pause(workers[random.below(WORKERS)], random.below(4_000)),
    "restart PostgreSQL": async () => database.restart?.(() => sleep(random.below(1_500))),
    "restart the replica": async () => replica.restart?.(() => sleep(random.below(3_000))),
    async "hold the replica back"() {
      await onReplica("SELECT pg_wal_replay_pause()");
      await sleep(random.below(5_000));
      await onReplica("SELECT pg_wal_replay_resume()");
    },
    async "lose the bucket"() {
      const fault = (response: { destroy(): unknown }) => response.destroy();
      party.bucket.faults.push(...Array.from({ length: 1 + random.below(12) }, () => fault));
    },
  };
}

interface Party {
  readonly root: string;
  readonly servers: HttpServer[];
  readonly workers: ChildProcess[];
  readonly replica: TestPostgres;
  readonly bucket: S3Server;
  replaceServer(at: number): Promise<void>;
  replaceWorker(at: number): Promise<void>;
  end(): Promise<void>;
}

async function gather(database: TestPostgres): Promise<Party> {
  const replica = await database.replica?.();
  if (!replica) throw new Error("a server of its own is needed, for the replica");
  const bucket = await startS3();
  bucket.put("files/other", "of another program");
  const folder = tempFolder("storm");
  const [root, config] = [join(folder, "files"), join(folder, "config.json")];
  mkdirSync(root);
  writeFileSync(
    config,
    JSON.stringify({
      ...{ databaseUrl: database.url, databaseReadUrls: [replica.url] },
      originalsBucket: "s3://files/originals",
      tokenFile: writeTokens(folder),
    }),
  );
  Object.assign(process.env, {
    ...{ AWS_ENDPOINT_URL_S3: bucket.url, AWS_REGION: S3_REGION },
    ...{ AWS_ACCESS_KEY_ID: S3_KEYS.accessKeyId, AWS_SECRET_ACCESS_KEY: S3_KEYS.secretAccessKey },
  });
  const serve = (at: number) => startHttp({ dataDir: join(folder, `server-${at}`), root, config });
  const work = (at: number) => {
    const place = ["--config", config, "--data-dir", join(folder, `worker-${at}`)];
    const args = [PROGRAM, "worker", ...place, "--log-level", "error"];
    return spawn(process.execPath, args, { stdio: "ignore" });
  };
  const servers = await Promise.all(Array.from({ length: SERVERS }, (_, at) => serve(at)));
  for (const scope_id of SCOPES)
    await callTool(
      servers[0]?.url ?? "",
      "knowledge-scope-put",
      { scope_id, tier: "PROJECT" },
      { token: OWNER },
    );
  const workers = Array.from({ length: WORKERS }, (_, at) => work(at));
  return {
    ...{ root, servers, workers, replica, bucket },
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
      await Promise.all([replica.stop(), bucket.close()]);
    },
  };
}

function writeTokens(folder: string): string {
  const entry = (name: string, rights: readonly string[]) => {
    return { name, sha256: createHash("sha256").update(name).digest("hex"), rights };
  };
  const readers = SCOPES.map((scope) => entry(scope, [`read:${scope}`]));
  const file = join(folder, "tokens.json");
  writeFileSync(
    file,
    JSON.stringify({ tokens: [entry(OWNER, ["read", "write", "admin"]), ...readers] }),
  );
  return file;
}

/** One add after the other, each by another server; a refused one is not tried again. */
async function addAll(storm: Storm, lane: number): Promise<void> {
  const { party, sent } = storm;
  const scope = SCOPES[lane % SCOPES.length] as ScopeName;
  for (let number = 0; !storm.isOver; number++) {
    const name = `note-${scope}-${lane}-${number}.txt`;
    const word = `lamp${scope}${lane}x${number}`;
    const file_path = join(party.root, name);
    writeFileSync(file_path, `Note ${number} of ${scope}: the keeper of ${word} saw a ship.`);
    const { url = "" } = party.servers[(lane + number) % party.servers.length] ?? {};
    const ask = (tool: string, args: object) =>
      callTool(url, tool, args, { token: OWNER }).then(({ payload }) => payload);
    sent.set(name, "unknown");
    try {
      const isWaiting = number % 3 === 0;
      const added = await ask("knowledge-add", { file_path, scope, async: !isWaiting });
      if (added["success"] === true) sent.set(name, "there");
      const { document_id: id } = added;
      if (typeof id === "string")
        await lookAtOwn(storm, { ask, id, name, word, scope, isKept: number % 2 > 0 });
    } catch {
      // Its server was killed.
    }
    await sleep(60);
  }
}

interface Own {
  readonly ask: (tool: string, args: object) => Promise<Record<string, unknown>>;
  readonly id: string;
  readonly name: string;
  readonly word: string;
  readonly scope: ScopeName;
  readonly isKept: boolean;
}

/** The server that has confirmed an add or a removal sees it at once, whatever the replica has by then. */
async function lookAtOwn({ sent, problems, counts }: Storm, own: Own): Promise<void> {
  const { ask, id, name, word, scope, isKept } = own;
  const isFound = async () => {
    counts.ownReads += 1;
    const found = await ask("knowledge-search", { query: `"${word}"`, scope });
    if (found["success"] !== true) return undefined;
    return JSON.stringify(found["results"]).includes(name);
  };
  if ((await isFound()) === false)
    problems.push(`${name} was confirmed, and its server did not find it`);
  if (isKept) return;
  sent.set(name, "unknown");
  const removed = await ask("knowledge-remove", { document_id: id, confirm: true });
  if (removed["success"] !== true) return;
  sent.set(name, "gone");
  if (await isFound()) problems.push(`${name} was removed, and its server found it`);
}

/** As somebody who may read one scope; nothing that it gets may be of the other. */
async function lookAround(storm: Storm, scope: ScopeName): Promise<void> {
  const { party, problems, counts } = storm;
  const other = SCOPES.find((each) => each !== scope) as ScopeName;
  for (let number = 0; !storm.isOver; number++) {
    const url = party.servers[number % party.servers.length]?.url ?? "";
    const questions = [
      ["knowledge-search", { query: `the keeper of lamp${other}0x${number}`, min_relevance: 0 }],
      ["knowledge-show", { limit: 100, offset: (number % 5) * 100 }],
      ["kb_answer", { query: `Who saw a ship at lamp${other}1x${number}?` }],
      ["knowledge-scopes", {}],
    ] as const;
    for (const [tool, args] of questions) {
      try {
        const { payload } = await callTool(url, tool, args, { token: scope });
        const said = JSON.stringify({ ...payload, query: "" });
        counts.looks += Number(payload["success"] === true);
        if (said.includes(`-${other}-`) || said.includes(`"${other}"`))
          problems.push(`${scope} saw of ${other} in ${tool}: ${said.slice(0, 300)}`);
      } catch {
        // Its server was killed.
      }
    }
    await sleep(100);
  }
}

async function judge({ party, sent }: Storm): Promise<readonly string[]> {
  const { servers, bucket } = party;
  const ask = (name: string, args: object) =>
    callTool(servers[0]?.url ?? "", name, args, { token: OWNER }).then(({ payload }) => payload);
  const deadline = performance.now() + SETTLE_MS;
  bucket.faults.length = 0;
  for (;;) {
    const { queued, running } = ((await ask("knowledge-status", {}))["tasks"] ?? {}) as Record<
      string,
      number
    >;
    if (queued === 0 && running === 0) break;
    if (performance.now() > deadline) return [`${queued} queued, ${running} running for ever`];
    await sleep(300);
  }
  const all: { readonly filename: string; readonly document_id: string }[] = [];
  for (let offset = 0; ; offset += 500) {
    const page = (await ask("knowledge-show", { limit: 500, offset }))["documents"] as typeof all;
    all.push(...page);
    if (page.length < 500) break;
  }
  const names = all.map(({ filename }) => filename);
  const there = new Set(names);
  const of = (fate: Fate) => [...sent].filter(([, is]) => is === fate).map(([name]) => name);
  const seen = await Promise.all(SCOPES.map((scope) => seenIn(party, scope, names)));
  return [
    ...of("there")
      .filter((name) => !there.has(name))
      .map((name) => `${name} is lost`),
    ...of("gone")
      .filter((name) => there.has(name))
      .map((name) => `${name} is there again`),
    ...names.filter((name) => !sent.has(name)).map((name) => `${name} was never sent`),
    ...names
      .filter((name, at) => names.indexOf(name) !== at)
      .map((name) => `${name} is there twice`),
    ...seen.flat(),
    ...(await originalsOf(party)),
  ];
}

/** Who may read one scope sees exactly its documents. */
async function seenIn({ servers }: Party, scope: ScopeName, names: readonly string[]) {
  const url = servers.at(-1)?.url ?? "";
  const { payload } = await callTool(url, "knowledge-show", { limit: 1 }, { token: scope });
  const own = names.filter((name) => name.startsWith(`note-${scope}-`)).length;
  const { total_count: total } = payload;
  return total === own ? [] : [`${scope} sees ${total} documents instead of ${own}`];
}

/** Every document's file is in the bucket. */
async function originalsOf({ servers, bucket }: Party): Promise<readonly string[]> {
  const url = new URL(servers[0]?.url ?? "");
  const stored = new Set([...bucket.objects.values()].map(({ bytes }) => bytes.toString()));
  const { payload } = await callTool(url.href, "knowledge-show", { limit: 500 }, { token: OWNER });
  const some = (payload["documents"] ?? []) as { document_id: string; filename: string }[];
  const missing: string[] = [];
  for (const { document_id: id, filename } of some) {
    const response = await fetch(new URL(`/api/documents/${id}/original`, url), {
      headers: { authorization: `Bearer ${OWNER}` },
    });
    if (!stored.has(await response.text())) missing.push(`the original of ${filename} is lost`);
  }
  return missing;
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
