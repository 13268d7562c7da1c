// Background work is authorised and audited like a caller's.
import {
  type BackgroundAct,
  backgroundAct,
  type Perform,
  type Target,
} from "../../domain/call/act.ts";
import { KnowledgeError } from "../../domain/errors.ts";
import type { Task } from "../../domain/task.ts";

interface BackgroundWork {
  readonly to: Target;
  readonly work: () => Promise<void>;
  /** Aborted when the work has to stop: after a cancel, a lost lease or at the end of the process. */
  readonly signal?: AbortSignal;
}

export function inBackground(
  perform: Perform,
  did: BackgroundAct,
  { to, work, signal }: BackgroundWork,
): Promise<void> {
  return perform(
    backgroundAct(did, to),
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
