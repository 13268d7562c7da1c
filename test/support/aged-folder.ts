// A data folder in which everything is old enough for a sweep, and the bytes that are still anywhere in it.
import { createHash, randomUUID } from "node:crypto";
import { readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { tidy } from "../../src/ingest/queue/tidy.ts";
import { openLog } from "../../src/observe/log.ts";
import { openTrash } from "../../src/store/core/trash.ts";
import type { Store } from "../../src/store/store.ts";
import { addSample } from "./sample-documents.ts";

const LONG_AGO = new Date(Date.now() - 3 * 24 * 60 * 60 * 1000);

export const sha256 = (bytes: string | Uint8Array) =>
  createHash("sha256").update(bytes).digest("hex");

/** An original without a document. */
export async function keepText(store: Store, dataDir: string, text: string): Promise<string> {
  const path = join(dataDir, `private-${randomUUID()}`);
  writeFileSync(path, text);
  await store.originals.keep(sha256(text), path);
  return sha256(text);
}

export async function addWithOriginal(
  store: Store,
  dataDir: string,
  text: string,
  given: Parameters<typeof addSample>[2] = {},
): Promise<{ readonly id: string; readonly hash: string }> {
  const hash = await keepText(store, dataDir, text);
  return { id: await addSample(store.documents, [text], { contentHash: hash, ...given }), hash };
}

/** Files of the whole folder, paths relative to it. */
function filesBelow(dataDir: string): readonly string[] {
  return readdirSync(dataDir, { recursive: true, encoding: "utf8" }).filter((name) =>
    statSync(join(dataDir, name)).isFile(),
  );
}

export function makeOld(dataDir: string): void {
  for (const name of filesBelow(dataDir)) utimesSync(join(dataDir, name), LONG_AGO, LONG_AGO);
}

/** Whatever their names: the bytes of every file that is neither a database nor the program's own note. */
export function bytesIn(dataDir: string): ReadonlySet<string> {
  const files = filesBelow(dataDir).filter(
    (name) => !/knowledge\.db|lock\.db|processes\/|\.json$|knowledge-base-id$/.test(name),
  );
  return new Set(files.map((name) => sha256(readFileSync(join(dataDir, name)))));
}

export const originalsIn = (dataDir: string) =>
  filesBelow(join(dataDir, "originals"))
    .map((name) => name.split("/").at(-1) ?? "")
    .filter((name) => /^[0-9a-f]{64}$/.test(name));

export interface Tidied {
  readonly lines: readonly Readonly<Record<string, unknown>>[];
}

/** What a server does at its start and every hour. */
export async function tidyFolder(store: Store, dataDir: string): Promise<Tidied> {
  const lines: Record<string, unknown>[] = [];
  const log = openLog({ level: "info", write: (line) => lines.push(JSON.parse(line)) });
  const trash = openTrash(join(dataDir, "trash"));
  const options = { store, incomingDir: join(dataDir, "incoming"), trash, log };
  await tidy(options).catch((error: unknown) => log.warn("ingest.tidy-failed", { error }));
  return { lines };
}
