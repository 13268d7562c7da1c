// Opens what a faulty disk left behind, on a healthy disk, and checks all of it.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import type { Store } from "../../src/store/store.ts";
import { openAnalyser } from "../../src/text/analyse.ts";
import { openStoreAt } from "../../test/support/temp-store.ts";
import { askOf, isIdle, write } from "./operate.ts";
import { type Knowledge, type Place, textOf } from "./operations.ts";
import { startServer } from "./program.ts";

export interface Inspection {
  /** Including the files of open tasks, which are still to be read. */
  readonly knowledge: Knowledge;
  /** What is wrong, in plain words. */
  readonly problems: readonly string[];
  /** The status of each task, by id. */
  readonly tasks: ReadonlyMap<string, string>;
}

const WORK_WITHIN_MS = 120_000;
const POLL_MS = 20;
const LATER = "later.txt";
const analyser = openAnalyser();

/** Not with a process per folder, which would take too long: there are thousands. */
export async function inspect(dataDir: string): Promise<Inspection> {
  const store = openStoreAt(dataDir);
  const problems: string[] = [];
  try {
    const documents = await readDocuments(store, dataDir, problems);
    const tasks = await store.tasks.list({ limit: 100 });
    for (const { status, request } of tasks.toReversed()) {
      if (status !== "queued" && status !== "running") continue;
      const { filename, contentHash } = request;
      const bytes = readOriginal(dataDir, contentHash);
      if (bytes === undefined) problems.push(`the task of ${filename} has lost its file`);
      else documents[filename] = bytes.toString();
    }
    const [rule] = (await store.scopes.all()).flatMap(({ entries }) => entries);
    // Writing works again.
    await store.scopes.apply([{ kind: "put-scope", scope: { id: "later", tier: "GENERAL" } }]);
    const byId = new Map(tasks.map(({ id, status }) => [id, status]));
    return { knowledge: { documents, rule: rule?.content ?? "" }, problems, tasks: byId };
  } finally {
    await store.close();
    problems.push(...integrityOf(dataDir));
  }
}

function integrityOf(dataDir: string): readonly string[] {
  const database = new DatabaseSync(join(dataDir, "knowledge.db"), { readOnly: true });
  try {
    const rows = database.prepare("PRAGMA integrity_check").all();
    return rows
      .filter((row) => row["integrity_check"] !== "ok")
      .map((row) => `integrity: ${row["integrity_check"]}`);
  } finally {
    database.close();
  }
}

/** A server starts on the folder, works the open tasks, and is given one more file. */
export async function takeUpWork(place: Place, dataDir: string): Promise<readonly string[]> {
  const server = startServer({ dataDir, files: place.files });
  const ask = askOf(server);
  const problems: string[] = [];
  try {
    const until = performance.now() + WORK_WITHIN_MS;
    while (!(await isIdle(ask)) && performance.now() < until) await sleep(POLL_MS);
    if (!(await isIdle(ask))) problems.push("tasks are still open");
    const file_path = write(place, LATER, textOf("later"));
    const { message, success } = await ask("knowledge-add", { file_path, async: false });
    if (success !== true) problems.push(`a later add failed: ${message}`);
  } finally {
    await server.end();
  }
  const { knowledge, problems: found } = await inspect(dataDir);
  if (knowledge.documents[LATER] !== textOf("later")) problems.push("a later add is not there");
  return [...problems, ...found];
}

async function readDocuments({ documents }: Store, dataDir: string, problems: string[]) {
  const page = { limit: 100, offset: 0, sortBy: "filename", sortOrder: "asc" } as const;
  const found: Record<string, string> = {};
  for (const { id, filename, contentHash, chunkCount } of (await documents.list(page)).documents) {
    const text = (await documents.extracted(id))?.text ?? "";
    if (filename in found) problems.push(`${filename} is there twice`);
    found[filename] = text;
    const bytes = readOriginal(dataDir, contentHash);
    if (bytes === undefined) problems.push(`${filename} has no original`);
    else if (sha256(bytes) !== contentHash) problems.push(`${filename}'s original has other bytes`);
    else if (bytes.toString() !== text) problems.push(`${filename}'s text is not its original's`);
    const chunks = await documents.chunksOf(id);
    if (chunks.length !== chunkCount) problems.push(`${filename} lacks chunks`);
    const hits = await Promise.all(chunks.map(({ key, text }) => isFound(documents, key, text)));
    if (hits.includes(false)) problems.push(`${filename} is not found by a search`);
  }
  return found;
}

async function isFound(documents: Store["documents"], key: number, text: string) {
  const terms = analyser.terms(text.slice(0, 40)).map((term) => ({ term, weight: 1 }));
  const { hits } = await documents.lexical({ terms, limit: 100 });
  return hits.some((hit) => hit.key === key);
}

function readOriginal(dataDir: string, hash: string): Buffer | undefined {
  try {
    return readFileSync(join(dataDir, "originals", hash.slice(0, 2), hash));
  } catch {
    return undefined;
  }
}

function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}
