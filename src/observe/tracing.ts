// The trace that a call belongs to, for the requests that are sent on its behalf.
import { AsyncLocalStorage } from "node:async_hooks";
import type { Trace } from "../domain/call/trace.ts";

export interface Tracing {
  run<Result>(trace: Trace, work: () => Result): Result;
  /** Headers for a request to an endpoint; none outside a traced call. */
  headers(): Readonly<Record<string, string>>;
}

export function openTracing(): Tracing {
  const current = new AsyncLocalStorage<Trace>();
  return {
    run: (trace, work) => current.run(trace, work),
    headers() {
      const trace = current.getStore();
      if (trace === undefined) return {};
      const { traceparent, tracestate } = trace;
      // No span is recorded here, so the caller's span stays the parent.
      return { traceparent, ...(tracestate !== undefined && { tracestate }) };
    },
  };
}
