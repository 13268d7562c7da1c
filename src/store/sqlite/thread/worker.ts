// Entry point of a thread: one connection in one role, which serves calls one at a time.
import { parentPort, workerData } from "node:worker_threads";
import { openKnownId } from "../folder/known-id.ts";
import { openKnownLog } from "../folder/known-log.ts";
import { openConnection, type Role } from "./connection.ts";
import { serveCalls } from "./serve-calls.ts";

export interface WorkerData {
  readonly role: Role;
  readonly dataDir: string;
  readonly run: string;
  readonly known: SharedArrayBuffer;
  readonly knownLog: SharedArrayBuffer;
  readonly pulse: Int32Array;
}

const { known, knownLog, ...rest } = workerData as WorkerData;
const port = parentPort;
if (!port) throw new Error("This file is the entry of a worker thread.");

const connection = openConnection({
  ...rest,
  known: openKnownId(known),
  knownLog: openKnownLog(knownLog),
});
serveCalls(port, ({ method, args }) =>
  method === "close" || method === "close-database"
    ? connection.close()
    : connection.serve(method, args),
);
