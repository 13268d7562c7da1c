// Clients that read, add and remove over HTTP for a while, and what each call took.
import { writeFile } from "node:fs/promises";
import { request } from "node:http";
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
  /** Between two calls of a client: people and agents think. */
  readonly pauseMs: number;
}

export interface LoadReport {
  readonly calls: number;
  readonly perSecond: number;
  readonly all: Times;
  readonly reads: Times;
  readonly writes: Times;
  readonly byTool: Readonly<Record<string, Times>>;
  /** How late this process itself was: what it measures cannot be better. */
  readonly ownDelayP99Ms: number;
  readonly added: number;
  readonly removed: number;
  /** 429 and 503: told to come back, and came back. */
  readonly refused: number;
  readonly errors: readonly string[];
  /** Names that must be there in the end. */
  readonly standing: readonly string[];
}

export interface Times {
  readonly count: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

// The asking after tasks makes it 90 % of all calls.
const READS = 0.89;
const WRITES = new Set(["knowledge-add", "knowledge-remove"]);
const WORDS = ["lighthouse", "keeper", "ship", "storm", "harbour", "lamp", "rope", "tide"] as const;

interface Answer {
  readonly status: number;
  readonly retryAfter: number;
  readonly payload: Record<string, unknown>;
}

/** Lean, so that the caller takes little of the machine that it measures. */
export function callTool(url: string, name: string, args: object): Promise<Answer> {
  const params = { name, arguments: args };
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params });
  const headers = { "content-type": "application/json", accept: "*/*" };
  return new Promise((resolve, reject) => {
    const call = request(url, { method: "POST", headers }, (response) => {
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

export async function load(options: LoadOptions): Promise<LoadReport> {
  const { clients, seconds } = options;
  const times = new Map<string, number[]>();
  const tally = { refused: 0, errors: [] as string[] };
  const standing = new Set<string>();
  const counts = { added: 0, removed: 0 };
  const until = Date.now() + seconds * 1_000;

  /** Calls until it is served: who is told to come back, comes back. */
  const ask = async (url: string, name: string, args: object) => {
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
  };

  /** As an agent follows a task: it asks again after a while. */
  const finished = async (url: string, task_id: unknown) => {
    for (;;) {
      const { status, result } = await ask(url, "knowledge-task-status", { task_id });
      if (status === "completed") return (result as { document_id: string }).document_id;
      if (status !== "queued" && status !== "running") return undefined;
      await sleep(options.pauseMs);
    }
  };

  const client = async (number: number) => {
    const random = openRandom(options.seed + number);
    const url = options.urls[number % options.urls.length] ?? options.urls[0];
    const mine: string[] = [];
    let files = 0;
    const pause = () => sleep(random.next() * 2 * options.pauseMs);
    // Clients do not come all in one moment; that is what the overload is for.
    await pause();
    while (Date.now() < until) {
      if (random.chance(READS)) await ask(url, ...readOf(random));
      else if (mine.length > 3) {
        const document_id = mine.shift() ?? "";
        const { success } = await ask(url, "knowledge-remove", { document_id, confirm: true });
        if (success === true) counts.removed += 1;
        standing.delete(document_id);
      } else {
        const file = join(options.root, `note-${number}-${++files}.txt`);
        await writeFile(
          file,
          `Note ${number}-${files}: the ${random.pick(WORDS)} and the ${random.pick(WORDS)}.`,
        );
        const { task_id } = await ask(url, "knowledge-add", { file_path: file });
        await pause();
        const document_id = await finished(url, task_id);
        if (document_id === undefined) continue;
        mine.push(document_id);
        standing.add(document_id);
        counts.added += 1;
      }
      await pause();
    }
  };

  const delay = monitorEventLoopDelay({ resolution: 2 });
  delay.enable();
  const started = performance.now();
  await Promise.all(
    Array.from({ length: clients }, (_, number) =>
      client(number).catch((error: unknown) => tally.errors.push(String(error))),
    ),
  );
  const all = toTimes([...times.values()].flat());
  const named = [...times];
  return {
    calls: all.count,
    perSecond: Math.round((all.count * 1_000) / (performance.now() - started)),
    all,
    reads: toTimes(named.flatMap(([name, took]) => (WRITES.has(name) ? [] : took))),
    writes: toTimes(named.flatMap(([name, took]) => (WRITES.has(name) ? took : []))),
    byTool: Object.fromEntries(named.map(([name, took]) => [name, toTimes(took)])),
    ownDelayP99Ms: Math.round(delay.percentile(99) / 1e5) / 10,
    ...counts,
    ...tally,
    standing: [...standing],
  };
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
