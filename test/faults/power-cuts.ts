// A session on a sound disk is recorded call by call; then the power is cut after every call of it, and what a disk may
// have kept by then is opened. Whatever was acknowledged before the cut must be in it.
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { openRandom, type Random } from "../fuzz/random.ts";
import type { Bench } from "./bench.ts";
import { type DiskChange, readDiskLog } from "./disk-control.ts";
import { type DiskImage, materialise, openDiskImage, type PowerCut } from "./disk-image.ts";
import type { Said } from "./disk-process.ts";
import { inspect } from "./inspect.ts";
import {
  AFTER,
  BASE,
  FIRST,
  type Knowledge,
  maintain,
  NOTHING,
  OLD,
  type Operation,
  textOf,
} from "./operations.ts";

/** What is done, and what the knowledge base holds afterwards. */
const SESSION: readonly (readonly [Operation, Knowledge])[] = [
  ["add", AFTER.add],
  ["replace", hold({ ...AFTER.add.documents, "apple.txt": textOf("apple", 2) }, BASE.rule)],
  ["rule", hold({ ...AFTER.add.documents, "apple.txt": textOf("apple", 2) }, "rule 2")],
  ["remove", hold(beforeClear(), "rule 2")],
  ["work", hold(beforeClear(), "rule 2")],
  ["backup", hold(beforeClear(), "rule 2")],
  ["clear", hold({}, "rule 2")],
  ["enqueue", hold({ "fir.txt": textOf("fir") }, "rule 2")],
  ["restore", hold({ "fir.txt": textOf("fir") }, "rule 2")],
  ["first", hold({ "fir.txt": textOf("fir") }, "rule 2")],
];

function hold(documents: Knowledge["documents"], rule: string): Knowledge {
  return { documents, rule };
}

function beforeClear(): Knowledge["documents"] {
  return { ...AFTER.remove.documents, "fir.txt": textOf("fir"), "apple.txt": textOf("apple", 2) };
}

interface Step {
  readonly operation: Operation;
  readonly before: Knowledge;
  readonly after: Knowledge;
  /** The first call of it, the call after which its task was acknowledged, and the whole. */
  readonly begins: number;
  readonly queued: number;
  readonly done: number;
}

/** The changes of one operation, counted from one. */
export function changesOf({ steps, changes }: Recording, operation: Operation) {
  const index = steps.findIndex((step) => step.operation === operation);
  const begins = steps[index]?.begins ?? 0;
  const ends = steps[index + 1]?.begins ?? Number.POSITIVE_INFINITY;
  return changes
    .filter(({ call }) => call >= begins && call < ends)
    .map(({ call, kind }) => ({ call: call - begins + 1, kind }));
}

export interface Recording {
  readonly changes: readonly DiskChange[];
  readonly steps: readonly Step[];
  /** How the folder looked when the recording began. */
  image(): DiskImage;
}

export async function record(bench: Bench): Promise<Recording> {
  const log = join(bench.top, "session.log");
  await bench.endProcess();
  bench.reset();
  bench.control.disarm();
  const start = () => openDiskImage(bench.place.disk);
  const first = start();
  const steps: Step[] = [];
  let [before, begins] = [BASE as Knowledge, 1];
  for (const [operation, after] of SESSION) {
    const { said } = await bench.perform(operation, log);
    const at = (kind: Said["kind"]) => said.find((each) => each.kind === kind)?.calls;
    const done = at("done");
    if (done === undefined) throw new Error(`${operation}: ${JSON.stringify(said)}`);
    steps.push({ operation, before, after, begins, queued: at("queued") ?? done, done });
    before = after;
    begins = bench.control.counts().calls + 1;
  }
  await bench.endProcess();
  const changes = readDiskLog(log);
  expectComplete(first, changes, bench.place.disk);
  bench.reset();
  return { changes, steps, image: start };
}

