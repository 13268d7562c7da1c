// What one caller, and all callers together, may keep open. Each share is far above what one person's clients need, and
// one caller that uses up its share leaves room for the others.
import { openQuota, type Quota, type QuotaLimits } from "../domain/call/quota.ts";

/** A session takes about 30 KB. */
export const SESSIONS: QuotaLimits = { total: 5_000, perCaller: 1_000 };
/** Event streams that stay open, of sessions and of `subscriptions/listen`. */
const STREAMS: QuotaLimits = { total: 2_048, perCaller: 512 };
const WEB_SOCKETS: QuotaLimits = { total: 1_024, perCaller: 256 };
/** Files that are arriving. The console sends three at once. */
const UPLOADS: QuotaLimits = { total: 128, perCaller: 32 };
/** Measured in messages of the maximum size. */
const IN_FLIGHT: QuotaLimits = { total: 8, perCaller: 4 };

export interface Limits {
  readonly streams: Quota;
  readonly webSockets: Quota;
  readonly uploads: Quota;
  /** Bytes of bodies and messages that are still arriving or whose request is still running. */
  readonly inFlight: Quota;
}

export function openLimits(maxMessageBytes: number): Limits {
  return {
    streams: openQuota(STREAMS),
    webSockets: openQuota(WEB_SOCKETS),
    uploads: openQuota(UPLOADS),
    inFlight: openQuota({
      total: IN_FLIGHT.total * maxMessageBytes,
      perCaller: IN_FLIGHT.perCaller * maxMessageBytes,
    }),
  };
}
