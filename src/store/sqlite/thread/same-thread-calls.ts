// The reading connection on the caller's thread: a process that searches once and ends would wait longer for a
// thread to start than for its search.
import type { KnownId } from "../folder/known-id.ts";
import type { KnownLog } from "../folder/known-log.ts";
import type { openConnection } from "./connection.ts";
import type { Reader } from "./reader.ts";
import { type Calls, cancelled } from "./thread-rpc.ts";

export interface SameThreadOptions {
  readonly dataDir: string;
  readonly run: string;
  readonly known: KnownId;
  readonly knownLog: KnownLog;
}

/** Nothing is loaded before the first call: another process may do the searching. */
export function openSameThreadCalls(options: SameThreadOptions): Calls<Reader> {
  let opened: ReturnType<typeof openConnection> | undefined;
  return {
    async call(method, args, { signal } = {}) {
      const { openConnection } = await import("./connection.ts");
      if (signal?.aborted) throw cancelled(signal);
      opened ??= openConnection({ role: "read", ...options });
      return opened.serve(method, args) as ReturnType<Reader[typeof method]>;
    },
    release: async () => opened?.close(),
    close: async () => opened?.close(),
  };
}
