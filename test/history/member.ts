// One of several processes on a knowledge base: does what stdin asks for, all at once, and answers on stdout.
//   node member.ts sqlite DATA_DIR FILES | node member.ts postgres URL FILES
import { createHash } from "node:crypto";
import { readFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import type { StoredDocument } from "../../src/domain/document.ts";
import { openScopes } from "../../src/scopes/scopes.ts";
import { openAnalyser, openSearch } from "../../src/search/search.ts";
import { openPostgres } from "../../src/store/postgres/postgres.ts";
import { openPlainIngest } from "../support/plain-ingest.ts";
import { letterEmbed } from "../support/plain-parts.ts";
import { silentLog } from "../support/silent-log.ts";
import { openStoreAt } from "../support/temp-store.ts";

export type Request =
  | { readonly kind: "put" | "remove" | "read"; readonly path: string }
  | { readonly kind: "clear" | "list" | "settle" }
  | { readonly kind: "search"; readonly text: string }
  | { readonly kind: "put-rule"; readonly keyword: string; readonly content: string }
  | { readonly kind: "remove-rule" | "read-rule"; readonly keyword: string };

export type Answer = Readonly<Record<string, unknown>>;
export type Line =
  | { readonly id: number; readonly queued: string }
  | { readonly id: number; readonly answer: Answer }
  | { readonly id: number; readonly failed: string };

const [kind = "", place = "", files = ""] = process.argv.slice(2);
const log = silentLog();
const patient = { connectTimeoutMs: 60_000, retryForMs: 60_000 };
const store =
  kind === "postgres" ? openPostgres({ url: place, log, ...patient }) : openStoreAt(place);
const dataDir = kind === "postgres" ? join(files, "..", "incoming") : place;
const ingest = openPlainIngest({ store, dataDir, root: files });
const search = openSearch({
  store: store.documents,
  embed: letterEmbed(),
  analyser: openAnalyser(),
  log,
});
const scopes = openScopes({ store: store.scopes, log });
const NEVER = new AbortController().signal;

const say = (line: Line) => writeSync(1, `${JSON.stringify(line)}\n`);
const where = { scope: "team", category: "style" };
const toPair = ({ filename, contentHash }: StoredDocument) => [filename, contentHash] as const;

async function list(): Promise<readonly StoredDocument[]> {
  const page = { limit: 100, offset: 0, sortBy: "filename", sortOrder: "asc" } as const;
  return (await store.documents.list(page)).documents;
}

async function put(id: number, path: string): Promise<Answer> {
  const add = { metadata: {}, forceOcr: false, signal: NEVER };
  const { task } = await ingest.enqueue({ kind: "file", path }, add);
  say({ id, queued: task.id });
  const { status, result, failure } = await ingest.finish(task.id, { signal: NEVER });
  return { status, present: result?.alreadyPresent ?? false, failure: failure?.error };
}

async function remove(path: string): Promise<Answer> {
  const found = await store.documents.findByPath(path);
  if (!found) return { absent: true };
  const removed = await store.documents.remove(found.id);
  // Somebody else was quicker: it says nothing about the path.
  return removed ? { removed: removed.contentHash } : {};
}

/** When nothing is open any more: every task's end, and every document with its file. */
async function settle(): Promise<Answer> {
  for (;;) {
    const { queued, running } = await store.tasks.counts();
    if (queued + running === 0) break;
    await sleep(10);
  }
  const tasks = await store.tasks.list({ limit: 10_000 });
  const documents = await list();
  const broken: string[] = [];
  for (const { filename, contentHash } of documents) {
    const hash = await hashOfOriginal(contentHash).catch(() => "none");
    if (hash !== contentHash) broken.push(filename);
  }
  const rules = (await store.scopes.all()).flatMap(({ entries }) => entries);
  return {
    tasks: tasks.map((task) => [task.id, task.status] as const),
    documents: documents.map(toPair),
    broken,
    rules: rules.map(({ keyword, content }) => [keyword, content] as const),
  };
}

async function hashOfOriginal(contentHash: string): Promise<string> {
  const { path, release } = await store.originals.open(contentHash);
  try {
    return createHash("sha256").update(readFileSync(path)).digest("hex");
  } finally {
    await release();
  }
}

async function readRule(keyword: string): Promise<Answer> {
  const version = await store.scopes.version();
  const resolved = await scopes.get(where.scope);
  return { version, content: resolved.entry(where.category, keyword)?.content };
}

async function answer(id: number, request: Request): Promise<Answer> {
  switch (request.kind) {
    case "put":
      return put(id, request.path);
    case "remove":
      return remove(request.path);
    case "read":
      return { found: (await store.documents.findByPath(request.path))?.contentHash };
    case "clear":
      return { count: (await store.documents.clear()).documents };
    case "list":
      return { documents: (await list()).map(toPair) };
    case "settle":
      return settle();
    case "search": {
      const { passages } = await search.search({ text: request.text, limit: 50 });
      return { texts: passages.map(({ text }) => text) };
    }
    case "put-rule":
      await store.scopes.apply([
        { kind: "put-entry", ...where, keyword: request.keyword, content: request.content },
      ]);
      return {};
    case "remove-rule":
      await store.scopes.apply([{ kind: "remove-entry", ...where, keyword: request.keyword }]);
      return {};
    case "read-rule":
      return readRule(request.keyword);
  }
}

await store.scopes.apply([
  { kind: "put-scope", scope: { id: where.scope, tier: "GENERAL" } },
  { kind: "put-category", scope: where.scope, name: where.category, description: "how we write" },
]);
ingest.start();
say({ id: 0, answer: {} });
for await (const line of createInterface({ input: process.stdin })) {
  const { id, ...request } = JSON.parse(line) as Request & { readonly id: number };
  answer(id, request).then(
    (given) => say({ id, answer: given }),
    (thrown: { code?: string; message: string }) =>
      say({ id, failed: thrown.code ?? thrown.message }),
  );
}
process.exit(0);
