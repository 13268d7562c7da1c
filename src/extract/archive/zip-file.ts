// A zip archive on disk: its entries, and each file's bytes as a stream that is counted while it inflates.

import type { FileHandle } from "node:fs/promises";
import { crc32 } from "node:zlib";
import {
  type Entry,
  fromFdPromise,
  getFileNameLowLevel,
  openPromise,
  type ZipFile as Zip,
} from "yauzl";
import { toMessage } from "../../domain/phrases/messages.ts";
import { corrupt, overLimit } from "../failures.ts";
import { DEFAULT_LIMITS } from "../limits.ts";
import { inflate, listEntries, ZIP_OPTIONS, type ZipLimits } from "../office/zip.ts";

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
  /** Another one if its content is another, as far as the archive says. */
  readonly version?: string;
  /** Rejects with KnowledgeError: CORRUPT_FILE, ENCRYPTED_FILE, EXTRACTION_LIMIT. */
  read(): AsyncIterable<Uint8Array>;
}

/** What remains of the limits for all entries together. */
interface Room extends ZipLimits {
  left: number;
}

// Text shrinks to a twentieth, logs to a hundredth. Below the minimum size any ratio is harmless.
const MAX_RATIO = 200;
const RATIO_FLOOR_BYTES = 1024 * 1024;
const UTF8_NAME = 0x800;

/** An open file stays open: the caller closes it. */
export async function openZip(
  file: string | FileHandle,
  limits: ZipLimits = DEFAULT_LIMITS,
): Promise<ZipFile> {
  const isPath = typeof file === "string";
  const opened = isPath ? openPromise(file, ZIP_OPTIONS) : fromFdPromise(file.fd, ZIP_OPTIONS);
  const zip = await opened.catch((cause: unknown) => {
    throw corrupt(toMessage("zipDamaged"), cause);
  });
  const nameOf = ({ generalPurposeBitFlag: flags, fileNameRaw: raw, extraFields }: Entry) => {
    const isUtf8 = (flags & UTF8_NAME) !== 0 || isUtf8Text(raw);
    return getFileNameLowLevel(isUtf8 ? flags | UTF8_NAME : flags, raw, extraFields, true);
  };
  try {
    const room: Room = { ...limits, left: limits.zipTotalBytes };
    const entries = await listEntries(zip, limits);
    return {
      entries: entries.map((entry) => toZipEntry(zip, entry, { room, name: nameOf(entry) })),
      close: () => isPath && zip.close(),
    };
  } catch (thrown) {
    if (isPath) zip.close();
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
    version: `${entry.crc32}:${entry.uncompressedSize}`,
    read: () => counted(zip, entry, room),
  };
}

async function* counted(zip: Zip, entry: Entry, room: Room): AsyncGenerator<Uint8Array> {
  const ratioLimit = Math.max(RATIO_FLOOR_BYTES, entry.compressedSize * MAX_RATIO);
  let sum = 0;
  for await (const part of inflate(zip, entry, Math.min(room.zipEntryBytes, ratioLimit))) {
    room.left -= part.length;
    if (room.left < 0) throw overLimit("it inflates to far more than it should, like a zip bomb");
    sum = crc32(part, sum);
    yield part;
  }
  if (sum !== entry.crc32)
    throw corrupt("The file is damaged inside its archive. Create the archive again.");
}
