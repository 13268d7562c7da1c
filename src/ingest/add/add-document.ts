// The write path: an original's bytes → text → chunks → vectors → stored.
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { nameText } from "../../chunk/chunk.ts";
import { GENERAL_SCOPE } from "../../domain/call/grants.ts";
import { defined } from "../../domain/defined.ts";
import type { ExtractedDocument, Format, Metadata, StoredDocument } from "../../domain/document.ts";
import { KnowledgeError } from "../../domain/errors.ts";
import {
  addOtherName,
  contentFacts,
  givenMetadata,
  markFromFile,
  nextRevision,
  sourceMetadata,
  unmarkFromFile,
} from "../../domain/internal-metadata.ts";
import {
  fittingMetadata,
  mergeMetadata,
  toFileMetadata,
  withFileMetadata,
} from "../../domain/metadata.ts";
import { type Message, toMessage } from "../../domain/phrases/messages.ts";
import { type AddRequest, type DocumentResult, resultOf, TOTAL_STEPS } from "../../domain/task.ts";
import type { ExtractProgress } from "../../extract/extract.ts";
import type { Log } from "../../observe/log.ts";
import type { IndexedChunk } from "../../store/store.ts";
import { toFilename } from "../../text/clean/filename.ts";
import type { IngestOptions } from "../ingest.ts";
import { refuseSecretText } from "../intake/secret-content.ts";
import type { Lease } from "../queue/run-task.ts";
import type { Indexer } from "./indexer.ts";
import { indexAgain } from "./reindex.ts";

export interface AddParts extends Pick<IngestOptions, "store" | "extract" | "onStored" | "log"> {
  readonly indexer: Indexer;
}

/** `isPart`: this is one file of a folder; the task continues with the others. */
export interface AddLease extends Lease {
  readonly isPart?: boolean;
}

// Another task may store the same content and remove it again meanwhile. If that happens three times in a row, it is
// not a race.
const MAX_ROUNDS = 3;

/**
 *   present? ──yes──▶ adopted: the task ends with the stored document
 *      ▲ └─no──▶ read once ──▶ put ──stored──▶ the task ends with it
 *      └──another task stored it────┤
 *                                   └─lease lost──▶ stopped
 *
 * The lease guards every step: nothing is stored for a task that was cancelled or taken over, and the result is undefined.
 */
export async function addDocument(
  lease: AddLease,
  parts: AddParts,
): Promise<DocumentResult | undefined> {
  const report = reportTo(lease, parts.log);
  report({ stage: "reading", label: toMessage("reading") });
  const { task } = lease;
  const { store, log } = parts;
  const { contentHash, scope = GENERAL_SCOPE } = task.request;
  let read: ReadDocument | undefined;
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const present = await store.documents.findByHash(contentHash, scope);
    // Content that is already in the knowledge base is not read again, unless OCR is requested.
    if (present && !task.request.forceOcr && !isUnread(present)) {
      const adopted = await adopt(lease, parts, present);
      if (adopted === "lease-lost") break;
      if (adopted !== "not-found") return adopted;
    }
    read ??= await readDocument(lease, parts, report);
    report({ stage: "indexing", label: toMessage("indexing") });
    const { outcome, documentId } = await storeDocument(lease, parts, { ...read, present });
    if (outcome === "stored") {
      log.debug("ingest.step", { task: task.id, step: "stored" });
      const { chunks, extracted } = read;
      parts.onStored(documentId, scope);
      const made = { chunksCreated: chunks.length, alreadyPresent: false };
      const { filename } = task.request;
      return resultOf({ id: documentId, filename, warnings: extracted.warnings }, made);
    }
    if (outcome === "lease-lost") break;
    lease.signal.throwIfAborted();
  }
  lease.stop("lost");
  return undefined;
}

interface ReadDocument {
  readonly extracted: ExtractedDocument;
  readonly chunks: readonly IndexedChunk[];
}

async function readDocument(lease: Lease, parts: AddParts, report: Report): Promise<ReadDocument> {
  const { signal } = lease;
  const { request } = lease.task;
  const found = await extractOriginal(lease, parts, report);
  const extracted = request.forceOcr ? noteForcedOcr(found) : found;
  if (request.screen) await refuseSecretText(allText(extracted), signal);
  const name = nameText({ ...request, filename: toFilename(request.filename) });
  const chunks = await parts.indexer.index(extracted, { signal, report, name });
  if (chunks.length === 0) throw empty(extracted);
  signal.throwIfAborted();
  return { extracted, chunks };
}

