// Documents and tasks as data, for people's views of them.
import { JSON_TYPE, type Resource, type ResourceTemplate, toJsonText } from "../../family.ts";
import type { DocumentView, TasksView } from "../contract.ts";
import { toListedTask } from "../knowledge-task-status.ts";
import { documentNotFound, toWarnings } from "../payload.ts";
import type { DocumentRooms } from "../rooms.ts";

const RECENT = 50;

export function tasksResource(rooms: DocumentRooms): Resource {
  const uri = "knowledge://tasks";
  return {
    uri,
    name: "tasks",
    title: "Recent tasks",
    description:
      "Adds in the form of knowledge-task-status, as JSON: running, then waiting, then the latest finished ones.",
    mimeType: JSON_TYPE,
    async read() {
      const [ingest, store] = await Promise.all([rooms.ingest(), rooms.store()]);
      const [open, latest, counts] = await Promise.all([
        ingest.tasks({ limit: RECENT, open: true }),
        ingest.tasks({ limit: RECENT }),
        store.tasks.counts(),
      ]);
      const ended = latest.filter(({ status }) => status !== "queued" && status !== "running");
      const view: TasksView = { tasks: [...open, ...ended].map(toListedTask), open: counts };
      return [toJsonText(uri, view)];
    },
  };
}

export function passagesTemplate(rooms: DocumentRooms): ResourceTemplate {
  return {
    uriTemplate: "knowledge://documents/{id}/passages",
    name: "document-passages",
    title: "Passages of a document",
    description: "A document's text with its blocks and the passages that search returns, as JSON.",
    mimeType: JSON_TYPE,
    async read(uri, { id = "" }) {
      const { documents } = await rooms.store();
      const [document, extracted] = await Promise.all([documents.get(id), documents.extracted(id)]);
      if (document === undefined || extracted === undefined) throw documentNotFound(id);
      const passages = await documents.chunksOf(id);
      const view: DocumentView = {
        document: {
          id,
          filename: document.filename,
          format: document.format,
          size_bytes: document.sizeBytes,
          date_added: document.dateAdded,
          chunk_count: document.chunkCount,
          processing_method: document.method,
          ...toWarnings(document.warnings),
          ...(document.title === undefined ? {} : { title: document.title }),
        },
        text: extracted.text,
        blocks: extracted.blocks.map(({ start, end, place }) => ({ start, end, place })),
        passages: passages.map(({ id: chunk, start, end, place, headings }) => ({
          id: chunk,
          start,
          end,
          place,
          headings,
        })),
      };
      return [toJsonText(uri, view)];
    },
  };
}
