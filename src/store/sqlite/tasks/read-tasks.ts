import type { Task } from "../../../domain/task.ts";
import type { Database } from "../database.ts";
import { IS_SET_ASIDE, TASK_COLUMNS, type TaskRow, toTask } from "../rows.ts";

export function openTaskReader(database: Database) {
  return {
    task(id: string): Task | undefined {
      const sql = `SELECT ${TASK_COLUMNS} FROM tasks WHERE id = ?`;
      const row = database.read(() => database.get<TaskRow>(sql, id));
      return row && toTask(row);
    },
    taskList({ limit, open = false }: { readonly limit: number; readonly open?: boolean }) {
      const where = open ? "WHERE status IN ('queued', 'running')" : "";
      const first = open ? "status = 'running' DESC," : "";
      const sql = `SELECT ${TASK_COLUMNS} FROM tasks ${where} ORDER BY ${first} seq DESC LIMIT ?`;
      return database.read(() => database.all<TaskRow>(sql, limit)).map(toTask);
    },
    tasksSetAside: (): readonly string[] =>
      database
        .read(() =>
          database.all<{ id: string }>(`SELECT id FROM tasks WHERE ${IS_SET_ASIDE} ORDER BY seq`),
        )
        .map((row) => row.id),
    taskCounts(): { readonly queued: number; readonly running: number } {
      const counts = { queued: 0, running: 0 };
      const rows = database.read(() =>
        database.all<{ status: "queued" | "running"; count: number }>(
          "SELECT status, count(*) AS count FROM tasks WHERE status IN ('queued', 'running') GROUP BY status",
        ),
      );
      for (const row of rows) counts[row.status] = row.count;
      return counts;
    },
  };
}
