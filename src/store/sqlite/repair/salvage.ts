// What is still readable in a damaged database: documents with their text, tasks and rules.
import type { DatabaseSync } from "node:sqlite";
import type { Block, ExtractedDocument, StoredDocument } from "../../../domain/document.ts";
import { type ScopeContent, TIERS, type Tier } from "../../../domain/scope.ts";
import type { SourceKindName, SourceSettings } from "../../../domain/source.ts";
import { unpackText } from "../../core/packed-text.ts";
import {
  type ChunkRow,
  type DocumentRow,
  isReadable,
  type TaskRow,
  toChunk,
  toDocument,
  toTask,
} from "../../core/rows.ts";
import { type DocumentRepository, openDocuments } from "../../documents/documents.ts";
import { fromJson } from "../../sql.ts";
import type { IndexedChunk, Loss } from "../../store.ts";
import { openReadingEngine } from "../engine.ts";
import { DOCUMENT_COLUMNS, TASK_COLUMNS } from "../rows.ts";
import { openVectors } from "../vectors/stored-vectors.ts";
import { isOverwritten, readAll, readAsync, scanTable } from "./scan.ts";

export interface SalvagedDocument {
  readonly document: StoredDocument;
  readonly doc: number;
}

export interface SalvagedList<Item> {
  readonly found: readonly Item[];
  readonly losses: readonly Loss[];
  /** Rows that are known to exist but are unreadable. */
  readonly unreadable: number;
  /** False if there may have been more. */
  readonly isWhole: boolean;
}

const HASH = /^[0-9a-f]{64}$/;

export function salvageDocuments(database: DatabaseSync): SalvagedList<SalvagedDocument> {
  const table = { table: "documents", key: "doc", columns: DOCUMENT_COLUMNS };
  const { rows, isWhole } = scanTable<DocumentRow>(database, table);
  const readable = [...rows.values()].filter(isNamed);
  return {
    found: readable.map((row) => ({ document: toDocument(row), doc: row.doc })),
    losses: readable.flatMap(lossesOf),
    unreadable: rows.size - readable.length,
    isWhole: isWhole && readable.length === rows.size,
  };
}

export function nameOf({ filename, id }: Pick<StoredDocument, "filename" | "id">): string {
  return `${filename} (${id})`;
}

/** Listing a document tolerates fields that cannot be parsed; here its metadata is a loss, and the rest makes it unreadable. */
function isNamed(row: DocumentRow): boolean {
  const isText = [row.id, row.filename].every((each) => typeof each === "string");
  const isParsed = [row.pages, row.warnings].every((each) => fromJson(each) !== undefined);
  return isText && isParsed && HASH.test(row.content_hash);
}

function lossesOf(row: DocumentRow): readonly Loss[] {
  const loss = { kind: "metadata", name: nameOf(row) } as const;
  if (fromJson(row.metadata) === undefined) return [{ ...loss, what: "its metadata" }];
  const isPart = [row.filename, row.title, row.metadata].some(isOverwritten);
  if (!isPart) return [];
  // Bytes that look overwritten may be real user data.
  return [{ ...loss, what: "part of its name, title or metadata", isUncertain: true }];
}

type Whole = NonNullable<Awaited<ReturnType<DocumentRepository["whole"]>>>;

interface SalvagedText extends Pick<ExtractedDocument, "text" | "blocks"> {
  /** Set if it was put together from its passages: what is missing. */
  readonly partial?: string;
}

export interface Contents {
  /** As it was stored; undefined if any part of it is unreadable or contradicts another. */
  whole(salvaged: SalvagedDocument): Promise<Whole | undefined>;
  /** The stored text, which has a checksum, or what is left of it in its passages. */
  text(salvaged: SalvagedDocument): SalvagedText | undefined;
}

