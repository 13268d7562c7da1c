// A disk that is the same before each case, and the process that works on it.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { accessSync, constants, cpSync, mkdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { tempFolder } from "../support/temp-folder.ts";
import { type DiskControl, openDiskControl } from "./disk-control.ts";
import type { Command, Said } from "./disk-process.ts";
import {
  addFile,
  backupOf,
  dataDirOf,
  maintain,
  type Operation,
  openRoomsAt,
  type Place,
  putRule,
  queueFile,
  sourceBackupOf,
  textOf,
} from "./operations.ts";

const PROGRAM = fileURLToPath(new URL("disk-process.ts", import.meta.url));
const CACHE = fileURLToPath(new URL("../../.tmp/compiled", import.meta.url));
// Beyond this, a caller has been left without an answer.
const ANSWER_WITHIN_MS = 200_000;

export interface Outcome {
  readonly said: readonly Said[];
  readonly end: "answered" | "killed" | "silent";
}

interface How {
  /** With the store's threads. */
  readonly threads: boolean;
  /** Where the calls are recorded: only for a new process. */
  readonly log?: string;
}

export interface Bench {
  readonly place: Place;
  readonly top: string;
  readonly control: DiskControl;
  /** The disk as it was at the beginning. */
  reset(): void;
  perform(operation: Operation, how: How): Promise<Outcome>;
  /** The next operation gets a new process. */
  endProcess(): Promise<void>;
  close(): Promise<void>;
}

export async function openBench(library: string): Promise<Bench> {
  const top = tempFolder("faults", memoryFolder());
  const files = tempFolder("files");
  const place = { disk: join(top, "disk"), files };
  const base = join(top, "base");
  await prepare(place);
  cpSync(place.disk, base, { recursive: true });
  const control = openDiskControl(join(top, "control"));
  const running: { process?: DiskProcess } = {};
  const endProcess = async () => {
    const { process: old } = running;
    delete running.process;
    await old?.kill();
  };
  return {
    place,
    top,
    control,
    endProcess,
    reset() {
      rmSync(place.disk, { recursive: true, force: true });
      cpSync(base, place.disk, { recursive: true });
    },
    async perform(operation, { threads, log }) {
      const at = { library, folder: place.disk, control: control.path, log };
      running.process ??= startProcess(at);
      const outcome = await running.process.perform({ ...place, operation, threads });
      if (outcome.end !== "answered") await endProcess();
      return outcome;
    },
    async close() {
      await endProcess();
      for (const folder of [top, files]) rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** In memory where there is such a folder: a real sync adds nothing but its time. */
function memoryFolder(): string {
  try {
    accessSync("/dev/shm", constants.W_OK);
    return "/dev/shm";
  } catch {
    return tmpdir();
  }
}

async function prepare(place: Place): Promise<void> {
  mkdirSync(join(place.disk, "backups"), { recursive: true });
  const first = openRoomsAt(place);
  await addFile(first, "apple.txt", textOf("apple"));
  await first.close();
  await maintain("backup", backupOf(place), dataDirOf(place));
  const second = openRoomsAt(place);
  for (const name of ["birch", "cedar"]) await addFile(second, `${name}.txt`, textOf(name));
  await putRule(second, "rule 1");
  await queueFile(second, "elder.txt", textOf("elder"));
  await second.close();
  await maintain("backup", sourceBackupOf(place), dataDirOf(place));
}

interface DiskProcess {
  perform(command: Command): Promise<Outcome>;
  kill(): Promise<void>;
}

interface ProcessPlace {
  readonly library: string;
  readonly folder: string;
  readonly control: string;
  readonly log: string | undefined;
}

function startProcess({ library, folder, control, log }: ProcessPlace): DiskProcess {
  const child: ChildProcess = spawn(process.execPath, [PROGRAM], {
    stdio: ["pipe", "pipe", "inherit"],
    env: {
      ...process.env,
      NODE_COMPILE_CACHE: CACHE,
      LD_PRELOAD: library,
      FAULTY_DISK_FOLDER: folder,
      FAULTY_DISK_CONTROL: control,
      ...(log === undefined ? {} : { FAULTY_DISK_LOG: log }),
    },
  });
  const closed = once(child, "close");
  const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream });
  return {
    async perform(command) {
      const said: Said[] = [];
      const { promise: answered, resolve } = Promise.withResolvers<"answered">();
      const hear = (line: string) => {
        const each = JSON.parse(line) as Said;
        if (each.kind === "end") resolve("answered");
        else said.push(each);
      };
      lines.on("line", hear);
      const silent = Promise.withResolvers<"silent">();
      const timer = setTimeout(() => silent.resolve("silent"), ANSWER_WITHIN_MS);
      child.stdin?.write(`${JSON.stringify(command)}\n`);
      const killed = closed.then(() => "killed" as const);
      const end = await Promise.race([answered, killed, silent.promise]);
      clearTimeout(timer);
      lines.off("line", hear);
      return { said, end };
    },
    async kill() {
      child.kill("SIGKILL");
      await closed;
    },
  };
}
