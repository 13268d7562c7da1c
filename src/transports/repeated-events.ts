// Log lines for events that strangers can cause at will: the first is logged at once, then a count per minute.
import { defined } from "../domain/defined.ts";
import type { Log } from "../observe/log.ts";

interface RepeatedEvent {
  /** One of a few kinds, each of which has its own count. */
  readonly kind: string;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly address?: string | undefined;
}

export interface RepeatedEventsOptions {
  readonly log: Log;
  readonly level: "info" | "warn";
  readonly event: string;
  readonly windowMs?: number;
}

interface Window {
  readonly fields: RepeatedEvent["fields"];
  readonly addresses: Set<string>;
  readonly timer: NodeJS.Timeout;
  more: number;
}

const WINDOW_MS = 60_000;
// Further kinds are counted as one, so a caller cannot invent kinds without limit.
const MAX_KINDS = 100;
const MAX_ADDRESSES = 5;

export type RepeatedEvents = ReturnType<typeof openRepeatedEvents>;

export function openRepeatedEvents({
  log,
  level,
  event,
  windowMs = WINDOW_MS,
}: RepeatedEventsOptions) {
  const open = new Map<string, Window>();
  const end = (kind: string) => {
    const window = open.get(kind);
    open.delete(kind);
    clearTimeout(window?.timer);
    if (!window || window.more === 0) return;
    const { fields, more, addresses } = window;
    log[level](event, { ...fields, more, seconds: windowMs / 1000, addresses: [...addresses] });
  };
  return {
    note({ kind, fields, address }: RepeatedEvent) {
      const known = open.has(kind) || open.size < MAX_KINDS ? kind : "other";
      const window = open.get(known);
      if (!window) {
        log[level](event, { ...fields, ...defined({ address }) });
        const timer = setTimeout(() => end(known), windowMs).unref();
        open.set(known, { fields, addresses: new Set(), timer, more: 0 });
        return;
      }
      window.more += 1;
      if (address !== undefined && window.addresses.size < MAX_ADDRESSES) {
        window.addresses.add(address);
      }
    },
    /** Writes counts that have not been logged yet. */
    close() {
      for (const kind of [...open.keys()]) end(kind);
    },
  };
}
