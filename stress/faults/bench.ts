// A disk that is the same before each case, and the program that works on it.
import { accessSync, constants, cpSync, mkdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { tempFolder } from "../../test/support/temp-folder.ts";
import { type DiskControl, openDiskControl } from "./disk-control.ts";
import { askOf, type Outcome, operate, putRule, write } from "./operate.ts";
import {
  backupOf,
  dataDirOf,
  type Operation,
  type Place,
  sourceBackupOf,
  textOf,
} from "./operations.ts";
import { runCommand, startServer } from "./program.ts";

const KILL_AT = new URL("../../test/support/preloads/kill-at.ts", import.meta.url);

export interface Bench {
  readonly place: Place;
  readonly top: string;
  readonly control: DiskControl;
  /** Restores the disk to its initial state. */
  reset(): void;
  /** `log`: where the calls are recorded. */
  perform(operation: Operation, log?: string): Promise<Outcome>;
  close(): void;
}

export async function openBench(library: string): Promise<Bench> {
  const top = tempFolder("faults", memoryFolder());
  const files = tempFolder("files");
  const place = { disk: join(top, "disk"), files };
  const base = join(top, "base");
  await prepare(place);
  cpSync(place.disk, base, { recursive: true });
  const control = openDiskControl(join(top, "control"));
  const faulty = {
    LD_PRELOAD: library,
    FAULTY_DISK_FOLDER: place.disk,
    FAULTY_DISK_CONTROL: control.path,
  };
  return {
    place,
    top,
    control,
    reset() {
      rmSync(place.disk, { recursive: true, force: true });
      cpSync(base, place.disk, { recursive: true });
    },
    perform(operation, log) {
      const env = log === undefined ? faulty : { ...faulty, FAULTY_DISK_LOG: log };
      return operate(operation, { ...place, env, counts: control.counts });
    },
    close() {
      for (const folder of [top, files]) rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** In memory if possible: real syncs would only take time. */
function memoryFolder(): string {
  try {
    accessSync("/dev/shm", constants.W_OK);
    return "/dev/shm";
  } catch {
    return tmpdir();
  }
}

/** With the program that ships, on a healthy disk. */
async function prepare(place: Place): Promise<void> {
  mkdirSync(join(place.disk, "backups"), { recursive: true });
  const start = { dataDir: dataDirOf(place), files: place.files };
  const run = async (...args: string[]) => {
    const { end, stderr } = await runCommand(args, start);
    if (typeof end === "string" || end.code !== 0) throw new Error(`${args.join(" ")}: ${stderr}`);
  };
  await run("add", write(place, "apple.txt", textOf("apple")));
  await run("backup", backupOf(place));
  for (const name of ["birch", "cedar"])
    await run("add", write(place, `${name}.txt`, textOf(name)));
  const server = startServer(start);
  await putRule(askOf(server), "rule 1");
  await server.end();
  // Killed as soon as the task is stored, so that it waits.
  const env = { KILL_AT: "queued" };
  const killed = startServer({ ...start, env, preload: KILL_AT });
  const file_path = write(place, "elder.txt", textOf("elder"));
  await killed.call("knowledge-add", { file_path });
  await killed.end();
  await run("backup", sourceBackupOf(place));
}
