// A thread's entry: one connection, one role, answers calls one after another.
import { parentPort, workerData } from "node:worker_threads";
import { isSameBase, openDatabase } from "../database.ts";
import { openKnownId } from "../folder/known-id.ts";
import { openReader } from "./reader.ts";
import { serveCalls } from "./serve-calls.ts";
import { openWriter } from "./writer.ts";

export type WorkerRole = "read" | "write";

export interface WorkerData {
  readonly role: WorkerRole;
  readonly dataDir: string;
  /** Names the store that this thread belongs to. */
  readonly run: string;
  readonly known: SharedArrayBuffer;
  readonly pulse: Int32Array;
}

const { role, dataDir, run, known, pulse } = workerData as WorkerData;
const port = parentPort;
if (!port) throw new Error("This file is the entry of a worker thread.");

const open = () => {
  const database = openDatabase(dataDir, { run, known: openKnownId(known), pulse });
  const methods = role === "read" ? openReader(database) : openWriter(database, run);
  return { database, methods: methods as Record<string, (...args: unknown[]) => unknown> };
};
let opened: ReturnType<typeof open> | undefined;

const reopen = () => {
  opened?.database.close();
  opened = undefined;
};

/**
 * A restored copy of the same knowledge base is opened in the place of the file that left. Otherwise the old file
 * goes on serving searches, and refuses writes.
 */
function current(): ReturnType<typeof open> {
  if (opened && isSameBase(dataDir, opened.database)) reopen();
  // A failed opening is tried again by the next call: the disk may be back.
  opened ??= open();
  return opened;
}

serveCalls(port, ({ method, args }) => {
  if (method === "close") return opened?.database.close();
  // What could only be read is tried again: there may be space or a right by now.
  if (opened?.database.readOnly && (role === "write" || method === "status")) reopen();
  return current().methods[method]?.(...args);
});