/** Nothing slipped by: all recorded changes together make the folder that is there. */
function expectComplete(image: DiskImage, changes: readonly DiskChange[], disk: string): void {
  for (const change of changes) image.change(change);
  const made = image.cut({ names: "written", data: "written" }, openRandom(0));
  const files = readdirSync(disk, { recursive: true, withFileTypes: true });
  const paths = files.map((entry) => join(entry.parentPath, entry.name)).sort();
  const differs = (path: string) => {
    const bytes = made.get(path);
    return bytes instanceof Buffer && !bytes.equals(readFileSync(path));
  };
  const wrong = paths.filter(differs);
  if (wrong.length > 0 || !isDeepStrictEqual([...made.keys()].sort(), paths))
    throw new Error(`The record is not complete: ${wrong.join(", ") || "other files"}`);
}

export const CUTS: readonly PowerCut[] = [
  { names: "written", data: "written" },
  { names: "synced", data: "synced" },
  { names: "written", data: "synced" },
  { names: "synced", data: "written" },
  { names: "some", data: "some" },
  { names: "some", data: "some" },
];

export interface CutResult {
  readonly call: number;
  readonly cut: PowerCut;
  readonly problems: readonly string[];
}

/** Every `every`th change, each with all cuts. */
export async function* cutPower(
  bench: Bench,
  { changes, steps, image }: Recording,
  { every, seed }: { readonly every: number; readonly seed: number },
): AsyncGenerator<CutResult> {
  const random = openRandom(seed);
  const disk = image();
  for (const [index, change] of changes.entries()) {
    disk.change(change);
    if (index % every !== 0 && index !== changes.length - 1) continue;
    for (const cut of CUTS) {
      const problems = await lookAt(bench, { disk, cut, random, call: change.call, steps });
      yield { call: change.call, cut, problems };
    }
  }
}

interface Look {
  readonly disk: DiskImage;
  readonly cut: PowerCut;
  readonly random: Random;
  readonly call: number;
  readonly steps: readonly Step[];
}

async function lookAt(bench: Bench, { disk, cut, random, call, steps }: Look) {
  const into = join(bench.top, "cut");
  rmSync(into, { recursive: true, force: true });
  materialise(disk.cut(cut, random), { root: bench.place.disk, into });
  const current = steps.findLast(({ begins }) => begins <= call) as Step;
  try {
    return [
      ...holds(join(into, "data"), allowedAt(current, call)),
      ...(await backupHolds(into, steps, call)),
      ...restoreHolds(into, steps, call),
      ...firstHolds(into, steps, call),
    ];
  } catch (thrown) {
    return [`cannot be opened: ${thrown instanceof Error ? thrown.message : thrown}`];
  }
}

function allowedAt({ before, after, queued }: Step, call: number): readonly Knowledge[] {
  return call >= queued ? [after] : [before, after];
}

function holds(dataDir: string, allowed: readonly Knowledge[]): readonly string[] {
  const { knowledge, problems } = inspect(dataDir);
  if (allowed.some((each) => isDeepStrictEqual(each, knowledge))) return problems;
  const names = Object.keys(knowledge.documents).join(", ");
  return [...problems, `holds ${names} and '${knowledge.rule}'`];
}

/** While the backup is written over the old one, and for a while after it. */
async function backupHolds(into: string, steps: readonly Step[], call: number) {
  const step = steps.find(({ operation }) => operation === "backup") as Step;
  if (call < step.begins || call > step.done + 1) return [];
  const folder = join(into, "from-backup");
  await maintain("restore", join(into, "backups", "kb.backup"), folder);
  return holds(folder, call >= step.done ? [step.after] : [OLD, step.after]);
}

function restoreHolds(into: string, steps: readonly Step[], call: number): readonly string[] {
  const step = steps.find(({ operation }) => operation === "restore") as Step;
  const folder = join(into, "restored");
  const isThere = existsSync(join(folder, "knowledge.db"));
  if (call < step.done && !isThere) return [];
  return holds(folder, [BASE]).map((problem) => `restored: ${problem}`);
}

function firstHolds(into: string, steps: readonly Step[], call: number): readonly string[] {
  const { queued } = steps.find(({ operation }) => operation === "first") as Step;
  const folder = join(into, "new", "kb");
  if (call < queued && !existsSync(join(folder, "knowledge.db"))) return [];
  const allowed = call < queued ? [NOTHING, FIRST] : [FIRST];
  return holds(folder, allowed).map((problem) => `new: ${problem}`);
}
