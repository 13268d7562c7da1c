// How much callers may use at the same time: a limit per caller and a limit in total.

export interface Quota {
  /** Returns false and takes nothing if a limit would be exceeded. */
  take(caller: string, amount: number): boolean;
  give(caller: string, amount: number): void;
  /** Of one caller. */
  heldBy(caller: string): number;
  held(): number;
}

export interface QuotaLimits {
  readonly total: number;
  readonly perCaller: number;
}

export function openQuota({ total, perCaller }: QuotaLimits): Quota {
  const byCaller = new Map<string, number>();
  const state = { held: 0 };
  return {
    take(caller, amount) {
      const own = (byCaller.get(caller) ?? 0) + amount;
      if (own > perCaller || state.held + amount > total) return false;
      byCaller.set(caller, own);
      state.held += amount;
      return true;
    },
    give(caller, amount) {
      const own = (byCaller.get(caller) ?? 0) - amount;
      if (own > 0) byCaller.set(caller, own);
      else byCaller.delete(caller);
      state.held -= amount;
    },
    heldBy: (caller) => byCaller.get(caller) ?? 0,
    held: () => state.held,
  };
}