function allText({ text, hidden = [] }: ExtractedDocument): string {
  return hidden.length === 0 ? text : [text, ...hidden.map((each) => each.text)].join("\n");
}

async function storeDocument(
  { task, worker, isPart = false }: AddLease,
  { store, indexer }: AddParts,
  { extracted, chunks, present }: ReadDocument & { readonly present: StoredDocument | undefined },
) {
  const { request } = task;
  const { scope = GENERAL_SCOPE } = request;
  // A document that is being read again: on request, or because a repair saved only its name. Looked up again, because
  // it may have got other content while this one was read.
  const isAgain = request.forceOcr || (present && isUnread(present));
  const now = isAgain ? await store.documents.findByHash(request.contentHash, scope) : undefined;
  const again = request.forceOcr || (now && isUnread(now)) ? now : undefined;
  const { sourcePath } = request;
  const changed =
    again || sourcePath === undefined
      ? undefined
      : await store.documents.findByPath(sourcePath, scope);
  // Keep the id, so existing citations still work.
  const documentId = again?.id ?? changed?.id ?? randomUUID();
  const { metadata: inFile, ...read } = extracted;
  const { described, own } = describeDocument(request, toFileMetadata(inFile), { again, changed });
  const document = {
    id: documentId,
    filename: toFilename(request.filename),
    ...defined({ sourcePath, scope: request.scope }),
    contentHash: request.contentHash,
    format: extracted.format,
    sizeBytes: request.sizeBytes,
    ...titleOf(described, extracted),
    metadata: mergeMetadata(described, own),
    ...(again && isUnread(again) ? { dateAdded: again.dateAdded } : {}),
    extracted: read,
    ...indexer.under,
  };
  const outcome = await store.documents.put(document, chunks, { taskId: task.id, worker, isPart });
  return { outcome, documentId };
}

const READ_AS_IMAGES: readonly Format[] = ["pdf", "jpg", "png", "svg"];

function noteForcedOcr(extracted: ExtractedDocument): ExtractedDocument {
  if (READ_AS_IMAGES.includes(extracted.format)) return extracted;
  const warning = toMessage("ocrNotForFormat", extracted.format.toUpperCase());
  return { ...extracted, warnings: [...extracted.warnings, warning] };
}

async function adopt(
  { task, signal, worker, isPart = false }: AddLease,
  { store, indexer }: AddParts,
  present: StoredDocument,
): Promise<DocumentResult | "not-found" | "lease-lost"> {
  const { sourcePath, metadata, filename } = task.request;
  const path = defined({ sourcePath });
  const further = addOtherName(present, toFilename(filename));
  const described = { ...metadata, ...unmarkFromFile(present.metadata, metadata) };
  const isMoved = sourcePath !== undefined && sourcePath !== present.sourcePath;
  if (isMoved || Object.keys(further).length > 0) {
    // Done before the name is stored: after a crash in between, a retry still sees the old name and does this again.
    const names = { ...path, metadata: { ...present.metadata, ...further } };
    await indexAgain({ store, indexer }, { id: present.id, names, signal });
  }
  const named = { ...described, ...further, ...sourceMetadata(task.request) };
  const given = { ...path, ...titleIn(metadata), metadata: named };
  const held = { taskId: task.id, worker, isPart };
  const outcome = await store.documents.adopt(present.id, given, held);
  if (outcome === "not-found" || outcome === "lease-lost") return outcome;
  return resultOf(present, { chunksCreated: present.chunkCount, alreadyPresent: true });
}

/** A document that was added has chunks; one without was saved by a repair and waits to be read. */
function isUnread({ chunkCount }: StoredDocument): boolean {
  return chunkCount === 0;
}

// A process that removes the same content moves its file aside while it checks whether the file is still needed.
const MAX_READS = 3;
// It needs one rename back.
const AGAIN_AFTER_MS = 20;

