// Claims tasks for this process: queued ones, and the one a caller waits for.
import { toKnowledgeError } from "../../domain/errors.ts";
import { isClosed, type QueueCore } from "./queue-state.ts";
import { giveBack, runTask, unrecorded } from "./run-task.ts";
import { isDead } from "./worker-name.ts";

// Callers who wait for their document bypass the queue. Limited, because each keeps a document's text and vectors in
// memory.
const MAX_CALLERS = 4;

/** Looks for tasks now; if a look is already in progress, looks once more afterwards. */
export function wake(queue: QueueCore): void {
  const { state } = queue;
  if (state.phase.kind === "looking") state.phase.again = true;
  if (state.phase.kind !== "idle") return;
  state.phase = { kind: "looking", again: false, done: claimUntilIdle(queue) };
}

/** Looks for tasks, including those of processes that died. */
export function inspect(queue: QueueCore): void {
  queue.state.isInspectionDue = true;
  wake(queue);
}

async function claimUntilIdle(queue: QueueCore): Promise<void> {
  const { state, log } = queue;
  for (;;) {
    await claimTasks(queue).catch((error: unknown) => log.warn("ingest.claim-failed", { error }));
    if (state.phase.kind !== "looking") return;
    if (!state.phase.again) {
      state.phase = { kind: "idle" };
      return;
    }
    state.phase.again = false;
  }
}

async function claimTasks(queue: QueueCore): Promise<void> {
  const { state, store, leaseMs } = queue;
  if (state.isInspectionDue) {
    state.isInspectionDue = false;
    await retryGiveBacks(queue);
    await freeDeadWorkersTasks(queue);
  }
  while (hasSlot(queue) && (await queue.allowsChanges())) {
    const task = await store.tasks.claim(state.worker, leaseMs);
    if (task === undefined) return;
    if (isClosed(state)) return giveBack(queue, task.id, "release");
    const next = () => wake(queue);
    void runTask(queue, task, "queue").then(next, next);
  }
}

function hasSlot({ state, concurrency }: QueueCore): boolean {
  // A folder does not take a slot, because it may take hours and must not block single files.
  const files = [...state.held.values()].filter(({ lease }) => !lease.task.request.many);
  return !isClosed(state) && files.length < concurrency && !state.backOff.isOn();
}

/**
 * Tries again to return tasks that the store could not take back. If the process dies first, the lease expires and frees
 * them anyway.
 */
async function retryGiveBacks(queue: QueueCore): Promise<void> {
  const { held, failedGiveBacks } = queue.state;
  for (const [taskId, how] of [...failedGiveBacks]) {
    if (held.has(taskId)) failedGiveBacks.delete(taskId);
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

/** Runs this task now unless it is already claimed. Rejects only if the store cannot record how it ended. */
export async function runForCaller(queue: QueueCore, taskId: string): Promise<boolean> {
  const { state, store, leaseMs } = queue;
  const { callers } = state;
  while (callers.working >= MAX_CALLERS) {
    await new Promise<void>((resolve) => callers.waiting.push(resolve));
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
    callers.waiting.shift()?.();
  }
}
