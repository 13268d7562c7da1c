// Background work is authorised and audited like a caller's.

import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import {
  type BackgroundAction,
  backgroundEvent,
  type Perform,
  type Target,
} from "../../domain/call/audit-event.ts";
import { KnowledgeError } from "../../domain/errors.ts";
import { toEnglish } from "../../domain/phrases/messages.ts";
import { KEEP_TASKS_MS, type Task } from "../../domain/task.ts";
import { ignoreMissing } from "../../files/regular-file.ts";
import type { Log } from "../../observe/log.ts";
import type { Store, SweepReport, Trash } from "../../store/store.ts";

interface BackgroundWork<Result> {
  readonly target: Target;
  readonly work: () => Promise<Result>;
  /** Aborted when the work has to stop: after a cancel, a lost lease or at the end of the process. */
  readonly signal?: AbortSignal;
}

export function inBackground<Result>(
  perform: Perform,
  action: BackgroundAction,
  { target, work, signal }: BackgroundWork<Result>,
): Promise<Result> {
  return perform(
    backgroundEvent(action, target),
    () =>
      work().catch((thrown: unknown) => {
        throw signal?.aborted ? stopped() : thrown;
      }),
    () => (signal?.aborted ? { error: "interrupted" } : {}),
  );
}

function stopped(): KnowledgeError {
  return new KnowledgeError("INTERRUPTED", "The work was stopped.");
}

interface RoundOptions {
  readonly everyMs: number;
  readonly onFailure: (error: unknown) => void;
}

/** Does the work at the start and then at intervals, never twice at once. It returns undefined if there is none. */
export function openRounds(
  work: (signal: AbortSignal) => Promise<void> | undefined,
  { everyMs, onFailure }: RoundOptions,
) {
  const closing = new AbortController();
  const { signal } = closing;
  const state: { timer?: NodeJS.Timeout; running?: Promise<void> | undefined } = {};
  const wake = () => {
    if (state.timer === undefined || state.running || signal.aborted) return;
    state.running = work(signal)
      ?.catch((error: unknown) => {
        if (!signal.aborted) onFailure(error);
      })
      .finally(() => {
        state.running = undefined;
      });
  };
  return {
    signal,
    start() {
      state.timer ??= setInterval(wake, everyMs).unref();
      wake();
    },
    /** Does the work now, unless it is being done or has not been started. */
    wake,
    /** Resolves when nothing is being done. */
    idle: async () => state.running,
    async close() {
      clearInterval(state.timer);
      closing.abort("closing");
      await state.running;
    },
  };
}

export function taskTarget({ id, request }: Task): Target {
  return { task_id: id, file: request.filename };
}

// Deletes old tasks and moves unreferenced files to the trash.

export interface TidyOptions {
  readonly store: Store;
  readonly incomingDir: string;
  readonly trash: Trash;
  readonly log: Log;
}

const HOUR_MS = 3_600_000;
const TIDY_EVERY_MS = HOUR_MS;
/** The newest stay, however old a clock that was set wrong makes them. */
const MIN_TASKS = 1_000;

export function openTidying(options: TidyOptions & { readonly perform: Perform }) {
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
  if (report.kind !== "swept") return;
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
