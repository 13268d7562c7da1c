// Copies, row by row, the tables that hold what was written to them: tasks, rules, sources.
import type { DatabaseSync, SQLInputValue } from "node:sqlite";
import { isReadable, type TaskRow, toTask } from "../../core/rows.ts";
import type { Loss } from "../../store.ts";
import type { Database } from "../database.ts";
import { isMachineFault } from "../failures.ts";
import type { Identity } from "../folder/identity.ts";
import { HASH } from "./salvage.ts";
import { isOverwritten, readAll, scanTable, type TableScan } from "./scan.ts";

export interface Copying {
  readonly source: DatabaseSync;
  readonly fresh: Database;
  readonly losses: Loss[];
}

/** Returns the rows that are in the new database; `change` makes a row what is stored, or undefined if nothing is. */
function copyTable<Row extends object>(
  { source, fresh }: Copying,
  scan: TableScan,
  change: (row: Row) => object | undefined = (row) => row,
) {
  const { rows, isWhole } = scanTable<Row>(source, scan);
  const copied = [...rows.values()].filter((row) => {
    const changed = change(row);
    return changed !== undefined && insert(fresh, scan.table, changed);
  });
  return { rows: copied, isWhole: isWhole && copied.length === rows.size };
}

/** False if it is refused: what it belongs to is lost, or its values are not those of a row. */
function insert(fresh: Database, table: string, row: object): boolean {
  const { row_key: _, ...stored } = row as Record<string, SQLInputValue>;
  const names = Object.keys(stored).map((name) => `"${name}"`);
  const places = names.map(() => "?");
  try {
    fresh.run(`INSERT INTO ${table} (${names}) VALUES (${places})`, ...Object.values(stored));
    return true;
  } catch (thrown) {
    if (isMachineFault(thrown)) throw thrown;
    return false;
  }
}

export function unnamed(kind: Loss["kind"], what: string): Loss {
  return { kind, name: "unknown", what };
}

/** Bytes that look overwritten may be real user data. */
function noteBlurred({ losses }: Copying, value: unknown, loss: Loss): void {
  if (isOverwritten(value)) losses.push({ ...loss, isUncertain: true });
}

export function isSoundTask(row: TaskRow): boolean {
  return (
    typeof row.id === "string" && isReadable(row) && HASH.test(toTask(row).request.contentHash)
  );
}

/** Open tasks run again, ended ones can still be queried. Returns the files of the open ones. */
export function copyTasks(copying: Copying) {
  const isOpen = ({ status }: TaskRow) => status === "queued" || status === "running";
  const toStored = (row: TaskRow) => {
    const { contentHash } = toTask(row).request;
    const status = isOpen(row) ? "queued" : row.status;
    return { ...row, content_hash: contentHash, status, worker: null, lease_clock: null };
  };
  const { rows, isWhole } = copyTable<TaskRow>(copying, { table: "tasks", key: "seq" }, (row) =>
    isSoundTask(row) ? toStored(row) : undefined,
  );
  for (const { id, request } of rows) {
    const what = "part of its file's name or metadata";
    noteBlurred(copying, request, { kind: "task", name: id, what });
  }
  if (!isWhole) copying.losses.push(unnamed("task", "tasks that nothing names"));
  const open = rows.filter(isOpen).map(({ id, request }) => {
    return { id, contentHash: (JSON.parse(request) as { contentHash: string }).contentHash };
  });
  return { count: rows.length, open, isWhole };
}

interface ScopeRow {
  readonly scope: number;
  readonly id: string;
  readonly tier: number;
  readonly parent: number | null;
}

interface CategoryRow {
  readonly category: number;
  readonly scope: number;
  readonly name: string;
  readonly description: string;
}

interface EntryRow {
  readonly category: number;
  readonly keyword: string;
  readonly content: string;
}

/** Returns how many scopes were copied. */
export function copyRules(copying: Copying): number {
  const { fresh, losses } = copying;
  const scopes = copyTable<ScopeRow>(copying, { table: "scopes", key: "scope" }, (row) => {
    return { ...row, parent: null };
  });
  const rowOf = new Map(scopes.rows.map((row) => [row.scope, row]));
  for (const { scope, id, tier, parent } of scopes.rows) {
    if (parent === null) continue;
    if ((rowOf.get(parent)?.tier ?? tier) < tier)
      fresh.run("UPDATE scopes SET parent = ? WHERE scope = ?", parent, scope);
    else losses.push({ kind: "scope", name: id, what: "its place: its parent is lost" });
  }
  const categories = copyTable<CategoryRow>(copying, { table: "categories", key: "category" });
  const nameOf = new Map<number, string>();
  for (const { category, scope, name, description } of categories.rows) {
    const loss = { name: `${rowOf.get(scope)?.id} › ${name}`, what: "its description" };
    noteBlurred(copying, description, { kind: "category", ...loss });
    nameOf.set(category, loss.name);
  }
  const entries = copyTable<EntryRow>(copying, { table: "entries", key: "entry" });
  for (const { category, keyword, content } of entries.rows) {
    const name = `${nameOf.get(category)} › ${keyword}`;
    noteBlurred(copying, content, { kind: "rule", name, what: "part of its content" });
  }
  if (![scopes, categories, entries].every(({ isWhole }) => isWhole))
    losses.push(unnamed("rule", "scopes or rules that nothing names"));
  return scopes.rows.length;
}

/** What their ledgers have lost is only looked at again. */
export function copySources(copying: Copying): void {
  const { source, fresh, losses } = copying;
  const { isWhole } = copyTable(copying, { table: "sources", key: "source" }, (row) => {
    return { ...row, task: null, last_run: null };
  });
  if (!isWhole) losses.push(unnamed("source", "sources: add them again"));
  for (const row of readAll<object>(source, "SELECT * FROM source_items") ?? [])
    insert(fresh, "source_items", row);
}

/** Files of removed documents, which a repair must not restore. */
export function copyDropped({ source, fresh }: Copying): readonly string[] {
  const rows = readAll<{ hash: string }>(source, "SELECT * FROM dropped_originals") ?? [];
  for (const row of rows) insert(fresh, "dropped_originals", row);
  return rows.map(({ hash }) => hash);
}

/** Keeps the ownership: a folder that was not the old database's does not become the new one's. */
export function copyIdentity({ source, fresh }: Copying): boolean {
  const [old] = readAll<Identity>(source, "SELECT id, claim FROM identity") ?? [];
  if (typeof old?.id !== "string" || typeof old.claim !== "string") return false;
  setIdentity(fresh, old);
  return true;
}

export function setIdentity(fresh: Database, { id, claim }: Pick<Identity, "id" | "claim">): void {
  fresh.run("UPDATE identity SET id = ?, claim = ?", id, claim);
}
