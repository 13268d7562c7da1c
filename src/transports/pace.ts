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

export function openPace(now: () => number = () => performance.now() / 1000): Pace {
  const buckets = new Map<string, Bucket>();
  return {
    take(client, perMinute) {
      const time = now();
      const perSecond = perMinute / 60;
      const bucket = buckets.get(client) ?? { left: perMinute, at: time };
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
    if (time - bucket.at > 60) buckets.delete(client);
  }
}
