// What a tool is called with: by the owner, with nobody who listens.
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
