// The connections of a store, which are reopened together after the log was deleted or a folder became writable: as
// long as one of them is open, SQLite gives each new one the same index of the log.
import { KnowledgeError } from "../../../domain/errors.ts";
import type { KnownLog } from "../folder/known-log.ts";
import { mustReopen } from "../folder/open-file.ts";
import type { Reader } from "./reader.ts";
import type { Calls } from "./thread-rpc.ts";
import type { Writer } from "./writer.ts";

export interface ReopenOptions {
  readonly reader: Calls<Reader>;
  readonly writer: Calls<Writer>;
  readonly knownLog: KnownLog;
  /** Closes the connection of this thread, and keeps it closed until `resume`. */
  readonly suspend: () => void;
  readonly resume: () => void;
  readonly onReopened: () => void;
}

export interface ReopenableCalls {
  readonly reader: Calls<Reader>;
  readonly writer: Calls<Writer>;
  /** Calls wait until it is done. */
  reopen(): Promise<void>;
}

interface State {
  reopening?: Promise<void> | undefined;
}

export function openReopenableCalls(options: ReopenOptions): ReopenableCalls {
  const state: State = {};
  const reopen = () => {
    state.reopening ??= releaseAll(options).finally(() => {
      state.reopening = undefined;
    });
    return state.reopening;
  };
  const { reader, writer } = options;
  return {
    reader: retryAfterReopen(reader, state, reopen),
    writer: retryAfterReopen(writer, state, reopen),
    reopen,
  };
}

async function releaseAll(options: ReopenOptions): Promise<void> {
  const { reader, writer, knownLog, suspend, resume, onReopened } = options;
  suspend();
  try {
    // If one cannot be closed, the log is not forgotten, and every call that would open another connection tries this
    // again.
    await Promise.all([reader.release(), writer.release()]);
    knownLog.forget();
    onReopened();
  } finally {
    resume();
  }
}

type Methods = Reader | Writer;

function retryAfterReopen<Served extends Methods>(
  calls: Calls<Served>,
  state: State,
  reopen: () => Promise<void>,
): Calls<Served> {
  return {
    ...calls,
    async call(method, args, options) {
      await state.reopening;
      try {
        return await calls.call(method, args, options);
      } catch (thrown) {
        if (!mustReopen(thrown)) throw thrown;
        await reopen();
        // Buffers that were transferred to the thread cannot be sent again.
        if (options?.transfer?.length) throw withoutDetails(thrown);
        return calls.call(method, args, options).catch((again: unknown) => {
          throw mustReopen(again) ? withoutDetails(again) : again;
        });
      }
    },
  };
}

/** Removes the detail `mustReopen`, which callers must not see. */
function withoutDetails(cause: KnowledgeError): KnowledgeError {
  return new KnowledgeError(cause.code, cause.message, { cause });
}
