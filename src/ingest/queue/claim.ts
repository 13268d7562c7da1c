// Claims tasks for this process: queued ones, and the one a caller waits for.
import { MAX_SMALL_BYTES, mayStart, noteServed } from "../../domain/call/turns.ts";
import { toKnowledgeError } from "../../domain/errors.ts";
import type { Task } from "../../domain/task.ts";
import type { ClaimChoice } from "../../store/store.ts";
import { isClosed, type QueueCore, type QueueState, shareOf, takesPlace } from "./queue-state.ts";
import { giveBack, runTask, unrecorded } from "./run-task.ts";
import { isDead } from "./worker-name.ts";

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
  for (;;) {
    const choice = choiceOf(queue);
    if (choice === undefined || !(await queue.allowsChanges())) return;
    const task = await store.tasks.claim(state.worker, leaseMs, choice);
    if (task === undefined) return;
    if (isClosed(state)) return giveBack(queue, task.id, "release");
    noteServed(state.served, shareOf(task));
    const next = () => wake(queue);
    void runTask(queue, task, "queue").then(next, next);
  }
}

/** Undefined if there is no place for another task. */
function choiceOf({ state, concurrency }: QueueCore): ClaimChoice | undefined {
  if (isClosed(state) || state.backOff.isOn()) return undefined;
  const held = [...state.held.values()].map(({ lease }) => lease.task);
  const busy = held.filter(takesPlace).map(shareOf);
  const served = [...state.served];
  if (mayStart(false, busy, concurrency)) return { served };
  return mayStart(true, busy, concurrency) ? { served, maxBytes: MAX_SMALL_BYTES } : undefined;
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
export async function runForCaller(queue: QueueCore, task: Task): Promise<boolean> {
  const { state, store, leaseMs } = queue;
  const { promise: started, resolve: start } = Promise.withResolvers<void>();
  const place = { ...shareOf(task), start };
  state.callers.join(place);
  startCallers(state);
  await started;
  try {
    if (isClosed(state)) return false;
    const claimed = store.tasks.claimById(task.id, state.worker, leaseMs);
    const mine = await claimed.catch((thrown: unknown) => {
      throw unrecorded(toKnowledgeError(thrown));
    });
    if (mine !== undefined) await runTask(queue, mine, "caller");
    return mine !== undefined;
  } finally {
    state.callers.leave(place);
    startCallers(state);
  }
}

function startCallers({ callers }: QueueState): void {
  for (let next = callers.start(); next !== undefined; next = callers.start()) next.start();
}
