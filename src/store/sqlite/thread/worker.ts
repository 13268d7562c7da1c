// Entry point of a thread: one connection in one role, which serves calls one at a time.
import { parentPort, workerData } from "node:worker_threads";
import { openSharedByThreads } from "../folder/shared-by-threads.ts";
import { openConnection, type Role } from "./connection.ts";
import { serveCalls } from "./serve-calls.ts";

export interface WorkerData {
  readonly role: Role;
  readonly dataDir: string;
  readonly shared: SharedArrayBuffer;
}

const { shared, ...rest } = workerData as WorkerData;
const port = parentPort;
if (!port) throw new Error("This file is the entry of a worker thread.");

const connection = openConnection({ ...rest, shared: openSharedByThreads(shared) });
serveCalls(port, ({ method, args, sight }) =>
  method === "close" || method === "close-database"
    ? connection.close()
    : connection.serve(method, args, sight),
);
