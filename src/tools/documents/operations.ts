// What the command line and the console do with documents beyond the tools.
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { basename, resolve } from "node:path";
import type { CheckParts } from "../../check/check.ts";
import { OWNER } from "../../domain/call/principal.ts";
import { defined } from "../../domain/defined.ts";
import { fromSystem } from "../../domain/errors.ts";
import type { Extract } from "../../extract/extract.ts";
import type { Ingest } from "../../ingest/ingest.ts";
import type { Log } from "../../observe/log.ts";
import { toFilename } from "../../text/clean/filename.ts";
import { readOutput } from "../contract.ts";
import type { Operations, Upload } from "../operations.ts";
import { runTool } from "../run-tool.ts";
import { ADD_NOW } from "./contract.ts";
import { knowledgeAdd } from "./knowledge-add.ts";
import { toListedTask } from "./knowledge-task-status.ts";
import { pageOperations } from "./page-views.ts";
import { toQueued } from "./respond-to-add.ts";
import { type DocumentRooms, documentOf, extractedOf } from "./tool.ts";
import { leaveOutWeak } from "./weak-results.ts";

export function documentOperations(rooms: DocumentRooms, log: Log) {
  const add = knowledgeAdd(rooms, "anywhere");
  return {
    filesBelow: async (path, signal) => (await rooms.ingest()).walk(path, signal),
    async addFile({ path, metadata, forceOcr }, { signal, onProgress }) {
      const output = await runTool(
        add,
        { file_path: path, metadata, force_ocr: forceOcr, async: false },
        { principal: OWNER, signal, log, progress: onProgress, taskProgress: () => {} },
      );
      const outcome = readOutput(ADD_NOW, output);
      return outcome.kind === "done" ? outcome.value : outcome.error;
    },
    extractFile: async (file, watch) => extractFile(await rooms.extract(), file, watch),
    documentText: async (documentId) => (await extractedOf(rooms, documentId)).text,
    tasks: async (page) => (await (await rooms.ingest()).tasks(page)).map(toListedTask),
    toRefine: async () => (await rooms.ingest()).toRefine(),
    refine: async (signal) => (await rooms.ingest()).refine(signal),
    upload: async (file) => queueUpload(await rooms.ingest(), file),
    original: (documentId) => openOriginal(rooms, documentId),
    ...pageOperations(rooms),
    ...checkOperations(rooms),
  } satisfies Partial<Operations>;
}

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

async function queueUpload(ingest: Ingest, { filename, body, caller }: Upload) {
  const { signal } = new AbortController();
  const queued = await ingest.enqueue(
    { kind: "upload", filename, bytes: body, mayBeMany: true },
    { metadata: folderOf(filename), forceOcr: false, ...defined({ caller }), signal },
  );
  ingest.watch(queued.task.id, () => {});
  return toQueued(queued);
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
