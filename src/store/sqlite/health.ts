// Performs the steps of an add that leave nothing behind, so "healthy" means that an add would work.
import { statfs } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { KnowledgeError, messageOf } from "../../domain/errors.ts";
import { distinct, type Message, toMessage } from "../../domain/phrases/messages.ts";
import { oncePerSecond, probeWrite } from "../core/probe-write.ts";
import { setAsideIssue } from "../core/read-task.ts";
import type { StoreHealth } from "../store.ts";
import type { TaskRepository } from "../tasks.ts";
import { DATABASE_FILE } from "./connect.ts";
import { ORIGINALS_FOLDER } from "./folder/identity.ts";
import { movedError } from "./folder/open-file.ts";
import { problemOf } from "./originals/sweep.ts";
import type { Reader, ReaderStatus } from "./thread/reader.ts";
import type { Calls } from "./thread/thread-rpc.ts";

export interface HealthParts {
  readonly dataDir: string;
  readonly reader: Calls<Reader>;
  readonly tasks: Pick<TaskRepository, "setAside">;
  /** What stopped the last sweep, if anything. */
  readonly swept: () => Message | undefined;
}

/** Less than a large document with its index needs. */
const FREE_BYTES = 64 * 1024 * 1024;
/** A health check must not wait for a thread that hangs in a failing disk. The first one also opens the database. */
const REPLY_MS = 1_500;
const OPEN_MS = 15_000;

export function openHealth(parts: HealthParts): () => Promise<StoreHealth> {
  let withinMs = OPEN_MS;
  const readStatus = async () => {
    const status = await inTime(parts.reader.call("status", []), withinMs);
    withinMs = REPLY_MS;
    return status;
  };
  return oncePerSecond(() => checkHealth(parts, readStatus));
}

async function checkHealth(
  { dataDir, tasks, swept }: HealthParts,
  readStatus: () => Promise<ReaderStatus>,
): Promise<StoreHealth> {
  const originalsLocation = join(dataDir, ORIGINALS_FOLDER);
  const place = { location: join(dataDir, DATABASE_FILE), originalsLocation } as const;
  const status = await readStatus().catch((thrown: unknown) => ({ failure: messageOf(thrown) }));
  if ("failure" in status) {
    const storage = await probeWrite(originalsLocation);
    const issues = distinct([status.failure, storage]);
    const originalsAccessible = storage === undefined;
    return { kind: "sqlite", connected: false, originalsAccessible, ...place, issues };
  }
  const database = databaseIssues(status);
  // A thread that cannot respond is reported by its status above.
  const setAside = setAsideIssue(await tasks.setAside().catch(() => []));
  const storage = problemOf(status.ownership) ?? (await probeWrite(originalsLocation));
  const issues = [
    ...database,
    ...distinct([storage, swept(), setAside]),
    ...(await spaceIssues(dataDir)),
  ];
  return {
    kind: "sqlite",
    connected: status.isAtPath,
    originalsAccessible: status.isAtPath && storage === undefined,
    ...place,
    issues,
  };
}

async function inTime<Result>(work: Promise<Result>, withinMs: number): Promise<Result> {
  const late = sleep(withinMs, undefined, { ref: false }).then(() => {
    throw new KnowledgeError("STORE_UNAVAILABLE", toMessage("noResponse"));
  });
  return Promise.race([work, late]);
}

function databaseIssues({ readOnly, isAtPath, isWritable }: ReaderStatus): readonly Message[] {
  if (!isAtPath) return [messageOf(movedError())];
  if (readOnly) return [toMessage("readOnly")];
  return isWritable ? [] : [toMessage("notWritable")];
}

async function spaceIssues(dataDir: string): Promise<readonly Message[]> {
  const disk = await statfs(dataDir).catch(() => undefined);
  if (disk === undefined) return [];
  const free = disk.bavail * disk.bsize;
  if (free >= FREE_BYTES) return [];
  const megabytes = Math.floor(free / 1_000_000);
  return [toMessage("littleSpace", megabytes)];
}
