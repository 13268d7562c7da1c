// The reading connection on the caller's thread: a process that searches once and ends would wait longer for a
// thread to start than for its search.
import type { KnownId } from "../folder/known-id.ts";
import type { KnownLog } from "../folder/known-log.ts";
import type { openConnection } from "./connection.ts";
import type { Reader } from "./reader.ts";
import { type Calls, cancelled, type Settled } from "./thread-rpc.ts";

export interface SameThreadOptions {
  readonly dataDir: string;
  readonly run: string;
  readonly known: KnownId;
  readonly knownLog: KnownLog;
}

/** Nothing is loaded before the first call: another process may do the searching. */
export function openSameThreadCalls(options: SameThreadOptions): Calls<Reader> {
  let opened: ReturnType<typeof openConnection> | undefined;
  let last: Promise<unknown> = Promise.resolve();
  return {
    async call(method, args, { signal } = {}) {
      const { openConnection } = await import("./connection.ts");
      if (signal?.aborted) throw cancelled(signal);
      opened ??= openConnection({ role: "read", ...options });
      const { serve } = opened;
      // One at a time, because they share one transaction.
      const served = last.then(() => serve(method, args));
      last = served.catch(() => {});
      return served as Promise<Settled<ReturnType<Reader[typeof method]>>>;
    },
    release: async () => opened?.close(),
    close: async () => opened?.close(),
  };
}
