// Sources and their ledger, on both engines.
import { GENERAL_SCOPE } from "../domain/call/grants.ts";
import { defined } from "../domain/defined.ts";
import type {
  Source,
  SourceDescription,
  SourceItem,
  SourceKindName,
  SourceRun,
  SourceSettings,
} from "../domain/source.ts";
import { readFailure } from "./core/read-task.ts";
import {
  type Connection,
  type Engine,
  fromJson,
  json,
  NOTHING,
  oneOf,
  type Sql,
  sql,
} from "./sql.ts";
import { holdTask, IS_OPEN } from "./tasks.ts";

export interface KnownItem extends SourceItem {
  /** No document has its content any more. */
  readonly isMissing: boolean;
}

/** What one run changes in the ledger. */
interface ItemChanges {
  readonly put: readonly SourceItem[];
  readonly removed: readonly string[];
}

/** The task that syncs the source, and who holds it. */
interface SourceHolder {
  readonly taskId: string;
  readonly worker: string;
}

export interface BegunSource extends Source {
  /** The run before this one came to its end, with these settings, and listed everything. */
  readonly wasWhole: boolean;
}

export interface SourceStore {
  list(): Promise<readonly Source[]>;
  /** Creates it, or replaces its settings. */
  put(id: string, source: SourceDescription, nextRun?: string): Promise<void>;
  change(
    id: string,
    to: { readonly isPaused?: boolean; readonly nextRun?: string | null },
  ): Promise<boolean>;
  /** Its documents stay; only the ledger goes. */
  remove(id: string): Promise<boolean>;
  /** The ids of those whose time has come and which nobody syncs. */
  due(now: string): Promise<readonly string[]>;
  /** Takes the source for this task; undefined if it is gone or another open task has it. */
  begin(id: string, taskId: string): Promise<BegunSource | undefined>;
  items(id: string): Promise<readonly KnownItem[]>;
  /** Only while the worker holds the task. */
  record(
    id: string,
    changes: ItemChanges,
    holder: SourceHolder,
  ): Promise<"recorded" | "lease-lost">;
  /** Fills the ledger of a source that has none. */
  restore(id: string, items: readonly SourceItem[]): Promise<void>;
  end(id: string, run: SourceRun, nextRun?: string): Promise<void>;
}

interface SourceRow {
  readonly id: string;
  readonly kind: SourceKindName;
  readonly address: string;
  readonly settings: string;
  readonly paused: number;
  readonly next_run: string | null;
  readonly last_run: string | null;
  readonly created_at: string;
  readonly items: number;
  readonly failed: number;
  readonly open_task: string | null;
}

/** The source's own task, if it is open. */
const openTask = (db: Connection) =>
  sql`(SELECT t.id FROM tasks t WHERE t.kb = ${db.kb} AND t.id = s.task AND ${IS_OPEN})`;

function readSources(db: Connection, where: Sql = NOTHING) {
  const items = sql`source_items i WHERE i.kb = s.kb AND i.source = s.source`;
  return db.all<SourceRow>(sql`SELECT s.id, s.kind, s.address, s.settings, s.paused, s.next_run,
    s.last_run, s.created_at, ${openTask(db)} AS open_task,
    (SELECT count(*) FROM ${items}) AS items,
    (SELECT count(*) FROM ${items} AND i.failure <> 'none') AS failed
    FROM sources s WHERE s.kb = ${db.kb} ${where} ORDER BY s.created_at, s.source`);
}

function toSource(row: SourceRow): Source {
  return {
    id: row.id,
    kind: row.kind,
    address: row.address,
    settings: (fromJson(row.settings) ?? {}) as SourceSettings,
    isPaused: row.paused !== 0,
    createdAt: row.created_at,
    items: Number(row.items),
    failed: Number(row.failed),
    ...defined({
      nextRun: row.next_run ?? undefined,
      task: row.open_task ?? undefined,
      lastRun: fromJson(row.last_run ?? "") as SourceRun | undefined,
    }),
  };
}

export function openSources({ read, write }: Engine): SourceStore {
  return {
    list: () => read(async (db) => (await readSources(db)).map(toSource)),
    put: (id, source, nextRun) => write((db) => putSource(db, id, { ...source, nextRun })),
    change: (id, to) => write((db) => changeSource(db, id, to)),
    remove: (id) =>
      write(async (db) => {
        const sources = sql`FROM sources WHERE kb = ${db.kb} AND id = ${id}`;
        await db.run(sql`DELETE FROM source_items WHERE kb = ${db.kb}
          AND source IN (SELECT source ${sources})`);
        return (await db.run(sql`DELETE ${sources}`)) === 1;
      }),
    due: (now) =>
      read(async (db) => {
        const rows = await readSources(db, sql`AND s.paused = 0 AND s.next_run <= ${now}`);
        return rows.filter((row) => row.open_task === null).map((row) => row.id);
      }),
    begin: (id, taskId) => write((db) => begin(db, id, taskId)),
    items: (id) => read((db) => readItems(db, id)),
    record: (id, changes, holder) => write((db) => record(db, id, { changes, holder })),
    restore: (id, items) =>
      write(async (db) => {
        const row = await db.one<{ source: number }>(
          sql`SELECT source FROM sources WHERE kb = ${db.kb} AND id = ${id}`,
        );
        if (row) await replaceItems(db, row.source, { put: items, removed: [] });
      }),
    end: (id, run, nextRun) =>
      write(async (db) => {
        await db.run(sql`UPDATE sources SET last_run = ${json(run)}, next_run = ${nextRun ?? null}
          WHERE kb = ${db.kb} AND id = ${id}`);
      }),
  };
}

