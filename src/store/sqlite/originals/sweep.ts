// Moves unreferenced originals to the trash: rarely, a few at a time, and only from a folder that is known to be
// this database's own. With a database that was lost or restored from an old copy, every file looks unneeded.
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { type Message, toMessage } from "../../../domain/phrases/messages.ts";
import { namesIn } from "../../core/durable-files.ts";
import { storageIssue } from "../../core/probe-write.ts";
import type { Trash } from "../../core/trash.ts";
import type { DocumentRepository } from "../../documents/documents.ts";
import { isTooMany } from "../../documents/unreferenced.ts";
import type { OriginalsSurvey, SweepReport } from "../../store.ts";
import type { Ownership } from "../folder/identity.ts";
import type { Calls } from "../thread/thread-rpc.ts";
import type { Writer } from "../thread/writer.ts";
import type { Originals } from "./originals.ts";

export interface SweepParts {
  readonly folder: string;
  readonly originals: Originals;
  readonly trash: Trash;
  readonly writer: Calls<Writer>;
  readonly unreferenced: DocumentRepository["unreferenced"];
}

const HASH = /^[0-9a-f]{64}$/;
/** A task is enqueued well within this time after its original is kept. */
const GRACE_MS = 60 * 60 * 1000;
/** Older copies are not being written by any living process. */
const ABANDONED_MS = 24 * 60 * 60 * 1000;

export async function sweepOriginals(parts: SweepParts): Promise<SweepReport> {
  const { originals, writer, unreferenced } = parts;
  const ownership = await writer.call("ownership", []);
  const problem = problemOf(ownership);
  if (problem !== undefined) return { kind: "stopped", problem };
  const broughtBack = await bringBackNeeded(parts);
  const removed = await finishRemovals(parts);
  const { files, abandoned } = await scanFolder(parts.folder);
  const before = Date.now() - GRACE_MS;
  const orphans = await unreferenced(
    files.filter(({ modifiedMs }) => modifiedMs <= before).map(({ hash }) => hash),
  );
  if (isTooMany(orphans.length, files.length)) {
    return { kind: "stopped", problem: tooMany(orphans.length, files.length) };
  }
  let trashed = 0;
  for (const hash of orphans) {
    const filename = await writer.call("filenameOf", [hash]);
    const note = { why: "unreferenced", ...(filename === undefined ? {} : { filename }) } as const;
    if (await originals.drop(hash, before, note)) trashed += 1;
  }
  for (const path of abandoned) {
    await parts.trash.take(path, { why: "abandoned" });
    trashed += 1;
  }
  const isMarkedAgain = ownership.kind === "marked-again";
  if (isMarkedAgain) await writer.call("noteReported", []);
  return { kind: "swept", trashed, removed, broughtBack, isMarkedAgain };
}

/** Changes nothing; for `doctor`. */
export async function surveyOriginals(parts: SweepParts): Promise<OriginalsSurvey> {
  const { writer, unreferenced, folder, trash } = parts;
  const ownership = await writer.call("ownership", []);
  const { files, abandoned } = await scanFolder(folder);
  const here = new Set(files.map(({ hash }) => hash));
  const needed = await writer.call("contentHashes", []);
  // Where nothing is needed, no file waits for its task.
  const before = Date.now() - (needed.length === 0 ? 0 : GRACE_MS);
  const old = files.filter(({ modifiedMs }) => modifiedMs <= before).map(({ hash }) => hash);
  const orphans = await unreferenced(old);
  const items = await trash.list();
  const inTrash = new Set(items.map(({ hash }) => hash));
  const problem =
    problemOf(ownership) ??
    (isTooMany(orphans.length, files.length) ? tooMany(orphans.length, files.length) : undefined);
  return {
    files: files.length + abandoned.length,
    unreferenced: orphans.length,
    missing: needed.filter((hash) => !here.has(hash) && !inTrash.has(hash)).length,
    inTrash: items.length,
    ...(problem === undefined ? {} : { problem }),
  };
}

/** The problem if the folder is not this database's or cannot be used. */
export function problemOf(ownership: Ownership): Message | undefined {
  switch (ownership.kind) {
    case "ours":
    case "marked-again":
      return undefined;
    case "not-ours":
      return toMessage("originalsOfOther");
    case "missing":
      return toMessage("originalsMissing");
    case "unreadable":
      return storageIssue(ownership.code);
  }
}

function tooMany(orphans: number, files: number): Message {
  return toMessage("originalsOfNone", orphans, files);
}

/** Files that were moved to the trash under an older database may be needed again by the newer one. */
async function bringBackNeeded({ unreferenced, originals, trash }: SweepParts): Promise<number> {
  const hashes = (await trash.list()).map(({ hash }) => hash);
  const unneeded = new Set(await unreferenced(hashes));
  let count = 0;
  for (const hash of hashes) {
    if (!unneeded.has(hash) && (await originals.bringBack(hash))) count += 1;
  }
  return count;
}

async function finishRemovals(parts: SweepParts): Promise<number> {
  const { writer, unreferenced, originals } = parts;
  // During the grace period a file may belong to a task that is not in the database yet.
  const before = Date.now() - GRACE_MS;
  const dropped = (await writer.call("dropped", [])).filter(({ droppedAt }) => droppedAt <= before);
  const unneeded = new Set(await unreferenced(dropped.map(({ hash }) => hash)));
  let count = 0;
  for (const { hash, droppedAt } of dropped) {
    if (unneeded.has(hash) && (await originals.drop(hash, droppedAt))) count += 1;
  }
  if (dropped.length > 0) await writer.call("forgetDropped", [dropped.map(({ hash }) => hash)]);
  return count;
}

interface FolderScan {
  readonly files: readonly { readonly hash: string; readonly modifiedMs: number }[];
  /** Paths of copies left by processes that died. */
  readonly abandoned: readonly string[];
}

async function scanFolder(folder: string): Promise<FolderScan> {
  const files: { hash: string; modifiedMs: number }[] = [];
  const abandoned: string[] = [];
  for (const shelf of await namesIn(folder)) {
    for (const name of await namesIn(join(folder, shelf))) {
      const path = join(folder, shelf, name);
      // It was removed since the folder was listed.
      const found = await stat(path).catch(() => undefined);
      if (!found?.isFile()) continue;
      if (HASH.test(name)) files.push({ hash: name, modifiedMs: found.mtimeMs });
      else if (found.mtimeMs < Date.now() - ABANDONED_MS) abandoned.push(path);
    }
  }
  return { files, abandoned };
}
