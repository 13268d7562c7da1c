// A token bucket per client: a minute's allowance at once, then the steady rate.

interface Bucket {
  readonly left: number;
  readonly at: number;
}

// Above this many buckets, full ones are looked for and dropped.
const SWEEP_ABOVE = 10_000;
/** Above this many, even recently used buckets are dropped, starting with the longest unused. */
const MAX_BUCKETS = 100_000;
const FULL_AFTER_SECONDS = 60;

export function openRateLimit(now: () => number = () => performance.now() / 1000) {
  const buckets = new Map<string, Bucket>();
  const filled = (client: string, perMinute: number): Bucket => {
    const time = now();
    const { left, at } = buckets.get(client) ?? { left: perMinute, at: time };
    return { left: Math.min(perMinute, left + ((time - at) * perMinute) / 60), at: time };
  };
  return {
    /** Returns 0 if the request may pass, otherwise the seconds to wait. */
    take(client: string, perMinute: number): number {
      const bucket = filled(client, perMinute);
      const seconds = untilNext(bucket, perMinute);
      // Keep the map in order of use, so a sweep can stop at the first recent bucket.
      buckets.delete(client);
      buckets.set(client, seconds > 0 ? bucket : { ...bucket, left: bucket.left - 1 });
      if (buckets.size > SWEEP_ABOVE) sweep(buckets, bucket.at);
      return seconds;
    },
    /** Takes back what one `take` counted. */
    giveBack(client: string, perMinute: number): void {
      const bucket = filled(client, perMinute);
      buckets.set(client, { ...bucket, left: Math.min(perMinute, bucket.left + 1) });
    },
  };
}

function untilNext({ left }: Bucket, perMinute: number): number {
  return left < 1 ? ((1 - left) * 60) / perMinute : 0;
}

function sweep(buckets: Map<string, Bucket>, time: number): void {
  for (const [client, bucket] of buckets) {
    if (time - bucket.at <= FULL_AFTER_SECONDS && buckets.size <= MAX_BUCKETS) return;
    buckets.delete(client);
  }
}
