// What the command line and the console do with documents beyond the tools.
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { basename, resolve } from "node:path";
import type { CheckParts } from "../../check/check.ts";
import { OWNER, type Principal } from "../../domain/call/principal.ts";
import { defined } from "../../domain/defined.ts";
import { fromSystem, KnowledgeError } from "../../domain/errors.ts";
import type { Extract } from "../../extract/extract.ts";
import type { Ingest } from "../../ingest/ingest.ts";
import type { Log } from "../../observe/log.ts";
import { toFilename } from "../../text/clean/filename.ts";
import { readOutput } from "../contract.ts";
import type { Operations, Upload } from "../operations.ts";
import { runTool } from "../run-tool.ts";
import type { CallContext, Tool } from "../tool.ts";
import { ADD_NOW } from "./contract.ts";
import { knowledgeAdd } from "./knowledge-add.ts";
import { toListedTask } from "./knowledge-task-status.ts";
import { pageOperations } from "./page-views.ts";
import { exportRows, importDocument } from "./portable.ts";
import { toQueued, writable } from "./respond-to-add.ts";
import { sourceOperations } from "./sources.ts";
import { listStale } from "./stale.ts";
import {
  type DocumentRooms,
  documentNotFound,
  documentOf,
  extractedOf,
  scopeOf,
  seenBy,
} from "./tool.ts";
import { leaveOutWeak } from "./weak-results.ts";

/** What one caller may do. */
export function documentOperations(all: DocumentRooms, log: Log) {
  const add = knowledgeAdd(all, "anywhere");
  const pages = pageOperations(all);
  return (principal: Principal) => {
    const who = { principal };
    const rooms = () => seenBy(all, who);
    return {
      ...documentViews(rooms, pages),
      ...sourceOperations(all, who),
      ...checkOperations(all),
      filesBelow: async (path, signal) => (await all.ingest()).walk(path, signal),
      addFile: (file, watch) => addFile(add, file, { ...watch, log }),
      extractFile: async (file, watch) => extractFile(await all.extract(), file, watch),
      exportDocuments: async (page) => exportRows(await rooms(), page),
      importDocument: async (given, { signal }) => importDocument(all, who, given, signal),
      staleDocuments: async (wanted) => listStale(await rooms(), who, wanted),
      toRefine: async () => (await (await rooms()).ingest()).toRefine(),
      refine: async (signal) => (await all.ingest()).refine(signal),
      async upload(file) {
        const { scope: asked, ...upload } = file;
        const scope = await writable(all, who, asked);
        return queueUpload(await (await rooms()).ingest(), { ...upload, ...scope });
      },
      move: async (id, scope) => moveDocument(await rooms(), who, { id, scope }),
    } satisfies Partial<Operations>;
  };
}

/** In both scopes the caller needs the right to write. */
async function moveDocument(
  rooms: DocumentRooms,
  who: Pick<CallContext, "principal">,
  { id, scope }: { readonly id: string; readonly scope: string },
) {
  const { sights } = rooms;
  const document = await documentOf(rooms, id);
  const from = scopeOf(document);
  const [to = scope] = await sights.chain(who, scope);
  await sights.allow(who, "write", from);
  await sights.allow(who, "write", to);
  const outcome = await (await rooms.store()).documents.move(id, to);
  if (outcome === "not-found") throw documentNotFound(id);
  if (outcome === "taken") {
    const message = "That scope already has this content, or a document from the same file.";
    throw new KnowledgeError("SCOPE_CONFLICT", message, { details: { document_id: id } });
  }
  rooms.onRemoved([from, to]);
  return { document_id: id, filename: document.filename, from, to };
}
type AddWatch = Parameters<Operations["addFile"]>[1] & { readonly log: Log };

async function addFile(
  add: Tool,
  { path, metadata, forceOcr, scope }: Parameters<Operations["addFile"]>[0],
  { signal, onProgress, log }: AddWatch,
) {
  const output = await runTool(
    add,
    { file_path: path, metadata, force_ocr: forceOcr, scope, async: false },
    { principal: OWNER, signal, log, progress: onProgress, taskProgress: () => {} },
  );
  const outcome = readOutput(ADD_NOW, output);
  return outcome.kind === "done" ? outcome.value : outcome.error;
}

