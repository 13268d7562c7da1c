// The documents family: its tools and its documents as resources.
import { toKnowledgeError } from "../../domain/errors.ts";
import { distinct, toEnglish } from "../../domain/phrases/messages.ts";
import type { Embed } from "../../embed/embed.ts";
import { count } from "../../text/english/count.ts";
import type { Check, CheckOutcome, ToolFamily } from "../family.ts";
import { knowledgeAdd } from "./knowledge-add.ts";
import { knowledgeAddText } from "./knowledge-add-text.ts";
import { knowledgeAddUrl } from "./knowledge-add-url.ts";
import { knowledgeClear } from "./knowledge-clear.ts";
import { knowledgeRead } from "./knowledge-read.ts";
import { knowledgeRemove } from "./knowledge-remove.ts";
import { knowledgeSearch } from "./knowledge-search.ts";
import { knowledgeShow } from "./knowledge-show.ts";
import { knowledgeSources } from "./knowledge-sources.ts";
import { describeBlocked, knowledgeStatus } from "./knowledge-status.ts";
import { knowledgeTaskCancel } from "./knowledge-task-cancel.ts";
import { knowledgeTaskStatus } from "./knowledge-task-status.ts";
import { openPages } from "./page-views.ts";
import { documentTemplates, tasksResource } from "./resources.ts";
import { cancelAdd, viewTask } from "./respond-to-add.ts";
import { type DocumentRooms, seenBy } from "./tool.ts";

export { type DocumentRooms, seenBy } from "./tool.ts";

const SEARCH =
  "knowledge-*: the user's documents. Search them with knowledge-search before answering from memory, and cite file and page";

// Some two hundred images and the words of their pages.
const SEEN_BYTES = 16 * 1024 * 1024;

export function documentsFamily(rooms: DocumentRooms): ToolFamily {
  const pages = openPages(rooms, SEEN_BYTES);
  return {
    name: "documents",
    instructions: `${SEARCH}; add files with knowledge-add.`,
    readInstructions: `${SEARCH}.`,
    tools: [
      knowledgeAdd(rooms),
      knowledgeAddText(rooms),
      ...(rooms.allowUrls ? [knowledgeAddUrl(rooms)] : []),
      knowledgeSearch(rooms),
      knowledgeRead(rooms, pages),
      knowledgeRemove(rooms),
      knowledgeShow(rooms),
      knowledgeClear(rooms),
      knowledgeSources(rooms),
      knowledgeStatus(rooms),
      knowledgeTaskStatus(rooms),
      knowledgeTaskCancel(rooms),
    ],
    resources: [tasksResource(rooms)],
    templates: documentTemplates(rooms, pages),
    checks: checksOf(rooms),
    async cancelTask(taskId, context) {
      try {
        const status = await cancelAdd(await seenBy(rooms, context), context, taskId);
        return status === "cancelled";
      } catch (thrown) {
        if (toKnowledgeError(thrown).code === "TASK_NOT_FOUND") return false;
        throw thrown;
      }
    },
    task: async (taskId, principal) => viewTask(await seenBy(rooms, { principal }), taskId),
  };
}

function checksOf(rooms: DocumentRooms): readonly Check[] {
  return [
    // The message says what to do, because the reasons differ too much for one remedy.
    { name: "document store", run: () => failing(checkStore(rooms)) },
    { name: "original files", run: () => failing(checkOriginals(rooms)) },
    { name: "queued adds", run: () => failing(checkQueue(rooms)) },
    {
      name: "embedding model",
      run: async (signal) =>
        warning(checkModel(await rooms.embed(), signal), "Search is by keyword only until then."),
    },
    {
      name: "OCR",
      run: () => warning(checkOcr(rooms), "Scans and images can't be read until then."),
    },
    { name: "audit log", run: () => checkAudit(rooms) },
    { name: "token file", run: () => checkTokenFile(rooms) },
  ];
}

function failing(check: Promise<CheckOutcome>): Promise<CheckOutcome> {
  return check.catch((thrown) => ({ state: "fail", detail: toKnowledgeError(thrown).message }));
}

function warning(check: Promise<CheckOutcome>, remedy: string): Promise<CheckOutcome> {
  return check.catch((thrown) => ({
    state: "warn",
    detail: toKnowledgeError(thrown).message,
    remedy,
  }));
}

async function checkStore(rooms: DocumentRooms): Promise<CheckOutcome> {
  const store = await rooms.store();
  const { kind, issues } = await store.health();
  const problem = await (await rooms.ingest()).problem();
  const { documents, chunks } = await store.documents.totals();
  const detail = `${kind}, ${count(documents, "document")}, ${count(chunks, "passage")}`;
  const found = distinct([...issues, problem]).map(toEnglish);
  if (found.length === 0) return { state: "ok", detail };
  return { state: "warn", detail: `${detail}; ${found.join("; ")}` };
}

async function checkQueue(rooms: DocumentRooms): Promise<CheckOutcome> {
  const { queued, running } = await (await rooms.store()).tasks.counts();
  if (queued + running === 0) return { state: "ok", detail: "none" };
  const detail = `${queued} waiting, ${running} running`;
  const blocked = await (await rooms.ingest()).blocked();
  if (blocked)
    return { state: "warn", detail: `${detail}. ${toEnglish(describeBlocked(blocked))}` };
  if (running > 0) return { state: "ok", detail };
  const remedy =
    "A running server processes them: start one with `knowledge-server http`. `knowledge-server tasks` lists them.";
  return { state: "warn", detail, remedy };
}

async function checkOriginals(rooms: DocumentRooms): Promise<CheckOutcome> {
  const { originals } = await rooms.store();
  const { files, unreferenced, missing, inTrash, problem } = await originals.survey();
  const detail = `${files} stored, ${unreferenced} without a document, ${inTrash} in the trash`;
  if (problem !== undefined) return { state: "warn", detail, remedy: toEnglish(problem) };
  if (missing === 0) return { state: "ok", detail };
  const remedy =
    "Documents without their original stay searchable. Add the files again, or restore a backup.";
  return { state: "warn", detail: `${detail}, ${missing} missing`, remedy };
}

async function checkModel(embed: Embed, signal: AbortSignal): Promise<CheckOutcome> {
  await embed.query("check", signal);
  return { state: "ok", detail: `${embed.model}, ${embed.dimensions} dimensions` };
}

async function checkOcr(rooms: DocumentRooms): Promise<CheckOutcome> {
  const languages = await (await rooms.extract()).ocrLanguages();
  return { state: "ok", detail: languages.join(", ") };
}

async function checkAudit(rooms: DocumentRooms): Promise<CheckOutcome> {
  if (!rooms.isAudited) return { state: "ok", detail: "not configured" };
  const issue = await rooms.auditIssue();
  if (issue === undefined) return { state: "ok", detail: "writable" };
  const remedy = "Make the audit file writable, or choose another with --audit-file.";
  return { state: "fail", detail: toEnglish(issue), remedy };
}

async function checkTokenFile(rooms: DocumentRooms): Promise<CheckOutcome> {
  const file = await rooms.tokenFile?.();
  if (!file) return { state: "ok", detail: "not configured" };
  const { tokens, problems } = file;
  if (problems === undefined) return { state: "ok", detail: count(tokens.length, "token") };
  const remedy = "Fix the file: callers whose entry is missing or wrong are refused until then.";
  return { state: "fail", detail: `cannot be used: ${problems}`, remedy };
}
