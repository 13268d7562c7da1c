// Background work is authorised and audited like a caller's.
import {
  type BackgroundAct,
  backgroundAct,
  type Perform,
  type Target,
} from "../../domain/call/act.ts";
import { KnowledgeError } from "../../domain/errors.ts";
import type { Task } from "../../domain/task.ts";

interface Chore {
  readonly to: Target;
  readonly work: () => Promise<void>;
  /** It was stopped: by a cancel, a lost lease or the end of the process. */
  readonly isBroken?: () => boolean;
}

export function openBackground(perform: Perform) {
  return (did: BackgroundAct, { to, work, isBroken = () => false }: Chore) => {
    const run = () =>
      work().catch((thrown: unknown) => {
        throw isBroken() ? stopped() : thrown;
      });
    const endOf = () => (isBroken() ? { error: "interrupted" } : {});
    return perform(backgroundAct(did, to), run, endOf);
  };
}

export function stopped(): KnowledgeError {
  return new KnowledgeError("INTERRUPTED", "The work was stopped.");
}

export function taskTarget({ id, request }: Task): Target {
  return { task_id: id, file: request.filename };
}