/** What there is to see of documents and tasks, as the caller sees them. */
function documentViews(
  rooms: () => Promise<DocumentRooms>,
  { originalView, showPage }: ReturnType<typeof pageOperations>,
) {
  return {
    documentText: async (documentId) => (await extractedOf(await rooms(), documentId)).text,
    async passagesFor(text, limit, signal) {
      const { search } = await (await rooms()).search();
      return (await search({ text, limit }, signal)).passages;
    },
    tasks: async (page) => {
      const ingest = await (await rooms()).ingest();
      return (await ingest.tasks(page)).map(toListedTask);
    },
    original: async (documentId) => openOriginal(await rooms(), documentId),
    originalView: async (documentId) => originalView(await documentOf(await rooms(), documentId)),
    showPage: async (wanted, signal) =>
      showPage({ ...wanted, document: await documentOf(await rooms(), wanted.documentId) }, signal),
  } satisfies Partial<Operations>;
}

async function queueUpload(ingest: Ingest, { filename, body, caller, scope, tags = [] }: Upload) {
  const metadata = { ...folderOf(filename), ...(tags.length > 0 && { tags: tagsOf(tags) }) };
  const { signal } = new AbortController();
  const queued = await ingest.enqueue(
    { kind: "upload", filename, bytes: body, mayBeMany: true },
    { metadata, forceOcr: false, ...defined({ caller, scope }), signal },
  );
  ingest.watch(queued.task.id, () => {});
  return toQueued(queued);
}

const MAX_TAGS = 20;
const MAX_TAG = 100;

function tagsOf(given: readonly string[]): readonly string[] {
  const tags = given.map((tag) => tag.trim()).filter((tag) => tag !== "");
  if (tags.length <= MAX_TAGS && tags.every(({ length }) => length <= MAX_TAG)) return tags;
  const message = `A file takes at most ${MAX_TAGS} tags of at most ${MAX_TAG} characters.`;
  throw new KnowledgeError("INVALID_PARAMETER", message, { details: { parameter: "tag" } });
}

const MAX_FOLDER = 1_000;

/** A file of a dropped folder comes with its path, which is worth keeping. */
function folderOf(path: string): { readonly folder?: string } {
  const parts = path.split(/[/\\]/).slice(0, -1);
  const named = parts.filter((part) => part !== "" && part !== "." && part !== "..");
  const folder = named.map(toFilename).join("/").slice(0, MAX_FOLDER);
  return folder === "" ? {} : { folder };
}

async function openOriginal(rooms: DocumentRooms, documentId: string) {
  const { filename, sizeBytes, contentHash } = await documentOf(rooms, documentId);
  const { path, release } = await (await rooms.store()).originals.open(contentHash);
  return { filename, sizeBytes, body: createReadStream(path), release };
}

/** Reads a file as an add would, and stops before anything is stored. */
async function extractFile(
  { extract }: Extract,
  ...[{ path, forceOcr }, watch]: Parameters<Operations["extractFile"]>
) {
  const { size: sizeBytes } = await stat(path).catch((thrown: unknown) => {
    throw fromSystem(thrown, "file");
  });
  const file = { path: resolve(path), filename: basename(path), sizeBytes };
  const document = await extract({ ...file, forceOcr, caller: OWNER.name }, watch);
  const { chunk } = await import("../../chunk/chunk.ts");
  return { document, chunks: chunk(document) };
}

/**
 * Whether searches still find what they found. Questions quote documents of every scope, so only those who see everything
 * get here.
 */
function checkOperations(rooms: DocumentRooms) {
  const opened = async () => {
    const [{ openCheck }, { documents }, search] = await Promise.all([
      import("../../check/check.ts"),
      rooms.store(),
      rooms.search(),
    ]);
    const shown: CheckParts["shown"] = (found, query) => leaveOutWeak(found, query).passages;
    const { topK, checksFile: path } = rooms;
    const light = await (await rooms.embed()).light?.load();
    return openCheck({ search, documents, topK, shown, path, encode: light?.encode });
  };
  return {
    checks: async () => (await opened()).state(),
    pinCheck: async (pin) => (await opened()).pin(pin),
    makeChecks: async (count) => (await opened()).make(count),
    removeChecks: async (ids) => (await opened()).remove(ids),
    runChecks: async (options) => (await opened()).run(options),
  } satisfies Partial<Operations>;
}
