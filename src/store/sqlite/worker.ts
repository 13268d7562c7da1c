// A thread's entry: one connection, one role, answers calls one after another.
import { parentPort, workerData } from "node:worker_threads";
import { type CallMessage, type ReplyMessage, toWireError } from "./calls.ts";
import { isSameBase, openDatabase } from "./database.ts";
import { toStoreError } from "./failures.ts";
import { openKnownId } from "./known-id.ts";
import { openReader } from "./reader.ts";
import { openWriter } from "./writer.ts";

export type WorkerRole = "read" | "write";

export interface WorkerData {
  readonly role: WorkerRole;
  readonly dataDir: string;
  /** Names the store that this thread belongs to. */
  readonly run: string;
  readonly known: SharedArrayBuffer;
}

const { role, dataDir, run, known } = workerData as WorkerData;
const port = parentPort;
if (!port) throw new Error("This file is the entry of a worker thread.");

const open = () => {
  const database = openDatabase(dataDir, { run, known: openKnownId(known) });
  const methods = role === "read" ? openReader(database) : openWriter(database, run);
  return { database, methods: methods as Record<string, (...args: unknown[]) => unknown> };
};
let opened: ReturnType<typeof open> | undefined;

/**
 * A restored copy of the same knowledge base is opened in the place of the file that left. Otherwise the old file
 * goes on serving searches, and refuses writes.
 */
function current(): ReturnType<typeof open> {
  if (opened && isSameBase(dataDir, opened.database)) {
    opened.database.close();
    opened = undefined;
  }
  // A failed opening is tried again by the next call: the disk may be back.
  opened ??= open();
  return opened;
}

port.on("message", ({ id, method, args }: CallMessage) => {
  if (method === "close") {
    opened?.database.close();
    port.postMessage({ id, result: undefined } satisfies ReplyMessage);
    port.close();
    return;
  }
  try {
    const result = current().methods[method]?.(...args);
    port.postMessage({ id, result } satisfies ReplyMessage);
  } catch (thrown) {
    port.postMessage({ id, error: toWireError(toStoreError(thrown)) } satisfies ReplyMessage);
  }
});
