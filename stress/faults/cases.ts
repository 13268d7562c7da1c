// Every call of every operation, with everything that can go wrong there.
import { join } from "node:path";
import type { Bench } from "./bench.ts";
import { type Arming, type ChangeKind, type DiskChange, readDiskLog } from "./disk-control.ts";
import { judge } from "./judge.ts";
import type { Operation } from "./operations.ts";

export interface FaultCase extends Arming {
  readonly operation: Operation;
  readonly kind: ChangeKind;
}

// Delays all calls: what matters is who else works meanwhile.
const DELAY_MS = 4;
// Every eighth case also checks that work continues afterwards.
const THOROUGH_EVERY = 8;

type Mode = Pick<Arming, "fault" | "sticky" | "delayMs">;
const ALWAYS: readonly Mode[] = [
  { fault: "eio" },
  { fault: "eio", sticky: true },
  { fault: "kill-before" },
];
const FULL: Mode = { fault: "enospc", sticky: true };
const WRITES: readonly Mode[] = [{ fault: "torn" }, { fault: "short" }, { fault: "kill-middle" }];

/** Runs the operation once on a healthy disk to learn its calls. */
export async function findCases(bench: Bench, operation: Operation): Promise<readonly FaultCase[]> {
  const log = join(bench.top, `${operation}.log`);
  bench.reset();
  bench.control.disarm();
  const { said } = await bench.perform(operation, log);
  if (!said.some(({ kind }) => kind === "done"))
    throw new Error(`${operation}: ${JSON.stringify(said)}`);
  return casesOf(operation, readDiskLog(log));
}

/** Calls that also fail on a healthy disk (a missing file) are not recorded, and left out. */
export function casesOf(
  operation: Operation,
  changes: readonly Pick<DiskChange, "call" | "kind">[],
): readonly FaultCase[] {
  const last = changes.at(-1)?.call;
  const faults = changes.flatMap(({ call: at, kind }) => {
    const lets = kind === "unlink" || kind === "rmdir" || kind === "truncate";
    const modes = [...ALWAYS, ...(lets ? [] : [FULL]), ...(kind === "write" ? WRITES : [])];
    const end: Mode[] = at === last ? [{ fault: "kill-after" }] : [];
    return [...modes, ...end].map((mode) => ({ operation, kind, at, ...mode }));
  });
  const slow: Mode = { fault: "delay", sticky: true, delayMs: DELAY_MS };
  return [{ operation, kind: "none", at: 1, ...slow }, ...faults];
}

export interface Verdict {
  /** False if this run had fewer calls. */
  readonly fired: boolean;
  readonly problems: readonly string[];
}

export async function tryCase(bench: Bench, { operation, ...arming }: FaultCase): Promise<Verdict> {
  bench.reset();
  bench.control.arm(arming);
  const thorough = arming.at % THOROUGH_EVERY === 1;
  const outcome = await bench.perform(operation);
  const { fired } = bench.control.counts();
  bench.control.disarm();
  if (fired === 0) return { fired: false, problems: [] };
  return { fired: true, problems: await judge(bench, { operation, thorough }, outcome) };
}

export function describeCase({ operation, fault, sticky, at, kind }: FaultCase): string {
  return `${operation}: ${fault}${sticky ? " from then on" : ""} at call ${at} (${kind})`;
}
