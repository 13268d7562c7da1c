// A mailbox file: mails one after the other, each after a line that begins with "From ". It is a folder of mails.
import { type FileHandle, open } from "node:fs/promises";
import { decodeWords } from "postal-mime";
import { corrupt, overLimit } from "../failures.ts";
import { DEFAULT_LIMITS } from "../limits.ts";
import type { ZipLimits } from "../office/zip.ts";
import type { ZipFile } from "./zip-file.ts";

const PIECE_BYTES = 1024 * 1024;
const OVERLAP_BYTES = 1_000;
const HEAD_BYTES = 16 * 1024;
const MAX_SUBJECT = 80;
/** The sender, then a date; a sentence that begins with "From" has no year at its end. */
const SEPARATOR = /^From \S{1,300} .{0,80}\b\d{4}\b/;

interface Span {
  readonly start: number;
  readonly end: number;
}

/** Its mails, named by date and subject; one that has the Message-ID of another is left out. */
export async function openMbox(
  file: string | FileHandle,
  limits: ZipLimits = DEFAULT_LIMITS,
): Promise<ZipFile> {
  const handle = typeof file === "string" ? await open(file) : file;
  try {
    const names = openNames();
    const entries = [];
    for (const span of await findMails(handle, limits.zipEntries)) {
      const head = await readSpan(handle, span, HEAD_BYTES);
      const name = names.take(head.toString("latin1"));
      if (name === undefined) continue;
      const read = () => readMail(handle, span, limits.zipEntryBytes);
      entries.push({ name, sizeBytes: span.end - span.start, isLink: false, read });
    }
    return { entries, close: () => void (handle !== file && handle.close().catch(() => {})) };
  } catch (thrown) {
    if (handle !== file) await handle.close();
    throw thrown;
  }
}

async function findMails(handle: FileHandle, most: number): Promise<readonly Span[]> {
  const starts: number[] = [];
  for await (const start of startsIn(handle)) {
    if (starts.length >= most) throw overLimit(`it has more than ${most} mails. Split it`);
    starts.push(start);
  }
  if (starts[0] !== 0) throw corrupt("The file is not a mailbox: it does not begin with a mail.");
  const { size } = await handle.stat();
  return starts.map((start, at) => ({ start, end: starts[at + 1] ?? size }));
}

/** Reads the file in pieces that overlap, so that no separator is cut. */
async function* startsIn(handle: FileHandle): AsyncGenerator<number> {
  const buffer = Buffer.alloc(PIECE_BYTES);
  let last = -1;
  for (let at = 0; ; at += PIECE_BYTES - OVERLAP_BYTES) {
    const { bytesRead } = await handle.read(buffer, 0, PIECE_BYTES, at);
    const piece = buffer.toString("latin1", 0, bytesRead);
    for (const start of separatorsIn(piece, at === 0)) {
      if (at + start > last) yield at + start;
      last = Math.max(last, at + start);
    }
    if (bytesRead < PIECE_BYTES) return;
  }
}

/** Where a line after an empty one separates two mails. */
function* separatorsIn(piece: string, isFirst: boolean): Generator<number> {
  if (isFirst && SEPARATOR.test(piece.slice(0, 500))) yield 0;
  for (const { index, 0: before } of piece.matchAll(/\n\r?\n(?=From )/g)) {
    const start = index + before.length;
    if (SEPARATOR.test(piece.slice(start, start + 500))) yield start;
  }
}

async function readSpan(handle: FileHandle, { start, end }: Span, most: number): Promise<Buffer> {
  const length = Math.min(end - start, most);
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, start);
  return buffer.subarray(0, bytesRead);
}

/** Without the separator, and without the mark on lines that only look like one. */
async function* readMail(handle: FileHandle, span: Span, most: number): AsyncGenerator<Uint8Array> {
  if (span.end - span.start > most) throw overLimit("one of its mails is too large");
  const text = (await readSpan(handle, span, most)).toString("latin1");
  const mail = text.slice(text.indexOf("\n") + 1).replace(/^>(>*From )/gm, "$1");
  yield Buffer.from(mail, "latin1");
}

function openNames() {
  const ids = new Set<string>();
  const counts = new Map<string, number>();
  return {
    /** Undefined for a mail that was there before. */
    take(head: string): string | undefined {
      const value = headersIn(head);
      const id = value("message-id");
      if (id !== "" && ids.has(id)) return undefined;
      ids.add(id);
      const name = `${dateOf(value("date"))} ${subjectOf(value("subject"))}`;
      const count = (counts.get(name) ?? 0) + 1;
      counts.set(name, count);
      return count === 1 ? `${name}.eml` : `${name} (${count}).eml`;
    },
  };
}

function headersIn(head: string): (name: string) => string {
  const headers = head.split(/\r?\n\r?\n/, 1)[0]?.replace(/\r?\n[ \t]+/g, " ") ?? "";
  return (name) => new RegExp(`^${name}:[ \\t]*(.{1,1000})`, "im").exec(headers)?.[1]?.trim() ?? "";
}

export interface MailHead {
  /** Without brackets; empty if the mail has none. */
  readonly id: string;
  /** The id of the first mail of its conversation. */
  readonly thread: string;
  readonly from: string;
  readonly date: string;
  /** Of Gmail. */
  readonly labels: readonly string[];
}

export function readMailHead(mail: Buffer): MailHead {
  const value = headersIn(mail.toString("latin1", 0, HEAD_BYTES));
  const shown = (name: string) => decodeWords(value(name)).toWellFormed();
  const ids = (name: string) =>
    [...value(name).matchAll(/<([^<>\s]{1,300})>/g)].map(([, id = ""]) => id);
  const [id = ""] = ids("message-id");
  const [thread = id] = [...ids("references"), ...ids("in-reply-to")];
  const labels = shown("x-gmail-labels")
    .split(",")
    .map((label) => label.replaceAll('"', "").trim());
  return {
    id,
    thread,
    from: shown("from"),
    date: value("date"),
    labels: labels.filter((each) => each !== ""),
  };
}

function dateOf(header: string): string {
  const time = Date.parse(header);
  return Number.isNaN(time) ? "undated" : new Date(time).toISOString().slice(0, 10);
}

function subjectOf(header: string): string {
  const raw = Buffer.from(header, "latin1").toString("utf8");
  const plain = decodeWords(raw.includes("\ufffd") ? header : raw)
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}/\\:*?"<>|]+/gu, " ")
    .replace(/\s+/g, " ")
    .trim();
  const cut = plain.slice(0, MAX_SUBJECT).trim().toWellFormed();
  return cut === "" ? "no subject" : cut;
}
