// The connections of a store, opened again together after the log was deleted or a folder became writable: as long as
// one of them is open, SQLite gives each new one the same index of the log.
import { KnowledgeError } from "../../../domain/errors.ts";
import type { KnownLog } from "../folder/known-log.ts";
import { mustReopen } from "../folder/open-file.ts";
import type { Reader } from "./reader.ts";
import type { Calls } from "./thread-rpc.ts";
import type { Writer } from "./writer.ts";

export interface TogetherOptions {
  readonly reader: Calls<Reader>;
  readonly writer: Calls<Writer>;
  readonly knownLog: KnownLog;
  /** Closes the connection of this thread, and keeps it closed until `resume`. */
  readonly suspend: () => void;
  readonly resume: () => void;
  readonly onReopened: () => void;
}

export interface Together {
  readonly reader: Calls<Reader>;
  readonly writer: Calls<Writer>;
  /** Calls wait until it is done. */
  reopen(): Promise<void>;
}

interface State {
  reopening?: Promise<void> | undefined;
}

export function openTogether(options: TogetherOptions): Together {
  const state: State = {};
  const reopen = () => {
    state.reopening ??= releaseAll(options).finally(() => {
      state.reopening = undefined;
    });
    return state.reopening;
  };
  const { reader, writer } = options;
  return { reader: patient(reader, state, reopen), writer: patient(writer, state, reopen), reopen };
}

async function releaseAll(options: TogetherOptions): Promise<void> {
  const { reader, writer, knownLog, suspend, resume, onReopened } = options;
  suspend();
  try {
    // If one cannot be closed, the log stays known, and each call that would open another tries this again.
    await Promise.all([reader.release(), writer.release()]);
    knownLog.forget();
    onReopened();
  } finally {
    resume();
  }
}

type Methods = Reader | Writer;

function patient<Served extends Methods>(
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
        // What was handed over to the thread cannot be sent again.
        if (options?.transfer?.length) throw plain(thrown);
        return calls.call(method, args, options).catch((again: unknown) => {
          throw mustReopen(again) ? plain(again) : again;
        });
      }
    },
  };
}

/** Without the detail, which is for this file. */
function plain(cause: KnowledgeError): KnowledgeError {
  return new KnowledgeError(cause.code, cause.message, { cause });
}
