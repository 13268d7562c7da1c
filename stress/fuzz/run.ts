// Options of a fuzzing run: how many inputs, for how long, from which seed.
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";

export interface FuzzRun {
  readonly count: number;
  readonly seconds: number;
  readonly seed: number;
}

/** `only` names another option, which selects what to fuzz. */
export function readRun(defaults: Omit<FuzzRun, "seed">, only: string) {
  const { values } = parseArgs({
    options: {
      count: { type: "string", default: String(defaults.count) },
      seconds: { type: "string", default: String(defaults.seconds) },
      seed: { type: "string", default: String(Date.now() % 1_000_000) },
      [only]: { type: "string", multiple: true },
    },
  });
  const run: FuzzRun = {
    count: Number(values.count),
    seconds: Number(values.seconds),
    seed: Number(values.seed),
  };
  const selected = values[only] as readonly string[] | undefined;
  return { run, isSelected: (name: string) => selected?.includes(name) ?? true };
}

export function residentMb(pid: number | undefined): number {
  const kilobytes = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  return Math.round(Number(kilobytes ?? 0) / 1024);
}
