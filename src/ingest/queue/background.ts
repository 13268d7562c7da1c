// Background work is authorised and audited like a caller's.
import {
  type BackgroundAction,
  backgroundEvent,
  type Perform,
  type Target,
} from "../../domain/call/audit-event.ts";
import { KnowledgeError } from "../../domain/errors.ts";
import type { Task } from "../../domain/task.ts";

interface BackgroundWork {
  readonly target: Target;
  readonly work: () => Promise<void>;
  /** Aborted when the work has to stop: after a cancel, a lost lease or at the end of the process. */
  readonly signal?: AbortSignal;
}

export function inBackground(
  perform: Perform,
  action: BackgroundAction,
  { target, work, signal }: BackgroundWork,
): Promise<void> {
  return perform(
    backgroundEvent(action, target),
    () =>
      work().catch((thrown: unknown) => {
        throw signal?.aborted ? stopped() : thrown;
      }),
    () => (signal?.aborted ? { error: "interrupted" } : {}),
  );
}

export function stopped(): KnowledgeError {
  return new KnowledgeError("INTERRUPTED", "The work was stopped.");
}

export function taskTarget({ id, request }: Task): Target {
  return { task_id: id, file: request.filename };
}
