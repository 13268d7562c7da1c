// Whether adds wait because slow files hold all workers, and which files those are.
import type { Task } from "../../domain/task.ts";
import { shareOf } from "./queue-state.ts";

export interface Blocked {
  readonly waitedMs: number;
  /** The longest at work comes first. */
  readonly by: readonly { readonly filename: string; readonly since: string }[];
}

// Most files take a second, a scan of some pages half a minute.
const MAX_WAIT_MS = 60_000;

/** Undefined if nothing waits for long, or a worker has begun another file meanwhile. */
export function findBlocked(open: readonly Task[], now: number): Blocked | undefined {
  const waits = open.flatMap(({ status, createdAt }) =>
    status === "queued" ? [now - Date.parse(createdAt)] : [],
  );
  // Folders hold no worker, and small files have a place that no other can have.
  const by = open
    .filter((task) => task.status === "running" && !task.request.many && !shareOf(task).isSmall)
    .map(({ request, startedAt = "" }) => ({ filename: request.filename, since: startedAt }))
    .sort((one, other) => (one.since < other.since ? -1 : 1));
  const latest = by.at(-1);
  if (waits.length === 0 || latest === undefined) return undefined;
  const waitedMs = Math.min(Math.max(...waits), now - Date.parse(latest.since));
  return waitedMs > MAX_WAIT_MS ? { waitedMs, by } : undefined;
}