async function putSource(
  db: Connection,
  id: string,
  source: SourceDescription & { readonly nextRun: string | undefined },
): Promise<void> {
  const settings = json(source.settings);
  const next = source.nextRun ?? null;
  const changed = await db.run(sql`UPDATE sources SET settings = ${settings}, next_run = ${next},
    last_run = CASE WHEN settings = ${settings} THEN last_run ELSE NULL END
    WHERE kb = ${db.kb} AND id = ${id} AND kind = ${source.kind} AND address = ${source.address}`);
  if (changed > 0) return;
  await db.run(sql`INSERT INTO sources (kb, id, kind, address, settings, next_run, created_at)
    VALUES (${db.kb}, ${id}, ${source.kind}, ${source.address}, ${settings}, ${next}, ${db.dialect.now()})
    ON CONFLICT DO NOTHING`);
}

async function changeSource(
  db: Connection,
  id: string,
  { isPaused, nextRun }: Parameters<SourceStore["change"]>[1],
): Promise<boolean> {
  const paused = isPaused === undefined ? sql`paused` : sql`${isPaused ? 1 : 0}`;
  const next = nextRun === undefined ? sql`next_run` : sql`${nextRun}`;
  const changed = await db.run(sql`UPDATE sources SET paused = ${paused}, next_run = ${next}
    WHERE kb = ${db.kb} AND id = ${id}`);
  return changed === 1;
}

async function begin(db: Connection, id: string, taskId: string): Promise<BegunSource | undefined> {
  const before = await db.one<{ task: string | null }>(
    sql`SELECT task FROM sources WHERE kb = ${db.kb} AND id = ${id}`,
  );
  const taken = await db.run(sql`UPDATE sources AS s SET task = ${taskId}
    WHERE s.kb = ${db.kb} AND s.id = ${id}
      AND (s.task = ${taskId} OR s.task IS NULL OR NOT EXISTS ${openTask(db)})`);
  if (taken !== 1) return undefined;
  const [row] = await readSources(db, sql`AND s.id = ${id}`);
  if (!row) return undefined;
  const source = toSource(row);
  const { task, problem } = source.lastRun ?? {};
  return { ...source, wasWhole: task !== undefined && task === before?.task && !problem };
}

interface ItemRow {
  readonly item: string;
  readonly version: string | null;
  readonly path: string | null;
  readonly content_hash: string | null;
  readonly failure: string | null;
  readonly is_missing: number | boolean;
}

/** A document counts in the source's scope only: whoever syncs the source learns nothing of others. */
async function readItems(db: Connection, id: string): Promise<readonly KnownItem[]> {
  const [source] = await readSources(db, sql`AND s.id = ${id}`);
  const { scope = GENERAL_SCOPE } = source ? toSource(source).settings : {};
  const rows =
    await db.all<ItemRow>(sql`SELECT i.item, i.version, i.path, i.content_hash, i.failure,
      (i.failure IS NULL AND NOT EXISTS (SELECT 1 FROM documents d
        WHERE d.kb = ${db.kb} AND d.scope = ${scope}
          AND d.content_hash = i.content_hash)) AS is_missing
    FROM source_items i JOIN sources s ON s.kb = i.kb AND s.source = i.source
    WHERE s.kb = ${db.kb} AND s.id = ${id} ORDER BY i.item`);
  return rows.map((row) => ({
    item: row.item,
    isMissing: Boolean(row.is_missing),
    ...defined({
      version: row.version ?? undefined,
      path: row.path ?? undefined,
      contentHash: row.content_hash ?? undefined,
      failure: readStored(row.failure),
    }),
  }));
}

function readStored(failure: string | null): SourceItem["failure"] {
  if (failure === null || failure === "none") return failure ?? undefined;
  return readFailure(fromJson(failure));
}

const ITEMS = {
  table: "source_items",
  columns: {
    kb: "integer",
    source: "bigint",
    item: "text",
    version: "text",
    path: "text",
    content_hash: "text",
    failure: "text",
  },
} as const;

async function record(
  db: Connection,
  id: string,
  { changes, holder }: { readonly changes: ItemChanges; readonly holder: SourceHolder },
): Promise<"recorded" | "lease-lost"> {
  const [held = [], found = []] = await db.together([
    holdTask(db, holder),
    sql`SELECT source FROM sources WHERE kb = ${db.kb} AND id = ${id} AND task = ${holder.taskId}`,
  ]);
  const [row] = found as readonly { source: number }[];
  if (held.length === 0 || row === undefined) return "lease-lost";
  await replaceItems(db, row.source, changes);
  return "recorded";
}

async function replaceItems(db: Connection, source: number, { put, removed }: ItemChanges) {
  const names = [...removed, ...put.map(({ item }) => item)];
  await db.run(sql`DELETE FROM source_items WHERE kb = ${db.kb} AND source = ${source}
    AND item ${oneOf("text", names)}`);
  const rows = put.map(({ item, version, path, contentHash, failure }) => [
    ...[db.kb, source, item, version ?? null],
    ...[path ?? null, contentHash ?? null],
    typeof failure === "object" ? json(failure) : (failure ?? null),
  ]);
  await db.insert(ITEMS, rows);
}
