import type { Task } from "../../../domain/task.ts";
import { asQueued } from "../../core/read-task.ts";
import type { Database } from "../database.ts";
import { IS_SET_ASIDE, TASK_COLUMNS, type TaskRow, toTask } from "../rows.ts";
import { LEASE_ENDED, type LeaseClock } from "./lease-clock.ts";

/** The task's worker died; the next claim takes the task. */
const IS_ABANDONED = `(status = 'running' AND ${LEASE_ENDED})`;
const SELECT = `SELECT ${TASK_COLUMNS}, ${IS_ABANDONED} AS is_left FROM tasks`;

interface ReadRow extends TaskRow {
  readonly is_left: 0 | 1;
}

const toRead = (row: ReadRow): Task => (row.is_left === 1 ? asQueued(toTask(row)) : toTask(row));

export function openTaskReader(database: Database, clock: LeaseClock) {
  const now = () => [clock.name, clock.nowMs(), clock.nowMs()] as const;
  return {
    task(id: string): Task | undefined {
      const row = database.read(() =>
        database.get<ReadRow>(`${SELECT} WHERE id = ?`, ...now(), id),
      );
      return row && toRead(row);
    },
    taskList({ limit, open = false }: { readonly limit: number; readonly open?: boolean }) {
      const where = open ? "WHERE status IN ('queued', 'running')" : "";
      const first = open ? "(status = 'running' AND NOT is_left) DESC," : "";
      const sql = `${SELECT} ${where} ORDER BY ${first} seq DESC LIMIT ?`;
      return database.read(() => database.all<ReadRow>(sql, ...now(), limit)).map(toRead);
    },
    tasksSetAside: (): readonly string[] =>
      database
        .read(() =>
          database.all<{ id: string }>(`SELECT id FROM tasks WHERE ${IS_SET_ASIDE} ORDER BY seq`),
        )
        .map((row) => row.id),
    taskCounts(): { readonly queued: number; readonly running: number } {
      return database.read(() => {
        const counts = { queued: 0, running: 0 };
        const rows = database.all<{ status: "queued" | "running"; count: number }>(
          "SELECT status, count(*) AS count FROM tasks WHERE status IN ('queued', 'running') GROUP BY status",
        );
        for (const row of rows) counts[row.status] = row.count;
        if (counts.running === 0) return counts;
        // A separate query, because the index on the status serves the first one, and few tasks are running.
        const sql = `SELECT count(*) AS count FROM tasks WHERE ${IS_ABANDONED}`;
        const left = database.get<{ count: number }>(sql, ...now())?.count ?? 0;
        return { queued: counts.queued + left, running: counts.running - left };
      });
    },
  };
}