export function openContents(database: DatabaseSync): Contents {
  const parts = { vectors: openVectors(), letGo: async () => {} };
  const documents = openDocuments(openReadingEngine(database), parts);
  const scan = { table: "chunks", key: "key", columns: "doc" };
  const { rows } = scanTable<{ readonly doc: number }>(database, scan);
  const keysOf = Map.groupBy(rows.keys(), (key) => rows.get(key)?.doc);
  return {
    async whole({ document }) {
      const found = await readAsync(() => documents.whole(document.id));
      return found && isSound(found, document) ? found : undefined;
    },
    text({ doc, document }) {
      const stored = readText(database, doc);
      if (stored) return stored;
      const chunks = (keysOf.get(doc) ?? []).flatMap((key) => readChunk(database, key));
      return chunks.length === 0 ? undefined : fromChunks(chunks, document);
    },
  };
}

function readText(database: DatabaseSync, doc: number): SalvagedText | undefined {
  const sql = "SELECT body FROM texts WHERE doc = ?";
  const [row] = readAll<{ body: Uint8Array }>(database, sql, doc) ?? [];
  try {
    return row && unpackText(row.body);
  } catch {
    return undefined;
  }
}

function readChunk(database: DatabaseSync, key: number): readonly ChunkRow[] {
  const sql = 'SELECT key, doc, ordinal, start, "end", text, detail FROM chunks WHERE key = ?';
  const rows = readAll<ChunkRow>(database, sql, key) ?? [];
  return rows.filter(
    ({ text, detail, start, end }) =>
      fromJson(detail) !== undefined && typeof text === "string" && end - start === text.length,
  );
}

/** Lost passages are replaced by blanks, so that the rest keeps its offsets. */
function fromChunks(chunks: readonly ChunkRow[], document: StoredDocument): SalvagedText {
  const blocks: Block[] = [];
  let text = "";
  for (const row of chunks.toSorted((a, b) => a.start - b.start)) {
    const start = Math.max(row.start, text.length);
    const { place } = toChunk(row, document);
    if (start < row.end) blocks.push({ kind: "paragraph", start, end: row.end, place });
    text = text.padEnd(row.start) + row.text.slice(start - row.start);
  }
  const { chunkCount } = document;
  // If there was only one passage, it is the whole text.
  if (chunkCount === 1 && chunks.length === 1) return { text, blocks };
  const lost = Math.max(0, chunkCount - chunks.length);
  const partial = `${lost} of its ${chunkCount} passages, and its headings and tables`;
  return { text, blocks, partial };
}

function isSound({ document, chunks }: Whole, { id, contentHash, chunkCount }: StoredDocument) {
  const { text } = document.extracted;
  // An index may lead to another document's row.
  const isOwn = document.id === id && document.contentHash === contentHash;
  const isChunk = ({ start, end, text: part, vector }: IndexedChunk) =>
    part === text.slice(start, end).toWellFormed() && (!vector || isUnit(vector));
  return isOwn && chunks.length === chunkCount && chunks.every(isChunk);
}

/** A vector that was not overwritten has length 1. */
function isUnit(vector: Float32Array): boolean {
  return Math.abs(Math.hypot(...vector) - 1) < 0.01;
}

export interface SalvagedTask {
  readonly row: TaskRow;
  readonly contentHash: string;
  readonly isOpen: boolean;
}

/** Open tasks run again, ended ones can still be queried. */
export function salvageTasks(database: DatabaseSync): SalvagedList<SalvagedTask> {
  const table = { table: "tasks", key: "seq", columns: TASK_COLUMNS };
  const { rows, isWhole } = scanTable<TaskRow>(database, table);
  const found = [...rows.values()].flatMap(toSalvaged);
  const blurred = found.filter(({ row }) => isOverwritten(row.request));
  return {
    found,
    losses: blurred.map(({ row }): Loss => {
      const what = "part of its file's name or metadata";
      return { kind: "task", name: row.id, what, isUncertain: true };
    }),
    unreadable: rows.size - found.length,
    isWhole: isWhole && found.length === rows.size,
  };
}

function toSalvaged(row: TaskRow): readonly SalvagedTask[] {
  if (typeof row.id !== "string" || !isReadable(row)) return [];
  const { contentHash } = toTask(row).request;
  if (!HASH.test(contentHash)) return [];
  return [{ row, contentHash, isOpen: row.status === "queued" || row.status === "running" }];
}

interface ScopeRow {
  readonly id: string;
  readonly tier: number;
  readonly parent: number | null;
  readonly description: string | null;
}

