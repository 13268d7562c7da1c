// W3C Trace Context, as a request's `_meta` carries it. Invalid values are dropped, never passed on.

export interface Trace {
  readonly traceparent: string;
  readonly tracestate?: string;
  /** 32 hexadecimal digits: what log lines of one trace share. */
  readonly id: string;
}

// version - trace id - parent id - flags; later versions may add fields behind these.
const PARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-[\x21-\x7e]*)?$/;
const MAX_PARENT = 512;
const MAX_STATE = 512;
const MAX_MEMBERS = 32;
const MEMBER =
  /^[a-z0-9][a-z0-9_\-*/@]{0,255}=[\x20-\x2b\x2d-\x3c\x3e-\x7e]{0,255}[\x21-\x2b\x2d-\x3c\x3e-\x7e]$/;

export function toTrace(meta: Readonly<Record<string, unknown>>): Trace | undefined {
  const { traceparent, tracestate } = meta;
  if (typeof traceparent !== "string" || traceparent.length > MAX_PARENT) return undefined;
  const [, version, id = "", parent = "", , more] = PARENT.exec(traceparent) ?? [];
  const isWhole =
    version !== undefined && version !== "ff" && !/^0+$/.test(id) && !/^0+$/.test(parent);
  if (!isWhole || (version === "00" && more !== undefined)) return undefined;
  return { id, traceparent, ...(isState(tracestate) && { tracestate }) };
}

function isState(state: unknown): state is string {
  if (typeof state !== "string" || state === "" || state.length > MAX_STATE) return false;
  const members = state.split(",").map((member) => member.trim());
  const named = members.filter((member) => member !== "");
  return named.length <= MAX_MEMBERS && named.every((member) => MEMBER.test(member));
}
