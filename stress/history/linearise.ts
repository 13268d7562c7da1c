// Finds an order that explains concurrent operations: each takes effect at one instant between its call
// and its response, and every response fits the state at that instant. (Wing and Gong's search, memoised.)

export interface Timed<Op> {
  readonly op: Op;
  readonly from: number;
  readonly to: number;
  /** Unknown whether it happened: its process was killed. */
  readonly maybe?: boolean;
}

export interface Model<State, Op> {
  /** Undefined: that response is impossible in that state. */
  apply(state: State, op: Op): State | undefined;
  keyOf(state: State): string;
}

export type Verdict<Op> =
  | { readonly kind: "linearisable" }
  /** No order explains the history; the longest one found stops before `stuckAt`. */
  | { readonly kind: "violation"; readonly stuckAt: Timed<Op> }
  | { readonly kind: "undecided" };

const MAX_STEPS = 400_000;

export function linearise<State, Op>(
  history: readonly Timed<Op>[],
  initial: State,
  model: Model<State, Op>,
): Verdict<Op> {
  const events = history.toSorted((a, b) => a.from - b.from);
  const search = { stack: [{ done: 0n, state: initial, count: 0 }], steps: 0, deepest: -1 };
  const seen = new Set<string>();
  let stuckAt = events[0] as Timed<Op>;
  for (let at = search.stack.pop(); at; at = search.stack.pop()) {
    if (++search.steps > MAX_STEPS) return { kind: "undecided" };
    const open = openAt(events, at.done);
    const next = open.find(({ event }) => !event.maybe)?.event;
    if (!next) return { kind: "linearisable" };
    if (at.count > search.deepest) [search.deepest, stuckAt] = [at.count, next];
    const possible = open.filter(({ event }) => event.from <= next.to);
    // The last one pushed is tried first: operations that end first and certainly happened.
    for (const { event, bit } of possible.toReversed()) {
      const state = model.apply(at.state, event.op);
      if (state === undefined) continue;
      const done = at.done | bit;
      const key = `${done.toString(36)} ${model.keyOf(state)}`;
      if (!seen.has(key)) search.stack.push({ done, state, count: at.count + 1 });
      seen.add(key);
    }
  }
  return { kind: "violation", stuckAt };
}

interface Open<Op> {
  readonly event: Timed<Op>;
  readonly bit: bigint;
}

/** Not yet placed: those that certainly happened first, by their end. */
function openAt<Op>(events: readonly Timed<Op>[], done: bigint): readonly Open<Op>[] {
  return events
    .map((event, at) => ({ event, bit: 1n << BigInt(at) }))
    .filter(({ bit }) => (done & bit) === 0n)
    .sort(
      (a, b) =>
        Number(a.event.maybe ?? false) - Number(b.event.maybe ?? false) || a.event.to - b.event.to,
    );
}
