// Fills a new database with what is readable in the old one. Documents keep their ids: one that is not intact is read
// again from its original, or keeps what is left of its text.
import { randomUUID } from "node:crypto";
import type { DatabaseSync } from "node:sqlite";
import { defined } from "../../../domain/defined.ts";
import { KnowledgeError } from "../../../domain/errors.ts";
import type { ScopeContent } from "../../../domain/scope.ts";
import type { AddRequest } from "../../../domain/task.ts";
import { toChanges } from "../../core/copy.ts";
import { joinParts, packParts } from "../../core/packed-chunks.ts";
import type { IndexedChunk, Loss, NewDocument } from "../../store.ts";
import type { Database } from "../database.ts";
import { type Identity, originalsId } from "../folder/identity.ts";
import { TASK_COLUMNS } from "../rows.ts";
import { openOperations } from "../thread/operations.ts";
import type { KeptOriginals } from "./kept-originals.ts";
import {
  type Contents,
  nameOf,
  openContents,
  type SalvagedDocument,
  type SalvagedTask,
  salvageDocuments,
  salvageScopes,
  salvageSources,
  salvageTasks,
} from "./salvage.ts";
import { readAll } from "./scan.ts";

export interface RebuildParts {
  readonly dataDir: string;
  readonly fresh: Database;
  /** Undefined if nothing is readable. */
  readonly source: DatabaseSync | undefined;
  readonly originals: KeptOriginals;
  /** The last changes are lost, so the list of documents may be older than the files. */
  readonly isBehind: boolean;
  /** Also adds files that no document refers to, even if the list of documents is complete. */
  readonly addsNameless: boolean;
}

interface Rebuild extends Pick<RebuildParts, "fresh" | "originals"> {
  readonly operations: ReturnType<typeof openOperations>;
  readonly losses: Loss[];
  readonly counts: Record<"documents" | "queued" | "recovered" | "tasks" | "scopes", number>;
}

/** Nobody knows who may see a file without its document, so it waits where only those with rights everywhere can. */
const RECOVERED = {
  id: "recovered",
  tier: "GENERAL",
  description: "Files that a repair found without their documents. Move each where it belongs.",
} as const;
/** Belongs to no model, so the document will be reindexed. */
const TO_INDEX = "repair";
const NO_TEXT = { text: "", blocks: [], partial: undefined };

export async function rebuild(parts: RebuildParts): Promise<Pick<Rebuild, "losses" | "counts">> {
  const { dataDir, fresh, source, originals } = parts;
  const counts = { documents: 0, queued: 0, recovered: 0, tasks: 0, scopes: 0 };
  const made: Rebuild = {
    fresh,
    originals,
    operations: openOperations(fresh),
    losses: [],
    counts,
  };
  if (source) {
    await copyRows(made, source, parts);
  } else {
    made.losses.push(...EVERYTHING);
    for (const hash of originals.hashes) await addNameless(made, hash, { isLoss: true });
    adoptOriginals(fresh, dataDir);
  }
  if (counts.recovered > 0) await placeRecovered(made);
  return made;
}

async function placeRecovered({ operations: { scopes } }: Rebuild): Promise<void> {
  const isThere = (await scopes.list()).some(({ id }) => id === RECOVERED.id);
  if (!isThere) await scopes.apply([{ kind: "put-scope", scope: RECOVERED }]);
}

const EVERYTHING: readonly Loss[] = [
  unnamed("document", "names, ids and metadata of all documents, and text without a file"),
  unnamed("task", "all tasks"),
  unnamed("rule", "all scopes and rules: import them again"),
];

function unnamed(kind: Loss["kind"], what: string): Loss {
  return { kind, name: "unknown", what };
}

