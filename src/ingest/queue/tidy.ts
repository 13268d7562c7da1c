// Deletes old tasks and moves unreferenced files to the trash.
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { toEnglish } from "../../domain/phrases/messages.ts";
import { KEEP_TASKS_MS } from "../../domain/task.ts";
import { ignoreMissing } from "../../files/regular-file.ts";
import type { Log } from "../../observe/log.ts";
import type { SweepReport, Trash } from "../../store/store.ts";
import type { IngestOptions } from "../ingest.ts";
import { inBackground, openRounds } from "./background.ts";

type TidyOptions = Pick<IngestOptions, "store" | "incomingDir" | "trash" | "log">;

const HOUR_MS = 3_600_000;
const TIDY_EVERY_MS = HOUR_MS;
/** The newest stay, however old a clock that was set wrong makes them. */
const MIN_TASKS = 1_000;

export function openTidying(options: TidyOptions & Pick<IngestOptions, "perform">) {
  // If the store closes meanwhile, the work fails. That is a normal stop, and the next start tidies again.
  const round = (signal: AbortSignal) =>
    inBackground(options.perform, "tidy", { target: {}, work: () => tidy(options), signal });
  const onFailure = (error: unknown) => options.log.warn("ingest.tidy-failed", { error });
  return openRounds(round, { everyMs: TIDY_EVERY_MS, onFailure });
}

export async function tidy({ store, incomingDir, trash, log }: TidyOptions): Promise<void> {
  const tasks = await store.tasks.prune(
    new Date(Date.now() - KEEP_TASKS_MS).toISOString(),
    MIN_TASKS,
  );
  const report = await store.originals.sweep();
  logSweep(report, log);
  if (report.kind !== "swept") return;
  const copies = await setAsideCopies(incomingDir, trash);
  const purged = await trash.purge();
  if (tasks + copies + purged > 0) log.info("ingest.tidied", { tasks, copies, purged });
}

function logSweep(report: SweepReport, log: Log): void {
  if (report.kind === "stopped") {
    log.warn("ingest.sweep-stopped", { problem: toEnglish(report.problem) });
    return;
  }
  const { trashed, removed, broughtBack, isMarkedAgain } = report;
  if (isMarkedAgain) log.warn("store.id-restored", { problem: ID_WAS_LOST });
  if (trashed + removed + broughtBack > 0) {
    log.info("ingest.swept", { trashed, removed, broughtBack });
  }
}

const ID_WAS_LOST =
  "The file knowledge-base-id was missing from the folder of original files and was written again. If the folder was swapped for another one, put the right one back.";

/** Copies left by processes that died while storing a file. */
async function setAsideCopies(incomingDir: string, trash: Trash): Promise<number> {
  let moved = 0;
  for (const name of (await readdir(incomingDir).catch(ignoreMissing)) ?? []) {
    const path = join(incomingDir, name);
    const found = await stat(path).catch(ignoreMissing);
    if (!found?.isFile() || Date.now() - found.mtimeMs < HOUR_MS) continue;
    await trash.take(path, { why: "abandoned" });
    moved += 1;
  }
  return moved;
}
