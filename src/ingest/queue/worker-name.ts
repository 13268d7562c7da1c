// A lease holder's name contains its host and process. Other processes on that host can see at once that it died,
// instead of waiting for the lease to expire.
import { randomUUID } from "node:crypto";
import { readlinkSync } from "node:fs";
import { hostname } from "node:os";
import { hasEnded } from "../../observe/silence.ts";

/** The PID namespace: containers on one host cannot see each other's process ids. */
function processSpace(): string {
  try {
    return `${hostname()}/${readlinkSync("/proc/self/ns/pid")}`;
  } catch {
    // Only Linux has process spaces.
    return hostname();
  }
}

export function nameWorker(): string {
  return [processSpace(), process.pid, randomUUID().slice(0, 8)].join("|");
}

/** True only if it is certain: same machine, and no such process exists. */
export function isDead(worker: string): boolean {
  const [space, pid] = worker.split("|");
  if (space !== processSpace() || Number(pid) === process.pid) return false;
  return hasEnded(Number(pid));
}
