// How callers share a few places to work: they take turns, and one more place is for small files only.

/** One piece of work: who it is for, and whether it is a small file. */
export interface Share {
  readonly caller: string;
  readonly isSmall: boolean;
}

/** A file of this size is read in seconds, whatever is in it. */
export const MAX_SMALL_BYTES = 32 * 1024;

/** `places` are for all files; one more is for small files only, which so never wait behind large ones. */
export function mayStart(isSmall: boolean, busy: readonly Share[], places: number): boolean {
  const small = busy.filter((each) => each.isSmall).length;
  const used = busy.length - Math.min(small, 1);
  return used < places || (isSmall && small === 0);
}

/** `served`: who had a turn in this round. If one of them gets another, nobody else waits: a new round begins. */
export function noteServed(served: Set<string>, { caller }: Share): void {
  if (served.has(caller)) served.clear();
  served.add(caller);
}

/** Those that wait for a place, and those that have one. */
export interface Line<Waiting extends Share> {
  join(waiting: Waiting): void;
  /** Gives a place to the first whose caller has had no turn yet; undefined if none may start. */
  start(): Waiting | undefined;
  /** Ends the wait or the work. */
  leave(one: Waiting): void;
  waiting(): readonly Waiting[];
}

export function openLine<Waiting extends Share>(places: number): Line<Waiting> {
  const waiting: Waiting[] = [];
  const busy = new Set<Waiting>();
  const served = new Set<string>();
  const leave = (one: Waiting) => {
    busy.delete(one);
    if (waiting.includes(one)) waiting.splice(waiting.indexOf(one), 1);
  };
  return {
    join: (one) => void waiting.push(one),
    start() {
      const able = waiting.filter(({ isSmall }) => mayStart(isSmall, [...busy], places));
      const next = able.find(({ caller }) => !served.has(caller)) ?? able[0];
      if (next === undefined) return undefined;
      leave(next);
      busy.add(next);
      noteServed(served, next);
      return next;
    },
    leave,
    waiting: () => waiting,
  };
}
