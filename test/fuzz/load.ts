// Clients that read, add and remove over HTTP for a while, and what each call took.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
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
  readonly reads: Times;
  readonly writes: Times;
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

const READS = 0.9;
const WORDS = ["lighthouse", "keeper", "ship", "storm", "harbour", "lamp", "rope", "tide"] as const;

interface Answer {
  readonly status: number;
  readonly retryAfter: number;
  readonly payload: Record<string, unknown>;
}

export async function callTool(url: string, name: string, args: object): Promise<Answer> {
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name, arguments: args },
    }),
  });
  const body = (await response.json()) as { result?: { content?: { text: string }[] } };
  const text = body.result?.content?.[0]?.text ?? JSON.stringify(body);
  return {
    status: response.status,
    retryAfter: Number(response.headers.get("retry-after") ?? 0),
    payload: JSON.parse(text) as Record<string, unknown>,
  };
}

export async function load(options: LoadOptions): Promise<LoadReport> {
  const { clients, seconds } = options;
  const tally = {
    reads: [] as number[],
    writes: [] as number[],
    refused: 0,
    errors: [] as string[],
  };
  const standing = new Map<string, string>();
  const counts = { added: 0, removed: 0 };
  const until = Date.now() + seconds * 1_000;

  /** Calls until it is served: who is told to come back, comes back. */
  const ask = async (url: string, name: string, args: object, times: number[]) => {
    for (;;) {
      const started = performance.now();
      const { status, retryAfter, payload } = await callTool(url, name, args);
      if (status === 429 || status === 503 || payload["error"] === "overloaded") {
        tally.refused += 1;
        await sleep(Math.max(retryAfter, Number(payload["retry_after_seconds"] ?? 0.2)) * 1_000);
        continue;
      }
      times.push(performance.now() - started);
      if (status !== 200 || payload["success"] === false) {
        tally.errors.push(`${name} ${status} ${JSON.stringify(payload).slice(0, 200)}`);
      }
      return payload;
    }
  };

  const client = async (number: number) => {
    const random = openRandom(options.seed + number);
    const url = options.urls[number % options.urls.length] ?? options.urls[0];
    const mine: string[] = [];
    let files = 0;
    // Clients do not come all in one moment; that is what the overload is for.
    await sleep(random.next() * 2 * options.pauseMs);
    while (Date.now() < until) {
      if (random.chance(READS)) await ask(url, ...readOf(random), tally.reads);
      else if (mine.length > 3) {
        const document_id = mine.shift() ?? "";
        const { success } = await ask(
          url,
          "knowledge-remove",
          { document_id, confirm: true },
          tally.writes,
        );
        if (success === true) counts.removed += 1;
        standing.delete(document_id);
      } else {
        const file = join(options.root, `note-${number}-${++files}.txt`);
        await writeFile(
          file,
          `Note ${number}-${files}: the ${random.pick(WORDS)} and the ${random.pick(WORDS)}.`,
        );
        const { document_id } = await ask(
          url,
          "knowledge-add",
          { file_path: file, async: false },
          tally.writes,
        );
        if (typeof document_id === "string") {
          mine.push(document_id);
          standing.set(document_id, file);
          counts.added += 1;
        }
      }
      await sleep(random.next() * 2 * options.pauseMs);
    }
  };

  const started = performance.now();
  await Promise.all(
    Array.from({ length: clients }, (_, number) =>
      client(number).catch((error: unknown) => tally.errors.push(String(error))),
    ),
  );
  const calls = tally.reads.length + tally.writes.length;
  return {
    calls,
    perSecond: Math.round((calls * 1_000) / (performance.now() - started)),
    reads: toTimes(tally.reads),
    writes: toTimes(tally.writes),
    ...counts,
    refused: tally.refused,
    errors: tally.errors,
    standing: [...standing.keys()],
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
