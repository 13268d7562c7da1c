// A zip archive on disk: its entries, and each file's bytes as a stream that is counted while it inflates.

import type { Readable } from "node:stream";
import { crc32 } from "node:zlib";
import { type Entry, getFileNameLowLevel, openPromise, type ZipFile as Zip } from "yauzl";
import { KnowledgeError } from "../../domain/errors.ts";
import { toMessage } from "../../domain/phrases/messages.ts";
import { corrupt, DEFAULT_LIMITS, type ExtractLimits, overLimit } from "../limits.ts";

export interface ZipFile {
  readonly entries: readonly ZipEntry[];
  close(): void;
}

export interface ZipEntry {
  /** The name in the archive, not checked. */
  readonly name: string;
  /** The size that the archive states, which may be wrong. */
  readonly sizeBytes: number;
  readonly isLink: boolean;
  /** Rejects with KnowledgeError: CORRUPT_FILE, ENCRYPTED_FILE, EXTRACTION_LIMIT. */
  read(): AsyncIterable<Uint8Array>;
}

type ZipLimits = Pick<ExtractLimits, "zipEntries" | "zipEntryBytes" | "zipTotalBytes">;

/** What remains of the limits for all entries together. */
interface Room extends ZipLimits {
  left: number;
}

// Text shrinks to a twentieth, logs to a hundredth. Below the minimum size any ratio is harmless.
const MAX_RATIO = 200;
const RATIO_FLOOR_BYTES = 1024 * 1024;
const UTF8_NAME = 0x800;

export async function openZip(path: string, limits: ZipLimits = DEFAULT_LIMITS): Promise<ZipFile> {
  // Names are decoded here, because yauzl rejects the whole archive if one name points outside it.
  const options = { lazyEntries: true, autoClose: false, decodeStrings: false };
  const zip = await openPromise(path, options).catch((cause: unknown) => {
    throw corrupt(toMessage("zipDamaged"), cause);
  });
  const nameOf = ({ generalPurposeBitFlag: flags, fileNameRaw: raw, extraFields }: Entry) => {
    const isUtf8 = (flags & UTF8_NAME) !== 0 || isUtf8Text(raw);
    return getFileNameLowLevel(isUtf8 ? flags | UTF8_NAME : flags, raw, extraFields, true);
  };
  try {
    const room: Room = { ...limits, left: limits.zipTotalBytes };
    const entries = await list(zip, limits);
    return {
      entries: entries.map((entry) => toZipEntry(zip, entry, { room, name: nameOf(entry) })),
      close: () => zip.close(),
    };
  } catch (thrown) {
    zip.close();
    throw thrown;
  }
}

/** Several programs write UTF-8 without setting the flag for it. */
function isUtf8Text(raw: Buffer): boolean {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(raw) !== "";
  } catch {
    // Thrown for any other encoding.
    return false;
  }
}

function list(zip: Zip, { zipEntries }: ZipLimits): Promise<readonly Entry[]> {
  if (zip.entryCount > zipEntries) throw overLimit("its archive has too many entries");
  const { promise, resolve, reject } = Promise.withResolvers<readonly Entry[]>();
  const entries: Entry[] = [];
  zip.on("entry", (entry: Entry) => {
    entries.push(entry);
    zip.readEntry();
  });
  zip.once("end", () => resolve(entries));
  zip.once("error", (cause) => reject(corrupt("The archive is damaged.", cause)));
  zip.readEntry();
  return promise;
}

interface Named {
  readonly name: string;
  readonly room: Room;
}

function toZipEntry(zip: Zip, entry: Entry, { name, room }: Named): ZipEntry {
  const mode = (entry.externalFileAttributes >>> 16) & 0o170000;
  return {
    name,
    sizeBytes: entry.uncompressedSize,
    isLink: mode === 0o120000,
    read: () => inflate(zip, entry, room),
  };
}

async function* inflate(zip: Zip, entry: Entry, room: Room): AsyncGenerator<Uint8Array> {
  if (entry.isEncrypted()) {
    throw new KnowledgeError(
      "ENCRYPTED_FILE",
      "The file is protected by a password. Create the archive again without one.",
    );
  }
  const most = Math.min(room.zipEntryBytes, mostFor(entry));
  const read = { size: 0, sum: 0 };
  try {
    for await (const part of await openStream(zip, entry)) {
      read.size += part.length;
      room.left -= part.length;
      if (read.size > most || room.left < 0)
        throw overLimit("it inflates to far more than it should, like a zip bomb");
      read.sum = crc32(part, read.sum);
      yield part;
    }
  } catch (thrown) {
    throw thrown instanceof KnowledgeError ? thrown : damaged(thrown);
  }
  if (read.sum !== entry.crc32) throw damaged();
}

function mostFor({ compressedSize }: Entry): number {
  return Math.max(RATIO_FLOOR_BYTES, compressedSize * MAX_RATIO);
}

function openStream(zip: Zip, entry: Entry): Promise<Readable & AsyncIterable<Buffer>> {
  const { promise, resolve, reject } = Promise.withResolvers<Readable>();
  zip.openReadStream(entry, (error, stream) => (error === null ? resolve(stream) : reject(error)));
  return promise;
}

function damaged(cause?: unknown): KnowledgeError {
  return corrupt("The file is damaged inside its archive. Create the archive again.", cause);
}
