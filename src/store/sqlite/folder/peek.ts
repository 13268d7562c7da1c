// Inspects knowledge.db and its log without changing them: opening them with SQLite recovers the log, writes
// it back and removes it.

import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import { openReadOnly } from "../older-node.ts";

const MAGIC = "SQLite format 3\0";
const VERSION_AT = 60;
const WAL_HEADER = 32;
const FRAME_HEADER = 24;

export interface Wal {
  readonly pageSize: number;
  /** Frames of this log's own generation, up to the last that ends a transaction. */
  readonly committed: number;
  /** How many of those come before the first wrong checksum; SQLite ignores everything after it. */
  readonly sound: number;
}

/** The schema's version as a reader sees it, or undefined without a database header. */
export function peekVersion(path: string): number | undefined {
  return peekLog(`${path}-wal`) ?? peekFile(path);
}

/** Through SQLite: if this process closed its own descriptor, it would lose the locks that its threads hold. */
function peekFile(path: string): number | undefined {
  let connection: DatabaseSync | undefined;
  try {
    connection = openWithoutLog(path);
    return Number(connection.prepare("PRAGMA user_version").get()?.["user_version"]);
  } catch {
    return undefined;
  } finally {
    connection?.close();
  }
}

/** Reads only the file, without its log, and leaves no trace. */
export function openWithoutLog(path: string): DatabaseSync {
  return openReadOnly(new URL(`${pathToFileURL(path).href}?immutable=1`));
}

/** From the last committed copy of the first page in the log. */
function peekLog(path: string): number | undefined {
  return withFile(path, (descriptor) => {
    let pending: number | undefined;
    let version: number | undefined;
    for (const frame of framesIn(descriptor)) {
      if (frame.page === 1) pending = versionIn(readAt(descriptor, frame.at + FRAME_HEADER, 100));
      if (frame.ends) version = pending ?? version;
    }
    return version;
  });
}

interface WalSum {
  first: number;
  second: number;
}

function hasSum(bytes: Buffer, at: number, { first, second }: WalSum): boolean {
  return bytes.readUInt32BE(at) === first && bytes.readUInt32BE(at + 4) === second;
}

/** Undefined without a log header. */
export function inspectWal(path: string): Wal | "unreadable" | undefined {
  return withFile(path, (descriptor) => {
    if (fstatSync(descriptor).size === 0) return undefined;
    const header = readAt(descriptor, 0, WAL_HEADER);
    if (pageSizeOf(header) === 0) return "unreadable";
    const order = header.readUInt32BE(0) & 1 ? "big" : "little";
    const sum: WalSum = { first: 0, second: 0 };
    addTo(sum, header.subarray(0, 24), order);
    if (!hasSum(header, 24, sum)) return "unreadable";
    return { pageSize: pageSizeOf(header), ...countFrames(descriptor, header, { sum, order }) };
  });
}

/** How many frames there are up to the last commit, and how many of them have a valid checksum. */
function countFrames(
  descriptor: number,
  header: Buffer,
  { sum, order }: { readonly sum: WalSum; readonly order: "big" | "little" },
) {
  const found = { number: 0, committed: 0, sound: 0 };
  let isSound = true;
  for (const { at, ends } of framesIn(descriptor)) {
    found.number += 1;
    const frame = readAt(descriptor, at, FRAME_HEADER + pageSizeOf(header));
    addTo(sum, frame.subarray(0, 8), order);
    addTo(sum, frame.subarray(FRAME_HEADER), order);
    isSound &&= hasSum(frame, 16, sum);
    if (isSound) found.sound = found.number;
    if (ends) found.committed = found.number;
  }
  return { committed: found.committed, sound: Math.min(found.sound, found.committed) };
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
    if (!frame.subarray(8, 16).equals(salts)) return;
    yield { at, page: frame.readUInt32BE(0), ends: frame.readUInt32BE(4) !== 0 };
  }
}

function pageSizeOf(header: Buffer): number {
  if (header.length < WAL_HEADER || (header.readUInt32BE(0) & ~1) >>> 0 !== 0x377f0682) return 0;
  const size = header.readUInt32BE(8);
  return size >= 512 && size <= 65_536 && (size & (size - 1)) === 0 ? size : 0;
}

function addTo(
  sum: { first: number; second: number },
  bytes: Buffer,
  order: "big" | "little",
): void {
  const read = (at: number) => (order === "big" ? bytes.readUInt32BE(at) : bytes.readUInt32LE(at));
  for (let at = 0; at < bytes.length; at += 8) {
    sum.first = (sum.first + read(at) + sum.second) >>> 0;
    sum.second = (sum.second + read(at + 4) + sum.first) >>> 0;
  }
}

function versionIn(header: Buffer): number | undefined {
  if (header.length < 100 || header.toString("latin1", 0, 16) !== MAGIC) return undefined;
  return header.readUInt32BE(VERSION_AT);
}

function readAt(descriptor: number, at: number, length: number): Buffer {
  const buffer = Buffer.alloc(length);
  return buffer.subarray(0, readSync(descriptor, buffer, 0, length, at));
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
