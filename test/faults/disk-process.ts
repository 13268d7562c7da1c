// A process on a faulty disk: performs the operations that stdin asks for, one after another, and says on stdout
// what the program has acknowledged.
import { writeSync } from "node:fs";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { KnowledgeError } from "../../src/domain/errors.ts";
import { openStoreAt, openStoreHere } from "../support/temp-store.ts";
import { readCounts } from "./disk-control.ts";
import {
  addFile,
  backupOf,
  dataDirOf,
  idOf,
  maintain,
  newDirOf,
  type Operation,
  openRoomsAt,
  type Place,
  putRule,
  queueFile,
  type Rooms,
  restoredDirOf,
  sourceBackupOf,
  textOf,
} from "./operations.ts";

export interface Command extends Place {
  readonly operation: Operation;
  /** With the store's threads, as a server has them; without, many more cases fit into the time. */
  readonly threads: boolean;
}

type Fact =
  | { readonly kind: "queued"; readonly task: string }
  | { readonly kind: "done"; readonly operation: Operation }
  | { readonly kind: "failed"; readonly code: string; readonly message: string }
  | { readonly kind: "not-closed"; readonly message: string }
  | { readonly kind: "end" };

/** `calls`: how many calls to the disk there had been before it was said. */
export type Said = Fact & { readonly calls: number };

const CONTROL = process.env["FAULTY_DISK_CONTROL"] ?? "";

const TRY_FOR_MS = 3_000;

/** Synchronous, because a kill would lose buffered output. */
const say = (fact: Fact) => {
  const calls = readCounts(CONTROL).calls;
  writeSync(1, `${JSON.stringify({ ...fact, calls } satisfies Said)}\n`);
};
const queued = (task: string) => void say({ kind: "queued", task });

const OPERATE: Record<
  Exclude<Operation, "backup" | "restore">,
  (rooms: Rooms) => Promise<unknown>
> = {
  first: (rooms) => addFile(rooms, "fir.txt", textOf("fir"), queued),
  add: (rooms) => addFile(rooms, "fir.txt", textOf("fir"), queued),
  enqueue: async (rooms) => queued((await queueFile(rooms, "fir.txt", textOf("fir"))).id),
  replace: (rooms) => addFile(rooms, "apple.txt", textOf("apple", 2), queued),
  remove: async (rooms) => rooms.store.documents.remove(await idOf(rooms, "birch.txt")),
  clear: ({ store }) => store.documents.clear(),
  rule: (rooms) => putRule(rooms, "rule 2"),
  async work({ ingest, store }) {
    ingest.start();
    // On a disk that keeps failing, a server would try for ever.
    for (let until = Number.POSITIVE_INFINITY; performance.now() < until; await sleep(5)) {
      const { queued, running } = await store.tasks.counts();
      if (queued + running === 0) return;
      if (readCounts(CONTROL).fired > 0) until = Math.min(until, performance.now() + TRY_FOR_MS);
    }
    throw new KnowledgeError("STORE_UNAVAILABLE", "The waiting task is still open.");
  },
};

async function perform({ operation, threads, ...place }: Command): Promise<void> {
  if (operation === "backup") return maintain("backup", backupOf(place), dataDirOf(place));
  if (operation === "restore")
    return maintain("restore", sourceBackupOf(place), restoredDirOf(place));
  const dataDir = operation === "first" ? newDirOf(place) : dataDirOf(place);
  const rooms = openRoomsAt(place, dataDir, threads ? openStoreAt : openStoreHere);
  try {
    await OPERATE[operation](rooms);
    say({ kind: "done", operation });
  } finally {
    await rooms.close().catch((thrown) => say({ kind: "not-closed", message: String(thrown) }));
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  const command = JSON.parse(line) as Command;
  try {
    await perform(command);
    if (command.operation === "backup" || command.operation === "restore")
      say({ kind: "done", operation: command.operation });
  } catch (thrown) {
    const { code, message, failure } = thrown as {
      readonly code?: string;
      readonly message: string;
      readonly failure?: { readonly error: string };
    };
    say({ kind: "failed", code: failure?.error ?? code?.toLowerCase() ?? "unknown", message });
  }
  say({ kind: "end" });
}