async function copyRows(made: Rebuild, source: DatabaseSync, parts: RebuildParts): Promise<void> {
  const documents = salvageDocuments(source);
  const contents = openContents(source);
  for (const each of documents.found) await addDocument(made, each, contents);
  const tasks = salvageTasks(source);
  for (const task of tasks.found) await addTask(made, task);
  const scopes = salvageScopes(source);
  for (const scope of scopes.found) await addScope(made, scope);
  await addSources(made, source);
  const gone = new Set(made.losses.flatMap((loss) => (loss.kind === "document" ? loss.name : [])));
  const partly = documents.losses.filter(({ name }) => !gone.has(name));
  made.losses.push(...partly, ...tasks.losses, ...scopes.losses);
  if (!tasks.isWhole) made.losses.push(unnamed("task", "tasks that nothing names"));
  if (!scopes.isWhole) made.losses.push(unnamed("rule", "scopes or rules that nothing names"));
  if (!documents.isWhole) noteUncounted(made, source, documents.found.length);
  const dropped = copyDropped(made.fresh, source);
  const isWhole = documents.isWhole && tasks.isWhole && !parts.isBehind;
  const takesAll = !isWhole || parts.addsNameless;
  const needed = new Set([
    ...documents.found.map(({ document }) => document.contentHash),
    ...tasks.found.flatMap(({ isOpen, contentHash }) => (isOpen ? contentHash : [])),
    ...dropped,
  ]);
  for (const hash of takesAll ? made.originals.hashes : [])
    if (!needed.has(hash)) await addNameless(made, hash, { isLoss: !isWhole });
  if (takesAll || !copyIdentity(made.fresh, source)) adoptOriginals(made.fresh, parts.dataDir);
}

/** The database stores the count of its documents separately from their list. */
function noteUncounted({ losses }: Rebuild, source: DatabaseSync, found: number): void {
  const [state] = readAll<{ documents: number }>(source, "SELECT documents FROM state") ?? [];
  if (state && state.documents <= found) return;
  const number = state ? `${state.documents - found}` : "an unknown number of";
  losses.push(unnamed("document", `${number} documents without a name`));
}

async function addDocument(
  made: Rebuild,
  salvaged: SalvagedDocument,
  contents: Contents,
): Promise<void> {
  const { losses, originals } = made;
  const { document } = salvaged;
  const { contentHash, filename, sourcePath, metadata } = document;
  const name = nameOf(document);
  const noFile: Loss = { kind: "original", name, what: "its file is gone; its text is kept" };
  const whole = await contents.whole(salvaged);
  if (whole && whole.chunks.length > 0) {
    if (!(await originals.has(contentHash))) losses.push(noFile);
    await put(made, whole.document, whole.chunks);
    return;
  }
  const text = contents.text(salvaged);
  const sizeBytes = await originals.sizeOfSound(contentHash);
  if (!text && sizeBytes === undefined) {
    losses.push({ kind: "document", name, what: "neither its text nor its file can be read" });
    return;
  }
  // Without chunks it counts as not yet read; its text is kept in case the file cannot be read any more.
  const { chunkCount: _, method, pages, warnings, ...stored } = document;
  const { format, title } = document;
  const titled = title === undefined ? {} : { title };
  const { partial, ...kept } = text ?? NO_TEXT;
  const extracted = { format, method, ...titled, ...kept, pages, warnings };
  await put(made, { ...stored, extracted, fingerprint: TO_INDEX });
  if (sizeBytes === undefined) {
    losses.push(noFile);
    if (partial !== undefined) losses.push({ kind: "text", name, what: partial });
  } else {
    const place = defined({ sourcePath, scope: document.scope });
    const request = { contentHash, filename, ...place, sizeBytes, metadata, forceOcr: false };
    await enqueue(made, request);
  }
}

async function put(
  { operations, counts }: Rebuild,
  document: NewDocument,
  chunks: readonly IndexedChunk[] = [],
): Promise<void> {
  await operations.documents.put(document, joinParts([...packParts(chunks)]));
  counts.documents += 1;
}

async function enqueue({ operations, counts }: Rebuild, request: AddRequest): Promise<void> {
  await operations.tasks.enqueue(randomUUID(), request);
  counts.queued += 1;
}

