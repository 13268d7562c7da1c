// The messages on the socket: a greeting, then one line of JSON each way. One connection per search.
import { createHash } from "node:crypto";
import { realpathSync, statSync } from "node:fs";
import type { Socket } from "node:net";
import { join } from "node:path";
import * as z from "zod";
import type { SearchOutcome, SearchRequest } from "../search.ts";

/** Both sides must have the same values; otherwise they would search different data or in a different way. */
export interface Identity {
  readonly version: string;
  readonly dataDir: string;
  /** The settings that a search depends on. */
  readonly settings: Readonly<Record<string, unknown>>;
}

const PROTOCOL = 2;
const DATABASE = "knowledge.db";
/** What finds and ranks; keys say nothing about results. */
const DEPENDS_ON = /^(?:database|embed|model|rerank)/;

export function identityOf(config: { readonly dataDir: string }, version: string): Identity {
  const settings = Object.entries(config).filter(
    ([name]) => DEPENDS_ON.test(name) && !name.endsWith("Key"),
  );
  return {
    version,
    dataDir: realFolder(config.dataDir),
    settings: Object.fromEntries(settings),
  };
}

/** Links lead several ways to one folder. */
function realFolder(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    // It does not exist yet.
    return path;
  }
}

/** Computed again for each connection: the folder may have been moved or replaced meanwhile. */
export function greetingOf({ version, dataDir, settings }: Identity): string {
  const file = statSync(join(dataDir, DATABASE), { throwIfNoEntry: false });
  const all = [PROTOCOL, version, dataDir, file?.dev, file?.ino, Object.entries(settings).sort()];
  return createHash("sha256").update(JSON.stringify(all)).digest("hex");
}

const text = z.string();
/** What a wrong program would most likely not have: a server with our greeting has the same version and user. */
const passage = z.looseObject({
  documentId: text,
  chunkId: text,
  filename: text,
  text,
  headings: z.array(text),
  metadata: z.record(text, z.unknown()),
  score: z.number().min(0).max(1),
});
const outcome = z.looseObject({
  passages: z.array(passage),
  mode: text,
  reason: text.optional(),
});
const request = z.looseObject({
  text: z.string().max(10_000),
  limit: z.number().int().min(1).max(1_000),
  minScore: z.number().optional(),
  filter: z.looseObject({}).optional(),
  sight: z.array(text).optional(),
});

export function readRequest(line: string): SearchRequest {
  return request.parse(JSON.parse(line)) as SearchRequest;
}

/** Undefined if it does not have the shape of our search results. */
export function readOutcome(line: string, { limit }: SearchRequest): SearchOutcome | undefined {
  try {
    const read = outcome.parse(JSON.parse(line)) as unknown as SearchOutcome;
    return read.passages.length <= limit ? read : undefined;
  } catch {
    return undefined;
  }
}

/** Lines from a socket. A line longer than `most` bytes ends the connection. */
export async function* linesOf(socket: Socket, most: number): AsyncGenerator<string> {
  let waiting = "";
  socket.setEncoding("utf8");
  for await (const part of socket) {
    waiting += part as string;
    for (let end = waiting.indexOf("\n"); end >= 0; end = waiting.indexOf("\n")) {
      yield waiting.slice(0, end);
      waiting = waiting.slice(end + 1);
    }
    if (waiting.length > most) return;
  }
}