async function extractOriginal(lease: Lease, parts: AddParts, report: Report) {
  for (let reads = 1; ; reads += 1) {
    try {
      return await extractOnce(lease, parts, report);
    } catch (thrown) {
      const isGone = thrown instanceof KnowledgeError && thrown.code === "FILE_NOT_FOUND";
      if (!isGone || reads === MAX_READS) throw thrown;
      await sleep(AGAIN_AFTER_MS);
    }
  }
}

async function extractOnce(
  { task, signal }: Lease,
  { store, extract }: AddParts,
  report: Report,
): Promise<ExtractedDocument> {
  const { contentHash, filename, forceOcr, sizeBytes, caller = "" } = task.request;
  const original = await store.originals.open(contentHash);
  try {
    report({ stage: "extracting", label: toMessage("extracting") });
    const onProgress = ({ done, total, unit }: ExtractProgress) => {
      const label = toMessage(unit, Math.min(done + 1, total), total);
      report({ stage: "extracting", label, share: (done + 0.5) / total });
    };
    const { path } = original;
    const file = { path, filename, forceOcr, sizeBytes, caller };
    return await extract.extract(file, { signal, onProgress });
  } finally {
    await original.release();
  }
}

function empty({ pages }: ExtractedDocument): KnowledgeError {
  const scanned = pages.some(({ method }) => method !== "text");
  const advice = scanned
    ? "OCR found none on its pages either; try a sharper scan."
    : "Try force_ocr=true to read its pages as images.";
  return new KnowledgeError("EMPTY_DOCUMENT", `No text was found in the file. ${advice}`);
}

interface Predecessors {
  /** The stored document with the same content. */
  readonly again: StoredDocument | undefined;
  /** The stored document from the same path, with different content. */
  readonly changed: StoredDocument | undefined;
}

/**
 * A document's metadata: what its earlier versions, the file and the caller of the add contribute. Metadata given with
 * an earlier add is kept unless it is given again; the file's own metadata is read again.
 */
function describeDocument(request: AddRequest, file: Metadata, { again, changed }: Predecessors) {
  const before = again ?? changed;
  const given = mergeMetadata(before ? givenMetadata(before.metadata) : {}, request.metadata);
  const both = withFileMetadata(file, given);
  // Which values came from the file is not recorded if that would exceed the size limits of metadata.
  const described =
    both === given ? given : (fittingMetadata({ ...both, ...markFromFile(file, given) }) ?? both);
  const own = {
    ...(again ? contentFacts(again.metadata) : {}),
    ...(changed ? nextRevision(changed.metadata) : {}),
    ...sourceMetadata(request),
  };
  return { described, own };
}

/** A title given with the add takes precedence over the one in the file. */
function titleOf(described: Metadata, { title }: ExtractedDocument) {
  return { ...defined({ title }), ...titleIn(described) };
}

function titleIn({ title }: Metadata) {
  return typeof title === "string" && title.trim() !== "" ? { title } : {};
}

/** By the time that the stages take: extracting text is fast, the model is slow, and OCR is slower still. */
const TEXT = { reading: 1, extracting: 5, embedding: 12, indexing: 2 };
const PIXELS: typeof TEXT = { ...TEXT, extracting: 13, embedding: 4 };
type Stage = keyof typeof TEXT;

interface Advance {
  readonly stage: Stage;
  readonly label: Message;
  /** Progress of the stage, 0 to 1. */
  readonly share?: number;
}

export type Report = (advance: Advance) => void;

/** Reports the progress of an add: the stages share 20 steps. */
function reportTo(lease: Lease, log: Log): Report {
  const { id: task, request } = lease.task;
  const readsPixels = request.forceOcr || /\.(jpe?g|png)$/i.test(request.filename);
  const shares = readsPixels ? PIXELS : TEXT;
  const stages = Object.keys(shares) as Stage[];
  let last: Stage | undefined;
  return ({ stage, label, share = 0 }) => {
    if (stage !== last) log.debug("ingest.step", { task, step: stage });
    last = stage;
    const before = stages.slice(0, stages.indexOf(stage)).reduce((sum, at) => sum + shares[at], 0);
    const steps = before + shares[stage] * Math.min(1, Math.max(0, share));
    lease.report({
      currentStep: [label],
      completedSteps: Math.floor(steps),
      totalSteps: TOTAL_STEPS,
      fraction: Math.round((steps / TOTAL_STEPS) * 1000) / 1000,
    });
  };
}
