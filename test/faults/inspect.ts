// A sound process opens what a faulty disk left behind and looks at all of it.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { openDatabase } from "../../src/store/sqlite/database.ts";
import { openReader, type Reader } from "../../src/store/sqlite/thread/reader.ts";
import { openWriter } from "../../src/store/sqlite/thread/writer.ts";
import { openAnalyser } from "../../src/text/analyse.ts";
import { openStoreHere } from "../support/temp-store.ts";
import { addFile, type Knowledge, openRoomsAt, type Place, textOf } from "./operations.ts";

export interface Inspection {
  /** With the files of open tasks, which are still to be read. */
  readonly knowledge: Knowledge;
  /** What should not be, in plain words. */
  readonly problems: readonly string[];
  /** Tasks by id, and how they are. */
  readonly tasks: ReadonlyMap<string, string>;
}

const WORK_WITHIN_MS = 100_000;
const LATER = "later.txt";
const analyser = openAnalyser();

/** On this thread, without the store's own: a test looks at thousands of folders. */
export function inspect(dataDir: string): Inspection {
  const database = openDatabase(dataDir);
  try {
    const problems = database
      .all<{ integrity_check: string }>("PRAGMA integrity_check")
      .filter((row) => row.integrity_check !== "ok")
      .map((row) => `integrity: ${row.integrity_check}`);
    const reader = openReader(database);
    const documents = readDocuments(reader, dataDir, problems);
    const tasks = reader.taskList({ limit: 100 });
    for (const { status, request } of tasks.toReversed()) {
      if (status !== "queued" && status !== "running") continue;
      const { filename, contentHash } = request;
      const bytes = readOriginal(dataDir, contentHash);
      if (bytes === undefined) problems.push(`the task of ${filename} has lost its file`);
      else documents[filename] = bytes.toString();
    }
    const rule = reader.allScopes()[0]?.entries[0]?.content ?? "";
    // Nothing of it stays in the way of later work.
    openWriter(database).apply([{ kind: "put-scope", scope: { id: "later", tier: "GENERAL" } }]);
    const byId = new Map(tasks.map(({ id, status }) => [id, status]));
    return { knowledge: { documents, rule }, problems, tasks: byId };
  } finally {
    database.close();
  }
}

/** Works the open tasks and adds one more file, as a server would that starts on the folder. */
export async function takeUpWork(place: Place, dataDir: string): Promise<readonly string[]> {
  const rooms = openRoomsAt(place, dataDir, openStoreHere);
  const { store, ingest } = rooms;
  const problems: string[] = [];
  try {
    ingest.start();
    const until = performance.now() + WORK_WITHIN_MS;
    for (let open = 1; open > 0; await sleep(3)) {
      const { queued, running } = await store.tasks.counts();
      open = queued + running;
      if (open === 0 || performance.now() < until) continue;
      problems.push(`${open} tasks are still open`);
      break;
    }
    await addFile(rooms, LATER, textOf("later"));
  } finally {
    await rooms.close();
  }
  const { knowledge, problems: found } = inspect(dataDir);
  if (knowledge.documents[LATER] !== textOf("later")) problems.push("a later add is not there");
  return [...problems, ...found];
}

function readDocuments(reader: Reader, dataDir: string, problems: string[]) {
  const page = { limit: 100, offset: 0, sortBy: "filename", sortOrder: "asc" } as const;
  const found: Record<string, string> = {};
  for (const { id, filename, contentHash, chunkCount } of reader.list(page).documents) {
    const text = reader.extracted(id)?.text ?? "";
    if (filename in found) problems.push(`${filename} is there twice`);
    found[filename] = text;
    const bytes = readOriginal(dataDir, contentHash);
    if (bytes === undefined) problems.push(`${filename} has no original`);
    else if (sha256(bytes) !== contentHash) problems.push(`${filename}'s original has other bytes`);
    else if (bytes.toString() !== text) problems.push(`${filename}'s text is not its original's`);
    const chunks = reader.chunksOf(id);
    if (chunks.length !== chunkCount) problems.push(`${filename} lacks chunks`);
    if (!chunks.every((chunk) => isFound(reader, chunk.key, chunk.text)))
      problems.push(`${filename} is not found by a search`);
  }
  return found;
}

function isFound(reader: Reader, key: number, text: string): boolean {
  const terms = analyser.terms(text.slice(0, 40)).map((term) => ({ term, weight: 1 }));
  return reader.lexical({ terms, limit: 100 }).hits.keys.includes(key);
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
