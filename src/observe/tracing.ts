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

const MAX_CALLS = 6;
// "at name (place:1:2)" or "at place:1:2", where a place is a path or an address.
const CALL = /^\s+at (?:async )?(?:(.+?) \()?(.+):(\d+):(\d+)\)?$/;

/**
 * Where an error came from: its name, its code and the nearest calls. Its message may quote a document, and the folders
 * of its calls are the machine's own.
 */
export function traceOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return typeof thrown;
  const code = "code" in thrown && typeof thrown.code === "string" ? ` ${thrown.code}` : "";
  const calls = (thrown.stack ?? "").split("\n").flatMap(toCall).slice(0, MAX_CALLS);
  return [`${thrown.name}${code}`, ...calls].join(" < ");
}

function toCall(line: string): readonly string[] {
  const [, name, place = "", row, column] = CALL.exec(line) ?? [];
  if (row === undefined) return [];
  const file = `${place.split(/[/\\]/).at(-1)}:${row}:${column}`;
  return [name === undefined ? file : `${name} ${file}`];
}
