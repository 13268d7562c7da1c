// The clock that leases are measured by. A wall clock can jump; the kernel's monotonic clock is the same in
// every process of one boot, cannot jump, and stops while the machine sleeps, as the workers do.
import { readFileSync } from "node:fs";

export interface LeaseClock {
  /** Leases of another name ended: their boot is over, and no process outlives its boot. */
  readonly name: string;
  nowMs(): number;
}

const WALL = "wall";

export function openLeaseClock(bootIdPath = "/proc/sys/kernel/random/boot_id"): LeaseClock {
  try {
    const name = readFileSync(bootIdPath, "utf8").trim();
    return { name, nowMs: () => Number(process.hrtime.bigint() / 1_000_000n) };
  } catch {
    // No boot has a name here: a wall clock, whose steps back are caught by LEASE_ENDED.
    return { name: WALL, nowMs: () => Date.now() };
  }
}

/** SQL that is true of a row whose lease is over; takes the clock's name, then now, then now again. */
export const LEASE_ENDED = `(lease_clock IS NOT ? OR lease_until <= ? OR lease_until - lease_ms > ?)`;
