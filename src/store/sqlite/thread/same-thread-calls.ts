// The reading connection on the caller's thread: a process that searches once and ends would wait longer for a
// thread to start than for its search.
import type { ConnectionOptions, openConnection } from "./connection.ts";
import type { Reader } from "./reader.ts";
import { type Calls, cancelled, type Settled } from "./thread-rpc.ts";

/** Nothing is loaded before the first call: another process may do the searching. */
export function openSameThreadCalls(options: Omit<ConnectionOptions, "role">): Calls<Reader> {
  let opened: ReturnType<typeof openConnection> | undefined;
  let last: Promise<unknown> = Promise.resolve();
  return {
    async call(method, args, { signal, sight } = {}) {
      const { openConnection } = await import("./connection.ts");
      if (signal?.aborted) throw cancelled(signal);
      opened ??= openConnection({ role: "read", ...options });
      const { serve } = opened;
      // One at a time, because they share one transaction.
      const served = last.then(() => serve(method, args, sight));
      last = served.catch(() => {});
      return served as Promise<Settled<ReturnType<Reader[typeof method]>>>;
    },
    release: async () => opened?.close(),
    close: async () => opened?.close(),
  };
}
