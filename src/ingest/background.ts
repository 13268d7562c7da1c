// Work that nobody waits for goes through the same door as a caller's.
import type { Perform, Target } from "../domain/act.ts";
import { KnowledgeError } from "../domain/errors.ts";
import { SERVER } from "../domain/principal.ts";
import type { Task } from "../domain/task.ts";

interface Chore {
  readonly to: Target;
  readonly work: () => Promise<void>;
  /** It was stopped: by a cancel, a lost lease or the end of the process. */
  readonly isBroken?: () => boolean;
}

export function openBackground(perform: Perform) {
  return (did: string, { to, work, isBroken = () => false }: Chore) => {
    const stopped = () => new KnowledgeError("INTERRUPTED", "The work was stopped.");
    const run = () =>
      work().catch((thrown: unknown) => {
        throw isBroken() ? stopped() : thrown;
      });
    const endOf = () => (isBroken() ? { error: "interrupted" } : {});
    return perform({ who: SERVER, did, effect: "write", to }, run, endOf);
  };
}

export function taskTarget({ id, request }: Task): Target {
  return { task_id: id, file: request.filename };
}