interface CategoryRow {
  readonly row_key: number;
  readonly scope: number;
  readonly name: string;
  readonly description: string;
}

interface EntryRow {
  readonly category: number;
  readonly keyword: string;
  readonly content: string;
}

type SalvagedScopes = Omit<SalvagedList<ScopeContent>, "unreadable">;

/** Parents come first, because their tier is more general. */
export function salvageScopes(database: DatabaseSync): SalvagedScopes {
  const scan = <Row>(table: string, key: string, columns: string) =>
    scanTable<Row>(database, { table, key, columns });
  const scopes = scan<ScopeRow>("scopes", "scope", "id, tier, parent, description");
  const categories = scan<CategoryRow>("categories", "category", "scope, name, description");
  const entries = scan<EntryRow>("entries", "entry", "category, keyword, content");
  const categoriesOf = Map.groupBy(categories.rows.values(), ({ scope }) => scope);
  const entriesOf = Map.groupBy(entries.rows.values(), ({ category }) => category);
  const losses: Loss[] = [];
  const ordered = [...scopes.rows].sort(([, a], [, b]) => a.tier - b.tier);
  const found = ordered.map(([number, { id, tier, parent, description }]): ScopeContent => {
    const above = parent === null ? undefined : scopes.rows.get(parent)?.id;
    if (parent !== null && above === undefined)
      losses.push({ kind: "scope", name: id, what: "its place: its parent is lost" });
    const own = categoriesOf.get(number) ?? [];
    return {
      id,
      tier: TIERS[tier] as Tier,
      ...(above === undefined ? {} : { parent: above }),
      ...(description === null ? {} : { description }),
      categories: own.map(({ name, description: text }) => ({ name, description: text })),
      entries: own.flatMap(({ row_key: key, name }) =>
        (entriesOf.get(key) ?? []).map(({ keyword, content }) => {
          return { category: name, keyword, content };
        }),
      ),
    };
  });
  const isWhole = [scopes, categories, entries].every((each) => each.isWhole);
  return { found, losses: [...losses, ...found.flatMap(overwrittenParts)], isWhole };
}

/** Bytes that look overwritten may be real user data. */
function overwrittenParts({ id, categories, entries }: ScopeContent): readonly Loss[] {
  const isUncertain = true;
  return [
    ...categories
      .filter(({ description }) => isOverwritten(description))
      .map(({ name }): Loss => {
        const what = "its description";
        return { kind: "category", name: `${id} › ${name}`, what, isUncertain };
      }),
    ...entries
      .filter(({ content }) => isOverwritten(content))
      .map(({ category, keyword }): Loss => {
        const what = "part of its content";
        return { kind: "rule", name: `${id} › ${category} › ${keyword}`, what, isUncertain };
      }),
  ];
}

interface SourceRow {
  readonly row_key: number;
  readonly id: string;
  readonly kind: SourceKindName;
  readonly address: string;
  readonly settings: string;
  readonly next_run: string | null;
  readonly paused: number;
}

interface ItemRow {
  readonly item: string;
  readonly version: string | null;
  readonly path: string | null;
  readonly content_hash: string | null;
}

/** What their ledgers have lost is only looked at again. */
export function salvageSources(database: DatabaseSync) {
  const columns = "id, kind, address, settings, next_run, paused";
  const scan = { table: "sources", key: "source", columns };
  const { rows, isWhole } = scanTable<SourceRow>(database, scan);
  const found = [...rows].map(([number, { settings, next_run: next, paused, ...source }]) => {
    const sql = "SELECT item, version, path, content_hash FROM source_items WHERE source = ?";
    const items = readAll<ItemRow>(database, sql, number) ?? [];
    return {
      ...source,
      settings: (fromJson(settings) ?? {}) as SourceSettings,
      nextRun: next ?? undefined,
      isPaused: paused !== 0,
      items: items.map(({ item, version, path, content_hash: contentHash }) => ({
        item,
        ...(version !== null && { version }),
        ...(path !== null && { path }),
        ...(contentHash !== null && { contentHash }),
      })),
    };
  });
  return { found, isWhole };
}
