// Cuts the power after every call of a recorded session and opens what the disk may have kept. Whatever was
// acknowledged before the cut must be in it.
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { openRandom, type Random } from "../fuzz/random.ts";
import type { Bench } from "./bench.ts";
import { type DiskImage, materialise, type PowerCut } from "./disk-image.ts";
import { inspect } from "./inspect.ts";
import { BASE, FIRST, type Knowledge, NOTHING, OLD } from "./operations.ts";
import type { Recording, Step } from "./recording.ts";
import { restore } from "./restore.ts";

const CUTS: readonly PowerCut[] = [
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
      ...(await holds(join(into, "data"), allowedAt(current, call))),
      ...(await backupHolds(into, steps, call)),
      ...(await restoreHolds(into, steps, call)),
      ...(await firstHolds(into, steps, call)),
    ];
  } catch (thrown) {
    return [`cannot be opened: ${thrown instanceof Error ? thrown.message : thrown}`];
  }
}

function allowedAt({ before, after, queued }: Step, call: number): readonly Knowledge[] {
  return call >= queued ? [after] : [before, after];
}

async function holds(dataDir: string, allowed: readonly Knowledge[]): Promise<readonly string[]> {
  const { knowledge, problems } = await inspect(dataDir);
  if (allowed.some((each) => isDeepStrictEqual(each, knowledge))) return problems;
  const names = Object.keys(knowledge.documents).join(", ");
  return [...problems, `holds ${names} and '${knowledge.rule}'`];
}

/** While the backup is written over the old one, and for a while after it. */
async function backupHolds(into: string, steps: readonly Step[], call: number) {
  const step = steps.find(({ operation }) => operation === "backup") as Step;
  if (call < step.begins || call > step.done + 1) return [];
  const folder = join(into, "from-backup");
  await restore(join(into, "backups", "kb.backup"), folder);
  return holds(folder, call >= step.done ? [step.after] : [OLD, step.after]);
}

async function restoreHolds(into: string, steps: readonly Step[], call: number) {
  const step = steps.find(({ operation }) => operation === "restore") as Step;
  const folder = join(into, "restored");
  const isThere = existsSync(join(folder, "knowledge.db"));
  if (call < step.done && !isThere) return [];
  return (await holds(folder, [BASE])).map((problem) => `restored: ${problem}`);
}

async function firstHolds(into: string, steps: readonly Step[], call: number) {
  const { queued } = steps.find(({ operation }) => operation === "first") as Step;
  const folder = join(into, "new", "kb");
  if (call < queued && !existsSync(join(folder, "knowledge.db"))) return [];
  const allowed = call < queued ? [NOTHING, FIRST] : [FIRST];
  return (await holds(folder, allowed)).map((problem) => `new: ${problem}`);
}
