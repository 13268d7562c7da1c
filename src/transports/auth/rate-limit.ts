// A token bucket for each client: a minute's allowance at once, then at the steady rate.

export interface Pace {
  /** 0 when the request may pass, else the seconds to wait. */
  take(client: string, perMinute: number): number;
}

interface Bucket {
  left: number;
  at: number;
}

// Full buckets are forgotten; this many are kept before looking for them.
const SWEEP_ABOVE = 10_000;
/** Beyond it also those that were used lately are forgotten, the longest unused first. */
const MOST = 100_000;
const FULL_AFTER_SECONDS = 60;

export function openPace(now: () => number = () => performance.now() / 1000): Pace {
  const buckets = new Map<string, Bucket>();
  return {
    take(client, perMinute) {
      const time = now();
      const perSecond = perMinute / 60;
      const bucket = buckets.get(client) ?? { left: perMinute, at: time };
      // The one that was used last is the last: a sweep ends at the first that is young.
      buckets.delete(client);
      bucket.left = Math.min(perMinute, bucket.left + (time - bucket.at) * perSecond);
      bucket.at = time;
      buckets.set(client, bucket);
      if (buckets.size > SWEEP_ABOVE) sweep(buckets, time);
      if (bucket.left < 1) return (1 - bucket.left) / perSecond;
      bucket.left -= 1;
      return 0;
    },
  };
}

function sweep(buckets: Map<string, Bucket>, time: number): void {
  for (const [client, bucket] of buckets) {
    if (time - bucket.at <= FULL_AFTER_SECONDS && buckets.size <= MOST) return;
    buckets.delete(client);
  }
}
