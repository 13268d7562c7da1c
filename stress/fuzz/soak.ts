// npm run soak [-- --seconds 600 --clients 64 --servers 4 --database-url postgres://…]: load, then overload, then
// idle; at the end everything acknowledged is counted.
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { type HttpServer, startHttp } from "../../test/support/spawned.ts";
import { tempFolder } from "../../test/support/temp-folder.ts";
import { callTool, type LoadReport, load, type Times, toTimes } from "./load.ts";
import { residentMb } from "./run.ts";

export interface SoakOptions {
  readonly clients: number;
  readonly seconds: number;
  readonly servers: number;
  readonly seed: number;
  readonly pauseMs: number;
  readonly databaseUrl?: string | undefined;
}

export interface SoakReport {
  readonly idle: Idle;
  readonly held: Omit<LoadReport, "standing">;
  /** Each server's resident memory after each tenth of the time. */
  readonly rssMb: readonly (readonly number[])[];
  readonly overload: Overload;
  /** Back to back again. */
  readonly after: Times;
  /** Documents that were acknowledged and are missing, or exist and were never acknowledged. */
  readonly lost: number;
}

/** Searches of a single client. */
export interface Idle {
  /** With the same pause between calls as each of the many clients. */
  readonly paced: Times;
  /** The processor's caches stay warm: the best case. */
  readonly backToBack: Times;
}

export interface Overload {
  readonly asked: number;
  readonly served: number;
  readonly refused: number;
  readonly refusedWithoutTime: number;
  readonly failed: readonly string[];
}

const QUICK_CALLS = 100;
const PACED_CALLS = { least: 10, most: 60 };
// Several times more at once than a server accepts.
const OVERLOAD_AT_ONCE = 1_500;

export async function soak(options: SoakOptions): Promise<SoakReport> {
  const folder = tempFolder("soak");
  const root = join(folder, "files");
  const config = join(folder, "config.json");
  await mkdir(root);
  const { databaseUrl, seconds, servers: count } = options;
  await writeFile(config, JSON.stringify(databaseUrl === undefined ? {} : { databaseUrl }));
  const servers: HttpServer[] = [];
  try {
    for (let number = 0; number < count; number++) {
      const dataDir = databaseUrl === undefined ? "data" : `data-${number}`;
      servers.push(await startHttp({ dataDir: join(folder, dataDir), root, config }));
    }
    const urls = servers.map(({ url }) => url) as [string, ...string[]];
    await warmUp(urls, root);
    const idle = { paced: await paced(urls[0], options), backToBack: await quick(urls[0]) };
    const rss = servers.map((): number[] => []);
    const sampling = setInterval(
      () => {
        for (const [at, { child }] of servers.entries()) rss[at]?.push(residentMb(child.pid));
      },
      (seconds * 1_000) / 10,
    );
    const { standing, ...held } = await load({ ...options, urls, root });
    clearInterval(sampling);
    const overload = await overwhelm(urls[0]);
    const after = await quick(urls[0]);
    const lost = await missing(urls, standing);
    return { idle, held, rssMb: rss, overload, after, lost };
  } finally {
    for (const server of servers) await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Loads every server's model and readers, and adds something to find. */
async function warmUp(urls: readonly string[], root: string): Promise<void> {
  for (const [at, url] of urls.entries()) {
    const file = join(root, `first-${at}.txt`);
    await writeFile(file, `Note ${at}: the keeper of the lighthouse saw a ship in a storm.`);
    await callTool(url, "knowledge-add", { file_path: file, async: false });
    await quick(url);
  }
}

function paced(url: string, { seconds, pauseMs }: SoakOptions): Promise<Times> {
  const calls = Math.min(Math.max(seconds, PACED_CALLS.least), PACED_CALLS.most);
  return searches(url, calls, pauseMs);
}

function quick(url: string): Promise<Times> {
  return searches(url, QUICK_CALLS, 0);
}

async function searches(url: string, calls: number, pauseMs: number): Promise<Times> {
  const times: number[] = [];
  for (let call = 0; call < calls; call++) {
    if (pauseMs > 0) await sleep(pauseMs);
    const started = performance.now();
    await callTool(url, "knowledge-search", { query: "lighthouse storm", top_k: 5 });
    times.push(performance.now() - started);
  }
  return toTimes(times);
}

async function overwhelm(url: string): Promise<Overload> {
  const sum = { served: 0, refused: 0, refusedWithoutTime: 0, failed: [] as string[] };
  const one = async () => {
    const { status, retryAfter, payload } = await callTool(url, "knowledge-search", {
      query: "ship",
    });
    if (status === 200 && payload["success"] === true) sum.served += 1;
    else if (status === 429 || status === 503) {
      sum.refused += 1;
      if (!(retryAfter > 0)) sum.refusedWithoutTime += 1;
    } else if (payload["error"] === "overloaded") sum.refused += 1;
    else sum.failed.push(`${status} ${JSON.stringify(payload).slice(0, 200)}`);
  };
  const asked = Array.from({ length: OVERLOAD_AT_ONCE }, () =>
    one().catch((error: Error) => {
      sum.failed.push(String(error.cause ?? error));
    }),
  );
  await Promise.all(asked);
  return { asked: OVERLOAD_AT_ONCE, ...sum };
}

async function missing(
  urls: readonly [string, ...string[]],
  standing: readonly string[],
): Promise<number> {
  const seen = new Set<string>();
  for (let offset = 0; ; offset += 1_000) {
    const { payload } = await callTool(urls[0], "knowledge-show", { limit: 1_000, offset });
    const documents = payload["documents"] as readonly { readonly id: string }[];
    for (const { id } of documents) seen.add(id);
    if (documents.length < 1_000) break;
  }
  // Documents of the warm-up were acknowledged too.
  const lost = standing.filter((id) => !seen.has(id)).length;
  return lost + Math.abs(seen.size - urls.length - (standing.length - lost));
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      clients: { type: "string", default: "64" },
      seconds: { type: "string", default: "600" },
      servers: { type: "string", default: "1" },
      seed: { type: "string", default: "1" },
      pause: { type: "string", default: "1000" },
      "database-url": { type: "string" },
    },
  });
  const report = await soak({
    clients: Number(values.clients),
    seconds: Number(values.seconds),
    servers: Number(values.servers),
    seed: Number(values.seed),
    pauseMs: Number(values.pause),
    databaseUrl: values["database-url"],
  });
  process.stdout.write(`${JSON.stringify(report, null, 1)}\n`);
  const { held, overload, lost } = report;
  if (held.errors.length + overload.failed.length + lost > 0) process.exitCode = 1;
}
