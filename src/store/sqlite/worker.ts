// A thread's entry: one connection, one role, answers calls one after another.
import { parentPort, workerData } from "node:worker_threads";
import { type CallMessage, type ReplyMessage, toWireError } from "./calls.ts";
import { openDatabase } from "./database.ts";
import { toStoreError } from "./failures.ts";
import { openReader } from "./reader.ts";
import { openWriter } from "./writer.ts";

export type WorkerRole = "read" | "write";

const { role, dataDir } = workerData as { readonly role: WorkerRole; readonly dataDir: string };
const port = parentPort;
if (!port) throw new Error("This file is the entry of a worker thread.");

const open = () => {
  const database = openDatabase(dataDir);
  const methods = role === "read" ? openReader(database) : openWriter(database);
  return { database, methods: methods as Record<string, (...args: unknown[]) => unknown> };
};
let opened: ReturnType<typeof open> | undefined;

port.on("message", ({ id, method, args }: CallMessage) => {
  if (method === "close") {
    opened?.database.close();
    port.postMessage({ id, result: undefined } satisfies ReplyMessage);
    port.close();
    return;
  }
  try {
    // A failed opening is tried again by the next call: the disk may be back.
    opened ??= open();
    const result = opened.methods[method]?.(...args);
    port.postMessage({ id, result } satisfies ReplyMessage);
  } catch (thrown) {
    port.postMessage({ id, error: toWireError(toStoreError(thrown)) } satisfies ReplyMessage);
  }
});
