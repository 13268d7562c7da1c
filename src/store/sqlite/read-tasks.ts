import type { Task } from "../../domain/task.ts";
import type { Database } from "./database.ts";
import { TASK_COLUMNS, type TaskRow, toTask } from "./rows.ts";

export function openTaskReader(database: Database) {
  return {
    task(id: string): Task | undefined {
      const row = database.get<TaskRow>(`SELECT ${TASK_COLUMNS} FROM tasks WHERE id = ?`, id);
      return row && toTask(row);
    },
    taskList({ limit, open = false }: { readonly limit: number; readonly open?: boolean }) {
      const where = open ? "WHERE status IN ('queued', 'running')" : "";
      return database
        .all<TaskRow>(`SELECT ${TASK_COLUMNS} FROM tasks ${where} ORDER BY seq DESC LIMIT ?`, limit)
        .map(toTask);
    },
    taskCounts(): Readonly<Record<Task["status"], number>> {
      const counts = { queued: 0, running: 0, completed: 0, failed: 0, cancelled: 0 };
      const rows = database.all<{ status: Task["status"]; count: number }>(
        "SELECT status, count(*) AS count FROM tasks GROUP BY status",
      );
      for (const row of rows) counts[row.status] = row.count;
      return counts;
    },
  };
}
