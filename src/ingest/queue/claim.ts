// Claims tasks for this process: queued ones, and the one a caller waits for.
import { toKnowledgeError } from "../../domain/errors.ts";
import { isClosed, type QueueCore } from "./queue-state.ts";
import { giveBack, runTask, unrecorded } from "./run-task.ts";
import { isDead } from "./worker-name.ts";

// Callers who wait for their document bypass the queue. Limited, because each keeps a document's text and vectors in
// memory.
const MAX_CALLERS = 4;

/** Looks for tasks now, once more if it is looking already. */
export function wake(queue: QueueCore): void {
  const { state } = queue;
  if (state.phase.kind === "looking") state.phase.again = true;
  if (state.phase.kind !== "idle") return;
  state.phase = { kind: "looking", again: false, done: lookUntilQuiet(queue) };
}

/** Looks for tasks, and also for those of processes that died. */
export function inspect(queue: QueueCore): void {
  queue.state.isInspectionDue = true;
  wake(queue);
}

async function lookUntilQuiet(queue: QueueCore): Promise<void> {
  const { state, log } = queue;
  for (;;) {
    await look(queue).catch((error: unknown) => log.warn("ingest.claim-failed", { error }));
    if (state.phase.kind !== "looking") return;
    if (!state.phase.again) {
      state.phase = { kind: "idle" };
      return;
    }
    state.phase.again = false;
  }
}

async function look(queue: QueueCore): Promise<void> {
  const { state, store, leaseMs } = queue;
  if (state.isInspectionDue) {
    state.isInspectionDue = false;
    await settleOwed(queue);
    await freeDeadWorkersTasks(queue);
  }
  while (hasPlace(queue) && (await queue.allowsChanges())) {
    const task = await store.tasks.claim(state.worker, leaseMs);
    if (task === undefined) return;
    if (isClosed(state)) return giveBack(queue, task.id, "release");
    const next = () => wake(queue);
    void runTask(queue, task, "queue").then(next, next);
  }
}

function hasPlace({ state, concurrency }: QueueCore): boolean {
  // A folder may take hours and must not block single files, so it takes no place.
  const files = [...state.held.values()].filter(({ lease }) => !lease.task.request.many);
  return !isClosed(state) && files.length < concurrency && !state.backOff.isOn();
}

/** Retries give-backs that failed. If the process dies first, the lease expires and frees the task anyway. */
async function settleOwed(queue: QueueCore): Promise<void> {
  const { held, owed } = queue.state;
  for (const [taskId, how] of [...owed]) {
    if (held.has(taskId)) owed.delete(taskId);
    else await giveBack(queue, taskId, how);
  }
}

async function freeDeadWorkersTasks({ store: { tasks }, log }: QueueCore): Promise<void> {
  const { running } = await tasks.counts();
  if (running === 0) return;
  for (const { id, status, worker } of await tasks.list({ limit: 100, open: true })) {
    if (status !== "running" || worker === undefined || !isDead(worker)) continue;
    log.info("ingest.taken-over", { task: id });
    await tasks.expire(id, worker);
  }
}

/** Runs this task now unless it is claimed. Rejects only if the store cannot record how it ended. */
export async function take(queue: QueueCore, taskId: string): Promise<boolean> {
  const { state, store, leaseMs } = queue;
  const { callers } = state;
  while (callers.working >= MAX_CALLERS) {
    await new Promise<void>((resolve) => callers.line.push(resolve));
  }
  callers.working += 1;
  try {
    if (isClosed(state)) return false;
    const claimed = store.tasks.claimById(taskId, state.worker, leaseMs);
    const task = await claimed.catch((thrown: unknown) => {
      throw unrecorded(toKnowledgeError(thrown));
    });
    if (task !== undefined) await runTask(queue, task, "caller");
    return task !== undefined;
  } finally {
    callers.working -= 1;
    callers.line.shift()?.();
  }
}
