// Clients that read, add and remove over HTTP for a while, and how long each call took.
import { writeFile } from "node:fs/promises";
import { type Agent, request } from "node:http";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { openRandom, type Random } from "./random.ts";

export interface LoadOptions {
  /** Addresses of `/mcp`: clients are spread over them. */
  readonly urls: readonly [string, ...string[]];
  /** Where files to add are written; the servers may read it. */
  readonly root: string;
  readonly clients: number;
  readonly seconds: number;
  readonly seed: number;
  /** Between two calls of a client, as people and agents think in between. */
  readonly pauseMs: number;
}

export interface LoadReport {
  readonly calls: number;
  readonly perSecond: number;
  readonly all: Times;
  readonly reads: Times;
  readonly writes: Times;
  readonly byTool: Readonly<Record<string, Times>>;
  /** Delay of this process itself, which is included in what it measures. */
  readonly ownDelayP99Ms: number;
  readonly added: number;
  readonly removed: number;
  /** Responses 429 and 503 that were retried. */
  readonly refused: number;
  readonly errors: readonly string[];
  /** Documents that must exist at the end. */
  readonly standing: readonly string[];
}

export interface Times {
  readonly count: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

// With the polling of tasks this makes 90% of all calls.
const READS = 0.89;
const WRITES = new Set(["knowledge-add", "knowledge-remove"]);
const WORDS = ["lighthouse", "keeper", "ship", "storm", "harbour", "lamp", "rope", "tide"] as const;

interface Answer {
  readonly status: number;
  readonly retryAfter: number;
  readonly payload: Record<string, unknown>;
}

/** Minimal, so that the client takes little CPU from the server that it measures. */
export function callTool(
  url: string,
  name: string,
  args: object,
  { agent, token }: { readonly agent?: Agent; readonly token?: string } = {},
): Promise<Answer> {
  const params = { name, arguments: args };
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params });
  const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const headers = { "content-type": "application/json", accept: "*/*", ...authorization };
  return new Promise((resolve, reject) => {
    const call = request(url, { method: "POST", headers, agent }, (response) => {
      const parts: Buffer[] = [];
      response.on("data", (part: Buffer) => parts.push(part));
      response.on("error", reject);
      response.on("end", () => {
        const { statusCode = 0, headers: given } = response;
        const payload = toPayload(Buffer.concat(parts).toString());
        resolve({ status: statusCode, retryAfter: Number(given["retry-after"] ?? 0), payload });
      });
    });
    call.on("error", reject);
    call.end(body);
  });
}

function toPayload(text: string): Answer["payload"] {
  const body = JSON.parse(text) as { result?: { content?: { text: string }[] } };
  return JSON.parse(body.result?.content?.[0]?.text ?? text) as Answer["payload"];
}

/** One run: what its clients have done and seen so far. */
interface Run extends LoadOptions {
  readonly until: number;
  readonly times: Map<string, number[]>;
  readonly tally: { refused: number; readonly errors: string[] };
  readonly counts: { added: number; removed: number };
  /** Documents that exist. */
  readonly standing: Set<string>;
}

export async function load(options: LoadOptions): Promise<LoadReport> {
  const run: Run = {
    ...options,
    until: Date.now() + options.seconds * 1_000,
    times: new Map(),
    tally: { refused: 0, errors: [] },
    counts: { added: 0, removed: 0 },
    standing: new Set(),
  };
  const delay = monitorEventLoopDelay({ resolution: 2 });
  delay.enable();
  const started = performance.now();
  await Promise.all(
    Array.from({ length: options.clients }, (_, number) =>
      client(run, number).catch((error: unknown) => run.tally.errors.push(String(error))),
    ),
  );
  const named = [...run.times];
  const all = toTimes(named.flatMap(([, took]) => took));
  return {
    calls: all.count,
    perSecond: Math.round((all.count * 1_000) / (performance.now() - started)),
    all,
    reads: toTimes(named.flatMap(([name, took]) => (WRITES.has(name) ? [] : took))),
    writes: toTimes(named.flatMap(([name, took]) => (WRITES.has(name) ? took : []))),
    byTool: Object.fromEntries(named.map(([name, took]) => [name, toTimes(took)])),
    ownDelayP99Ms: Math.round(delay.percentile(99) / 1e5) / 10,
    ...run.counts,
    ...run.tally,
    standing: [...run.standing],
  };
}

/** Retries after 429 and 503 until the call succeeds. */
async function ask({ tally, times }: Run, url: string, name: string, args: object) {
  for (;;) {
    const started = performance.now();
    const { status, retryAfter, payload } = await callTool(url, name, args);
    if (status === 429 || status === 503 || payload["error"] === "overloaded") {
      tally.refused += 1;
      await sleep(Math.max(retryAfter, Number(payload["retry_after_seconds"] ?? 0.2)) * 1_000);
      continue;
    }
    const took = performance.now() - started;
    const before = times.get(name);
    if (before) before.push(took);
    else times.set(name, [took]);
    if (status !== 200 || payload["success"] === false) {
      tally.errors.push(`${name} ${status} ${JSON.stringify(payload).slice(0, 200)}`);
    }
    return payload;
  }
}

/** Polls a task as an agent does. */
async function finished(run: Run, url: string, task_id: unknown): Promise<string | undefined> {
  for (;;) {
    const { status, result } = await ask(run, url, "knowledge-task-status", { task_id });
    if (status === "completed") return (result as { document_id: string }).document_id;
    if (status !== "queued" && status !== "running") return undefined;
    await sleep(run.pauseMs);
  }
}

async function client(run: Run, number: number): Promise<void> {
  const random = openRandom(run.seed + number);
  const url = run.urls[number % run.urls.length] ?? run.urls[0];
  const mine: string[] = [];
  let files = 0;
  const pause = () => sleep(random.next() * 2 * run.pauseMs);
  const addNote = async () => {
    const file = join(run.root, `note-${number}-${++files}.txt`);
    const words = `the ${random.pick(WORDS)} and the ${random.pick(WORDS)}`;
    await writeFile(file, `Note ${number}-${files}: ${words}.`);
    const { task_id } = await ask(run, url, "knowledge-add", { file_path: file });
    await pause();
    const document_id = await finished(run, url, task_id);
    if (document_id === undefined) return;
    mine.push(document_id);
    run.standing.add(document_id);
    run.counts.added += 1;
  };
  // Clients do not start all at once; the overload phase does that.
  await pause();
  do {
    if (random.chance(READS)) await ask(run, url, ...readOf(random));
    else if (mine.length > 3) await removeNote(run, url, mine.shift() ?? "");
    else await addNote();
    await pause();
  } while (Date.now() < run.until);
}

async function removeNote(run: Run, url: string, document_id: string): Promise<void> {
  const { success } = await ask(run, url, "knowledge-remove", { document_id, confirm: true });
  if (success === true) run.counts.removed += 1;
  run.standing.delete(document_id);
}

function readOf(random: Random): [string, object] {
  const roll = random.next();
  if (roll < 0.6)
    return ["knowledge-search", { query: `${random.pick(WORDS)} ${random.pick(WORDS)}`, top_k: 5 }];
  if (roll < 0.8) return ["knowledge-show", { limit: 10 }];
  if (roll < 0.9) return ["knowledge-status", {}];
  return ["get_kb_info", {}];
}

export function toTimes(times: readonly number[]): Times {
  const sorted = times.toSorted((one, other) => one - other);
  const at = (share: number) =>
    Math.round((sorted[Math.floor(sorted.length * share)] ?? 0) * 10) / 10;
  return { count: sorted.length, p50Ms: at(0.5), p99Ms: at(0.99) };
}
