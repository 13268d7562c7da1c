// The documents family: its tools and its documents as resources.
import { messageOf, toKnowledgeError } from "../../domain/errors.ts";
import { distinct, type MessageCode, toMessage } from "../../domain/phrases/messages.ts";
import type { Embed } from "../../embed/embed.ts";
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
      run: async (signal) => warning(checkModel(await rooms.embed(), signal), "modelFix"),
    },
    {
      name: "OCR",
      run: () => warning(checkOcr(rooms), "ocrFix"),
    },
    { name: "audit log", run: () => checkAudit(rooms) },
    { name: "token file", run: () => checkTokenFile(rooms) },
  ];
}

function failing(check: Promise<CheckOutcome>): Promise<CheckOutcome> {
  return check.catch((thrown) => ({ state: "fail", detail: messageOf(thrown) }));
}

function warning(check: Promise<CheckOutcome>, remedy: MessageCode): Promise<CheckOutcome> {
  return check.catch((thrown) => ({
    state: "warn",
    detail: messageOf(thrown),
    remedy: toMessage(remedy),
  }));
}

async function checkStore(rooms: DocumentRooms): Promise<CheckOutcome> {
  const store = await rooms.store();
  const { kind, issues } = await store.health();
  const problem = await (await rooms.ingest()).problem();
  const { documents, chunks } = await store.documents.totals();
  const found = distinct([...issues, problem]);
  const detail = toMessage("storeHolds", kind, documents, chunks);
  return found.length === 0 ? { state: "ok", detail } : { state: "warn", detail, remedy: found };
}

async function checkQueue(rooms: DocumentRooms): Promise<CheckOutcome> {
  const { queued, running } = await (await rooms.store()).tasks.counts();
  if (queued + running === 0) return { state: "ok", detail: toMessage("queueEmpty") };
  const detail = toMessage("queueWaits", queued, running);
  const blocked = await (await rooms.ingest()).blocked();
  if (blocked) return { state: "warn", detail, remedy: describeBlocked(blocked) };
  if (running > 0) return { state: "ok", detail };
  return { state: "warn", detail, remedy: toMessage("queueFix") };
}

async function checkOriginals(rooms: DocumentRooms): Promise<CheckOutcome> {
  const { originals } = await rooms.store();
  const { files, unreferenced, missing, inTrash, problem } = await originals.survey();
  const detail = toMessage("originalsKept", files, unreferenced, inTrash);
  if (problem !== undefined) return { state: "warn", detail, remedy: problem };
  if (missing === 0) return { state: "ok", detail };
  const without = toMessage("originalsLost", files, unreferenced, inTrash, missing);
  return { state: "warn", detail: without, remedy: toMessage("originalsFix") };
}

async function checkModel(embed: Embed, signal: AbortSignal): Promise<CheckOutcome> {
  await embed.query("check", signal);
  return { state: "ok", detail: toMessage("modelReady", embed.model, embed.dimensions) };
}

async function checkOcr(rooms: DocumentRooms): Promise<CheckOutcome> {
  const languages = await (await rooms.extract()).ocrLanguages();
  return { state: "ok", detail: toMessage("stated", languages.join(", ")) };
}

async function checkAudit(rooms: DocumentRooms): Promise<CheckOutcome> {
  if (!rooms.isAudited) return { state: "ok", detail: toMessage("notSet") };
  const issue = await rooms.auditIssue();
  if (issue === undefined) return { state: "ok", detail: toMessage("auditWritable") };
  return { state: "fail", detail: issue, remedy: toMessage("auditFix") };
}

async function checkTokenFile(rooms: DocumentRooms): Promise<CheckOutcome> {
  const file = await rooms.tokenFile?.();
  if (!file) return { state: "ok", detail: toMessage("notSet") };
  const { tokens, problems } = file;
  if (problems === undefined)
    return { state: "ok", detail: toMessage("tokensKept", tokens.length) };
  const detail = toMessage("tokensBroken", problems);
  return { state: "fail", detail, remedy: toMessage("tokensFix") };
}
