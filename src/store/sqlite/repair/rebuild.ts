// Fills a new database with what is readable in the old one. Documents keep their ids: one that is not intact is read
// again from its original, or keeps what is left of its text.
import { randomUUID } from "node:crypto";
import type { DatabaseSync } from "node:sqlite";
import { RECOVERED_SCOPE } from "../../../domain/call/grants.ts";
import { defined } from "../../../domain/defined.ts";
import type { AddRequest } from "../../../domain/task.ts";
import { packChunks } from "../../core/packed-chunks.ts";
import type { IndexedChunk, Loss, NewDocument } from "../../store.ts";
import type { Database } from "../database.ts";
import { originalsId } from "../folder/identity.ts";
import { openOperations } from "../thread/operations.ts";
import {
  copyDropped,
  copyIdentity,
  copyRules,
  copySources,
  copyTasks,
  setIdentity,
  unnamed,
} from "./copy-rows.ts";
import type { KeptOriginals } from "./kept-originals.ts";
import {
  type Contents,
  nameOf,
  openContents,
  type SalvagedDocument,
  salvageDocuments,
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
  id: RECOVERED_SCOPE,
  tier: "GENERAL",
  description: "Files that a repair found without their documents. Move each where it belongs.",
} as const;
/** Belongs to no model, so the document will be reindexed. */
const TO_INDEX = "repair";

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
  const known = source ? await copyRows(made, source) : nothingKnown(made);
  const isWhole = known.isWhole && !parts.isBehind;
  const takesAll = !isWhole || parts.addsNameless;
  for (const hash of takesAll ? originals.hashes : [])
    if (!known.needed.has(hash)) await addNameless(made, hash, { isLoss: !isWhole });
  // Every file in the folder was imported: from now on unreferenced files may be moved.
  if (takesAll || !source || !copyIdentity({ ...made, source }))
    setIdentity(fresh, { id: originalsId(dataDir), claim: "new" });
  if (made.counts.recovered > 0) await placeRecovered(made);
  return made;
}

async function placeRecovered({ operations: { scopes } }: Rebuild): Promise<void> {
  const isThere = (await scopes.list()).some(({ id }) => id === RECOVERED.id);
  if (!isThere) await scopes.apply([{ kind: "put-scope", scope: RECOVERED }]);
}

function nothingKnown({ losses }: Rebuild) {
  losses.push(
    unnamed("document", "names, ids and metadata of all documents, and text without a file"),
    unnamed("task", "all tasks"),
    unnamed("rule", "all scopes and rules: import them again"),
  );
  return { isWhole: false, needed: new Set<string>() };
}

async function copyRows(made: Rebuild, source: DatabaseSync) {
  const { losses, counts, originals } = made;
  const documents = salvageDocuments(source);
  const contents = openContents(source);
  for (const each of documents.found) await addDocument(made, each, contents);
  const gone = new Set(losses.flatMap((loss) => (loss.kind === "document" ? loss.name : [])));
  losses.push(...documents.losses.filter(({ name }) => !gone.has(name)));
  if (!documents.isWhole) noteUncounted(made, source, documents.found.length);
  const copying = { source, ...made };
  const tasks = copyTasks(copying);
  for (const { id, contentHash } of tasks.open) {
    if (await originals.restore(contentHash)) continue;
    losses.push({ kind: "task", name: id, what: "its file is gone, so it will fail" });
  }
  counts.tasks += tasks.count;
  counts.queued += tasks.open.length;
  counts.scopes += copyRules(copying);
  copySources(copying);
  const needed = new Set([
    ...documents.found.map(({ document }) => document.contentHash),
    ...tasks.open.map(({ contentHash }) => contentHash),
    ...copyDropped(copying),
  ]);
  return { isWhole: documents.isWhole && tasks.isWhole, needed };
}

/** Another part of the file, an index, says how many there were. */
function noteUncounted({ losses }: Rebuild, source: DatabaseSync, found: number): void {
  const count = "SELECT count(*) AS documents FROM documents INDEXED BY documents_hash";
  const [all] = readAll<{ documents: number }>(source, count) ?? [];
  if (all && all.documents <= found) return;
  const number = all ? `${all.documents - found}` : "an unknown number of";
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
    if (!(await originals.restore(contentHash))) losses.push(noFile);
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
  const kept = text ?? { text: "", blocks: [] };
  const { format, title } = document;
  const extracted = { format, method, ...defined({ title }), ...kept, pages, warnings };
  await put(made, { ...stored, extracted, fingerprint: TO_INDEX });
  if (sizeBytes === undefined) {
    losses.push(noFile);
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
  await operations.documents.put(document, await packChunks(chunks));
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
