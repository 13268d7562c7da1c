// Salvages the tasks of a damaged database: open ones run again, ended ones can still be queried.
import type { DatabaseSync } from "node:sqlite";
import type { Task } from "../../../domain/task.ts";
import type { Loss } from "../../store.ts";
import { isOverwritten, scanIndex, scanTable } from "../check/scan.ts";
import { isReadable, TASK_COLUMNS, type TaskRow, toTask } from "../rows.ts";
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
  const rows = new Map([...table.rows].flatMap(([seq, row]) => readRow(seq, row)));
  const blurred = [...rows.values()].filter(({ row }) => isOverwritten(row.request));
  const losses = blurred.map(({ row }): Loss => {
    const what = "part of its file's name or metadata";
    return { kind: "task", name: row.id, what, isUncertain: true };
  });
  if (table.isWhole && rows.size === table.rows.size) {
    return { found: [...rows.values()], losses, unreadable: 0, isWhole: true };
  }
  const indexes = readIndexes(database);
  const scans = [indexes.id, indexes.status];
  const known = [...new Set(scans.flatMap((each) => [...each.rows.keys()]))];
  const found = [...rows.values()];
  const rest = known.filter((each) => !rows.has(each)).sort((a, b) => a - b);
  for (const seq of rest) {
    const salvaged = fromIndexes(seq, indexes);
    if (salvaged) found.push(salvaged);
    const what = salvaged
      ? "the name and metadata of its file"
      : "what it was about and its result";
    losses.push({ kind: "task", name: indexes.id.rows.get(seq) ?? "unknown", what });
  }
  return { found, losses, unreadable: rest.length, isWhole: scans.some((each) => each.isWhole) };
}

function readRow(seq: number, row: TaskRow): [number, SalvagedTask][] {
  try {
    const task: Task = toTask(row);
    const { contentHash } = task.request;
    const isWhole = HASH.test(contentHash) && typeof task.id === "string" && isReadable(row);
    if (!isWhole) return [];
    return [[seq, { row, contentHash, isOpen: OPEN.includes(task.status) }]];
  } catch {
    return [];
  }
}

function readIndexes(database: DatabaseSync) {
  const read = (column: string, index: string, where = "") => {
    const scan = { table: "tasks", key: "seq", columns: [column], index, where };
    const { rows, isWhole } = scanIndex<Record<string, string>>(database, scan);
    return { rows: new Map([...rows].map(([seq, row]) => [seq, row[column] ?? ""])), isWhole };
  };
  return {
    id: read("id", "sqlite_autoindex_tasks_1"),
    status: read("status", "tasks_status"),
    hash: read("content_hash", "tasks_open_hash", "WHERE status IN ('queued', 'running')"),
  };
}

function fromIndexes(
  seq: number,
  { id, hash }: ReturnType<typeof readIndexes>,
): SalvagedTask | undefined {
  const [taskId, contentHash] = [id.rows.get(seq), hash.rows.get(seq)];
  if (taskId === undefined || contentHash === undefined || !HASH.test(contentHash))
    return undefined;
  const request: Task["request"] = {
    contentHash,
    filename: `recovered-${contentHash.slice(0, 8)}`,
    sizeBytes: 0,
    metadata: {},
    forceOcr: false,
  };
  const progress = { currentStep: "queued", completedSteps: 0, totalSteps: 0, fraction: 0 };
  const row: TaskRow = {
    id: taskId,
    status: "queued",
    content_hash: contentHash,
    request: JSON.stringify(request),
    progress: JSON.stringify(progress),
    created_at: new Date().toISOString(),
    started_at: null,
    finished_at: null,
    attempts: 0,
    worker: null,
    result: null,
    failure: null,
  };
  return { row, contentHash, isOpen: true };
}
