// Checks the guarantees after a fault: everything acknowledged is there, nothing is half done.
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { Bench } from "./bench.ts";
import { type Inspection, inspect, takeUpWork } from "./inspect.ts";
import type { Outcome } from "./operate.ts";
import {
  AFTER,
  BASE,
  backupOf,
  CANCELLED,
  dataDirOf,
  FIRST,
  type Knowledge,
  NOTHING,
  newDirOf,
  OLD,
  type Operation,
  restoredDirOf,
  sourceBackupOf,
} from "./operations.ts";
import { restore } from "./restore.ts";

/** A failing disk is reported as the store's failure. */
const CODES = ["store_full", "store_unavailable"];

/** Problems in plain words; none if the guarantees hold. `thorough`: also checks that work continues. */
export async function judge(
  bench: Bench,
  { operation, thorough }: { readonly operation: Operation; readonly thorough: boolean },
  { said, end }: Outcome,
): Promise<readonly string[]> {
  const problems: string[] = [];
  if (end === "silent") problems.push("the caller was left without an answer");
  for (const each of said) {
    if (each.kind === "failed" && !CODES.includes(each.code))
      problems.push(`failed with ${each.code}: ${each.message}`);
  }
  const isDone = said.some(({ kind }) => kind === "done");
  const dataDir = operation === "first" ? newDirOf(bench.place) : dataDirOf(bench.place);
  try {
    const main = await inspect(dataDir);
    problems.push(...main.problems, ...judgeTasks(main, said));
    problems.push(...compare(main, allowedAfter(operation, main, said)));
    if (thorough) problems.push(...(await takeUpWork(bench.place, dataDir)));
    if (operation === "backup") problems.push(...(await judgeBackup(bench, isDone)));
    if (operation === "restore") problems.push(...(await judgeRestore(bench, isDone)));
  } catch (thrown) {
    problems.push(`cannot be opened: ${thrown instanceof Error ? thrown.message : thrown}`);
  }
  return problems;
}

function allowedAfter(
  operation: Operation,
  main: Inspection,
  said: Outcome["said"],
): readonly Knowledge[] {
  const [before, after] = operation === "first" ? [NOTHING, FIRST] : [BASE, AFTER[operation]];
  if (said.some(({ kind }) => kind === "done")) return [after];
  if (operation === "clear") return [before, CANCELLED, after];
  return either(main, said, { before, after });
}

/** A task that was acknowledged is finished later, unless its failure was reported. */
function either(
  { tasks }: Inspection,
  said: Outcome["said"],
  { before, after }: { readonly before: Knowledge; readonly after: Knowledge },
): readonly Knowledge[] {
  const queued = said.find((each) => each.kind === "queued");
  if (queued === undefined) return [before, after];
  return [tasks.get(queued.task) === "failed" ? before : after];
}

function judgeTasks({ tasks }: Inspection, said: Outcome["said"]): readonly string[] {
  const isReported = said.some(({ kind }) => kind === "failed");
  return said.flatMap((each) => {
    if (each.kind !== "queued") return [];
    const status = tasks.get(each.task);
    if (status === undefined) return ["an acknowledged task is lost"];
    return status === "failed" && !isReported
      ? ["a task failed and its failure was not reported"]
      : [];
  });
}

function compare({ knowledge }: Inspection, allowed: readonly Knowledge[]): readonly string[] {
  if (allowed.some((each) => isDeepStrictEqual(each, knowledge))) return [];
  const { documents, rule } = knowledge;
  const shown = Object.entries(documents).map(([name, text]) => `${name} (${text.length})`);
  return [`holds ${shown.join(", ")} and '${rule}', which is neither before nor after`];
}

/** The backup file is complete: the new one once it is acknowledged, otherwise the old or the new one. */
async function judgeBackup(bench: Bench, isDone: boolean): Promise<readonly string[]> {
  const folder = join(bench.top, "from-backup");
  rmSync(folder, { recursive: true, force: true });
  await restore(backupOf(bench.place), folder);
  const found = await inspect(folder);
  return [...found.problems, ...compare(found, isDone ? [BASE] : [OLD, BASE])];
}

/** An interrupted restore can be repeated. */
async function judgeRestore({ place }: Bench, isDone: boolean): Promise<readonly string[]> {
  const folder = restoredDirOf(place);
  if (!isDone && !existsSync(join(folder, "knowledge.db")))
    await restore(sourceBackupOf(place), folder);
  const found = await inspect(folder);
  return [...found.problems, ...compare(found, [BASE])];
}
