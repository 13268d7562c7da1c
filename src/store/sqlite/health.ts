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

export function openHealth(parts: HealthParts): () => Promise<StoreHealth> {
  const state = { hasReplied: false };
  return oncePerSecond(() => checkHealth(parts, state));
}

interface HealthState {
  /** The first call also starts the thread and opens the database, so it may take longer. */
  hasReplied: boolean;
}

async function checkHealth(
  { dataDir, reader, tasks, swept }: HealthParts,
  state: HealthState,
): Promise<StoreHealth> {
  const originalsLocation = join(dataDir, ORIGINALS_FOLDER);
  const place = { location: join(dataDir, DATABASE_FILE), originalsLocation } as const;
  const status = await inTime(reader.call("status", []), state).catch((thrown: unknown) => ({
    failure: messageOf(thrown),
  }));
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

/** A health check must not wait for a thread that hangs in a failing disk. */
const REPLY_MS = 1_500;
const OPEN_MS = 15_000;

async function inTime<Result>(work: Promise<Result>, state: HealthState): Promise<Result> {
  const withinMs = state.hasReplied ? REPLY_MS : OPEN_MS;
  const late = sleep(withinMs, undefined, { ref: false }).then(() => {
    throw new KnowledgeError("STORE_UNAVAILABLE", toMessage("noResponse"));
  });
  const result = await Promise.race([work, late]);
  state.hasReplied = true;
  return result;
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
