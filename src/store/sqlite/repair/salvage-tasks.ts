// Salvages the readable tasks of a damaged database: open ones run again, ended ones can still be queried.
import type { DatabaseSync } from "node:sqlite";
import { isReadable, type TaskRow, toTask } from "../../core/rows.ts";
import type { Loss } from "../../store.ts";
import { isOverwritten, scanTable } from "../check/scan.ts";
import { TASK_COLUMNS } from "../rows.ts";
import type { SalvagedList } from "./salvage.ts";

export interface SalvagedTask {
  readonly row: TaskRow;
  readonly contentHash: string;
  readonly isOpen: boolean;
}

const HASH = /^[0-9a-f]{64}$/;
const OPEN: readonly string[] = ["queued", "running"];

export function salvageTasks(database: DatabaseSync): SalvagedList<SalvagedTask> {
  const table = scanTable<TaskRow>(database, { table: "tasks", key: "seq", columns: TASK_COLUMNS });
  const found = [...table.rows.values()].flatMap(toSalvaged);
  const blurred = found.filter(({ row }) => isOverwritten(row.request));
  return {
    found,
    losses: blurred.map(({ row }): Loss => {
      const what = "part of its file's name or metadata";
      return { kind: "task", name: row.id, what, isUncertain: true };
    }),
    unreadable: table.rows.size - found.length,
    isWhole: table.isWhole && found.length === table.rows.size,
  };
}

function toSalvaged(row: TaskRow): readonly SalvagedTask[] {
  if (typeof row.id !== "string" || !isReadable(row)) return [];
  const { contentHash } = toTask(row).request;
  if (!HASH.test(contentHash)) return [];
  return [{ row, contentHash, isOpen: OPEN.includes(row.status) }];
}
