// Inspects knowledge.db and its log without changing them: opening them with SQLite recovers the log, writes
// it back and removes it.

import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import { openReadOnly } from "../older-node.ts";

const MAGIC = "SQLite format 3\0";
const VERSION_AT = 60;
const FINGERPRINT_AT = 68;
const WAL_HEADER = 32;
const FRAME_HEADER = 24;

export interface Wal {
  /** Frames of this log's own generation, up to the last that ends a transaction. */
  readonly committed: number;
  /** How many of those come before the first wrong checksum; SQLite ignores everything after it. */
  readonly sound: number;
  /**
   * The most transactions after that which follow each other without a fault. Each was synced before the next began, so a
   * power cut leaves one at most; more means that the log was damaged later, and that acknowledged changes are behind it.
   */
  readonly stranded: number;
  /** Changes when the log is overwritten from its start. */
  readonly generation: string;
}

/** The schema according to the header. */
export interface SchemaMark {
  readonly version: number;
  readonly fingerprint: number;
}

/** As a reader sees it, or undefined without a database header. */
export function peekSchema(path: string): SchemaMark | undefined {
  return peekLog(`${path}-wal`) ?? peekFile(path);
}

/** Through SQLite: if this process closed its own descriptor, it would lose the locks that its threads hold. */
function peekFile(path: string): SchemaMark | undefined {
  try {
    return readWithoutLog(path, readMark);
  } catch {
    return undefined;
  }
}

export function readMark(database: DatabaseSync): SchemaMark {
  const read = (name: string) => Number(database.prepare(`PRAGMA ${name}`).get()?.[name]);
  return { version: read("user_version"), fingerprint: read("application_id") };
}

export function readWithoutLog<Result>(path: string, work: (database: DatabaseSync) => Result) {
  const database = openWithoutLog(path);
  try {
    return work(database);
  } finally {
    database.close();
  }
}

/** Reads only the file, without its log, and leaves no trace. */
export function openWithoutLog(path: string): DatabaseSync {
  return openReadOnly(new URL(`${pathToFileURL(path).href}?immutable=1`));
}

/** From the last committed copy of the first page in the log. */
function peekLog(path: string): SchemaMark | undefined {
  return withFile(path, (descriptor) => {
    let pending: SchemaMark | undefined;
    let schema: SchemaMark | undefined;
    for (const frame of framesIn(descriptor)) {
      if (frame.page === 1) pending = schemaIn(readAt(descriptor, frame.at + FRAME_HEADER, 100));
      if (frame.ends) schema = pending ?? schema;
    }
    return schema;
  });
}

/** Undefined if there is nothing in it. The header is synced before the first frame is written. */
export function inspectWal(path: string): Wal | "unreadable" | undefined {
  return withFile(path, (descriptor) => {
    if (fstatSync(descriptor).size <= WAL_HEADER) return undefined;
    const header = readAt(descriptor, 0, WAL_HEADER);
    if (pageSizeOf(header) === 0) return "unreadable";
    const sum = addTo(NO_SUM, header.subarray(0, 24), orderOf(header));
    if (!hasSum(header, 24, sum)) return "unreadable";
    const generation = header.toString("hex", 16, 24);
    return { generation, ...countFrames(descriptor, header) };
  });
}

/**
 * True if opening the database would drop acknowledged changes without a word. A log that another process is writing may
 * look damaged for a moment, but never twice at the same place.
 */
export function isLogDamaged(path: string): boolean {
  const first = inspectWal(path);
  if (first === "unreadable") return inspectWal(path) === "unreadable";
  if (first === undefined || first.stranded < 2) return false;
  const { generation, sound, stranded } = (inspectWal(path) ?? {}) as Partial<Wal>;
  return generation === first.generation && sound === first.sound && (stranded ?? 0) > 1;
}

