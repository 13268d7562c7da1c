// The clock for leases. A wall clock can jump; the kernel's monotonic clock is the same in
// every process of one boot, cannot jump, and stops while the machine sleeps, as the workers do.
import { readFileSync } from "node:fs";

export interface LeaseClock {
  /** Identifies the boot. Leases with another name have ended, because no process outlives its boot. */
  readonly name: string;
  nowMs(): number;
}

const WALL = "wall";

export function openLeaseClock(bootIdPath = "/proc/sys/kernel/random/boot_id"): LeaseClock {
  try {
    const name = readFileSync(bootIdPath, "utf8").trim();
    return { name, nowMs: () => Number(process.hrtime.bigint() / 1_000_000n) };
  } catch {
    // Boots have no id here, so the wall clock is used; leases that begin later have ended.
    return { name: WALL, nowMs: () => Date.now() };
  }
}
