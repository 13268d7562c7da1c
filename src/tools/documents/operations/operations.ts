// What the command line and the console do with documents beyond the tools.
import { createReadStream } from "node:fs";
import { OWNER } from "../../../domain/call/principal.ts";
import type { Ingest } from "../../../ingest/ingest.ts";
import type { Log } from "../../../observe/log.ts";
import type { Store } from "../../../store/store.ts";
import { toFilename } from "../../../text/clean/filename.ts";
import { readOutput } from "../../contract.ts";
import type { Operations, Upload } from "../../operations.ts";
import { runTool } from "../../run-tool.ts";
import { knowledgeAdd } from "../adding/knowledge-add.ts";
import { toQueued } from "../adding/respond-to-add.ts";
import { ADD_NOW } from "../contract.ts";
import { toListedTask } from "../knowledge-task-status.ts";
import { documentNotFound } from "../payload.ts";
import type { DocumentRooms } from "../rooms.ts";
import { extractFile } from "./extract-file.ts";
import { pageOperations } from "./page-views.ts";

type Verbs = Pick<
  Operations,
  | "filesBelow"
  | "addFile"
  | "extractFile"
  | "documentText"
  | "tasks"
  | "toRefine"
  | "refine"
  | "upload"
  | "original"
  | "originalView"
  | "showPage"
>;

export function documentOperations(rooms: DocumentRooms, log: Log): Verbs {
  const add = knowledgeAdd(rooms, "anywhere");
  return {
    async filesBelow(path, signal) {
      return (await rooms.ingest()).walk(path, signal);
    },
    async addFile({ path, metadata, forceOcr }, { signal, onProgress }) {
      const output = await runTool(
        add,
        { file_path: path, metadata, force_ocr: forceOcr, async: false },
        { principal: OWNER, signal, log, progress: onProgress, taskProgress: () => {} },
      );
      const outcome = readOutput(ADD_NOW, output);
      return outcome.kind === "done" ? outcome.value : outcome.error;
    },
    extractFile: extractFile(rooms.extract),
    async documentText(documentId) {
      const extracted = await (await rooms.store()).documents.extracted(documentId);
      if (extracted === undefined) throw documentNotFound(documentId);
      return extracted.text;
    },
    async tasks(page) {
      const found = await (await rooms.ingest()).tasks(page);
      return found.map(toListedTask);
    },
    async toRefine() {
      return (await rooms.ingest()).toRefine();
    },
    async refine(signal) {
      await (await rooms.ingest()).refine(signal);
    },
    upload: async (file) => queueUpload(await rooms.ingest(), file),
    original: async (documentId) => openOriginal(await rooms.store(), documentId),
    ...pageOperations(rooms),
  };
}

async function queueUpload(ingest: Ingest, { filename, body, caller }: Upload) {
  const { signal } = new AbortController();
  const queued = await ingest.enqueue(
    { kind: "upload", filename, bytes: body, mayBeMany: true },
    {
      metadata: folderOf(filename),
      forceOcr: false,
      ...(caller === undefined ? {} : { caller }),
      signal,
    },
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

async function openOriginal({ documents, originals }: Store, documentId: string) {
  const document = await documents.get(documentId);
  if (document === undefined) throw documentNotFound(documentId);
  const { path, release } = await originals.open(document.contentHash);
  const { filename, sizeBytes } = document;
  return { filename, sizeBytes, body: createReadStream(path), release };
}
