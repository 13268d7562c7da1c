// The context of a tool call by the owner, without listeners.
import { OWNER } from "../../src/domain/call/principal.ts";
import type { CallContext } from "../../src/tools/tool.ts";
import { silentLog } from "./silent-log.ts";

export function callContext(given: Partial<CallContext> = {}): CallContext {
  return {
    principal: OWNER,
    signal: new AbortController().signal,
    log: silentLog(),
    progress: () => {},
    taskProgress: () => {},
    ...given,
  };
}