/** How many frames there are up to the last commit, and what their checksums say. */
function countFrames(descriptor: number, header: Buffer) {
  const found = { number: 0, committed: 0, sound: 0, run: 0, stranded: 0 };
  const length = FRAME_HEADER + pageSizeOf(header);
  let sum = sumAt(header, 24);
  for (const { at, ends } of framesIn(descriptor)) {
    const number = 1 + (at - WAL_HEADER) / length;
    const frame = readAt(descriptor, at, length);
    const head = addTo(sum, frame.subarray(0, 8), orderOf(header));
    const own = addTo(head, frame.subarray(FRAME_HEADER), orderOf(header));
    const follows = number === found.number + 1 && hasSum(frame, 16, own);
    if (follows && found.sound === found.number) found.sound = number;
    else found.run = follows ? found.run + Number(ends) : 0;
    found.stranded = Math.max(found.stranded, found.run);
    if (ends) found.committed = number;
    found.number = number;
    sum = sumAt(frame, 16);
  }
  const { committed, stranded } = found;
  return { committed, sound: Math.min(found.sound, committed), stranded };
}

interface Frame {
  readonly at: number;
  readonly page: number;
  readonly ends: boolean;
}

/** Frames of an older generation have other salts, because the log is overwritten from its start. */
function* framesIn(descriptor: number): Generator<Frame> {
  const { size } = fstatSync(descriptor);
  const header = readAt(descriptor, 0, WAL_HEADER);
  const pageSize = pageSizeOf(header);
  if (pageSize === 0) return;
  const salts = header.subarray(16, 24);
  for (let at = WAL_HEADER; at + FRAME_HEADER + pageSize <= size; at += FRAME_HEADER + pageSize) {
    const frame = readAt(descriptor, at, FRAME_HEADER);
    if (!frame.subarray(8, 16).equals(salts)) continue;
    yield { at, page: frame.readUInt32BE(0), ends: frame.readUInt32BE(4) !== 0 };
  }
}

function pageSizeOf(header: Buffer): number {
  if (header.length < WAL_HEADER || (header.readUInt32BE(0) & ~1) >>> 0 !== 0x377f0682) return 0;
  const size = header.readUInt32BE(8);
  return size >= 512 && size <= 65_536 && (size & (size - 1)) === 0 ? size : 0;
}

interface WalSum {
  readonly first: number;
  readonly second: number;
}

const NO_SUM: WalSum = { first: 0, second: 0 };

function sumAt(bytes: Buffer, at: number): WalSum {
  return { first: bytes.readUInt32BE(at), second: bytes.readUInt32BE(at + 4) };
}

function hasSum(bytes: Buffer, at: number, { first, second }: WalSum): boolean {
  return bytes.readUInt32BE(at) === first && bytes.readUInt32BE(at + 4) === second;
}

function orderOf(header: Buffer): "big" | "little" {
  return header.readUInt32BE(0) & 1 ? "big" : "little";
}

function addTo(sum: WalSum, bytes: Buffer, order: "big" | "little"): WalSum {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const isLittle = order === "little";
  let { first, second } = sum;
  for (let at = 0; at < bytes.length; at += 8) {
    first = (first + view.getUint32(at, isLittle) + second) >>> 0;
    second = (second + view.getUint32(at + 4, isLittle) + first) >>> 0;
  }
  return { first, second };
}

function schemaIn(header: Buffer): SchemaMark | undefined {
  if (header.length < 100 || header.toString("latin1", 0, 16) !== MAGIC) return undefined;
  const version = header.readUInt32BE(VERSION_AT);
  return { version, fingerprint: header.readInt32BE(FINGERPRINT_AT) };
}

/** Shorter only at the end of the file. */
function readAt(descriptor: number, at: number, length: number): Buffer {
  const buffer = Buffer.alloc(length);
  let filled = 0;
  for (let count = -1; count !== 0; filled += count) {
    count = readSync(descriptor, buffer, filled, length - filled, at + filled);
  }
  return buffer.subarray(0, filled);
}

function withFile<Result>(path: string, work: (descriptor: number) => Result): Result | undefined {
  let descriptor: number;
  try {
    descriptor = openSync(path, "r");
  } catch {
    return undefined;
  }
  try {
    return work(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
