// Background work is authorised and audited like a caller's.

import {
  type BackgroundAction,
  backgroundEvent,
  type Perform,
  type Target,
} from "../../domain/call/audit-event.ts";
import { GENERAL_SCOPE } from "../../domain/call/grants.ts";
import { KnowledgeError } from "../../domain/errors.ts";
import type { Task } from "../../domain/task.ts";

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
  return { task_id: id, file: request.filename, scope: request.scope ?? GENERAL_SCOPE };
}