/** An original without a document is restored under its name in the trash, or a name made from its hash. */
async function addNameless(
  made: Rebuild,
  contentHash: string,
  { isLoss }: { readonly isLoss: boolean },
): Promise<void> {
  const { originals, losses } = made;
  const filename = originals.nameOf(contentHash) ?? `recovered-${contentHash.slice(0, 8)}`;
  const sizeBytes = await originals.sizeOfSound(contentHash);
  if (sizeBytes !== undefined) {
    const scope = RECOVERED.id;
    await enqueue(made, { contentHash, filename, scope, sizeBytes, metadata: {}, forceOcr: false });
    made.counts.recovered += 1;
  }
  if (isLoss) losses.push({ kind: "document", name: filename, what: "its name and metadata" });
}

async function addTask(made: Rebuild, { row, contentHash, isOpen }: SalvagedTask): Promise<void> {
  const { fresh, counts, originals, losses } = made;
  const status = isOpen ? "queued" : row.status;
  const kept = { ...row, status, content_hash: contentHash, worker: null };
  const columns = TASK_COLUMNS.split(", ") as (keyof typeof kept)[];
  fresh.run(
    `INSERT OR IGNORE INTO tasks (kb, ${TASK_COLUMNS}) VALUES (1, ${columns.map(() => "?")})`,
    ...columns.map((column) => kept[column] ?? null),
  );
  counts.tasks += 1;
  if (!isOpen) return;
  counts.queued += 1;
  if (await originals.has(contentHash)) return;
  losses.push({ kind: "task", name: row.id, what: "its file is gone, so it will fail" });
}

async function addScope(
  { operations, counts, losses }: Rebuild,
  content: ScopeContent,
): Promise<void> {
  try {
    await operations.scopes.apply(toChanges(content));
    counts.scopes += 1;
  } catch (thrown) {
    if (!(thrown instanceof KnowledgeError)) throw thrown;
    losses.push({ kind: "scope", name: content.id, what: "its rules: they are refused" });
  }
}

async function addSources({ operations, losses }: Rebuild, from: DatabaseSync): Promise<void> {
  const { found, isWhole } = salvageSources(from);
  for (const { id, nextRun, isPaused, items, ...source } of found) {
    await operations.sources.put(id, source, nextRun);
    if (isPaused) await operations.sources.change(id, { isPaused });
    await operations.sources.restore(id, items);
  }
  if (!isWhole) losses.push({ kind: "source", name: "unknown", what: "sources: add them again" });
}

/** Files of removed documents, which a repair must not restore. */
function copyDropped(fresh: Database, source: DatabaseSync): readonly string[] {
  const sql = "SELECT hash, dropped_at AS droppedAt FROM dropped_originals";
  const rows = readAll<{ hash: string; droppedAt: number }>(source, sql) ?? [];
  for (const { hash, droppedAt } of rows)
    fresh.run("INSERT OR REPLACE INTO dropped_originals VALUES (?, ?)", hash, droppedAt);
  return rows.map(({ hash }) => hash);
}

/** Keeps the ownership: a folder that was not the old database's does not become the new one's. */
function copyIdentity(fresh: Database, source: DatabaseSync): boolean {
  const [old] = readAll<Identity>(source, "SELECT id, claim FROM identity") ?? [];
  if (typeof old?.id !== "string" || typeof old.claim !== "string") return false;
  setIdentity(fresh, old);
  return true;
}

/** Only after every file in the folder was imported: from now on unreferenced files may be moved. */
function adoptOriginals(fresh: Database, dataDir: string): void {
  setIdentity(fresh, { id: originalsId(dataDir), claim: "new" });
}

function setIdentity(fresh: Database, { id, claim }: Pick<Identity, "id" | "claim">): void {
  fresh.run("UPDATE identity SET id = ?, created_by = '', claim = ?", id, claim);
}
