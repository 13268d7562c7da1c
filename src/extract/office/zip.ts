// Zip archives: entries by name, inflated one at a time, counted while they stream.
import { inflateRawSync } from "node:zlib";
import { type Entry, fromBufferPromise, type ZipFile } from "yauzl";
import { KnowledgeError } from "../../domain/errors.ts";
import { toMessage } from "../../domain/phrases/messages.ts";
import { corrupt, overLimit } from "../failures.ts";
import type { ExtractLimits } from "../limits.ts";

/** The parts of an office file or an e-book. */
export interface Archive {
  readonly names: readonly string[];
  has(name: string): boolean;
  /** The part's bytes, or undefined if there is no such part. */
  read(name: string): Promise<Buffer | undefined>;
}

export type ZipLimits = Pick<ExtractLimits, "zipEntries" | "zipEntryBytes" | "zipTotalBytes">;

// Names are not decoded by yauzl, which rejects the whole archive if one of them points outside it.
export const ZIP_OPTIONS = { lazyEntries: true, autoClose: false, decodeStrings: false };

export async function openArchive(given: Buffer, limits: ZipLimits): Promise<Archive> {
  const bytes = withRightComment(given);
  const zip = await fromBufferPromise(bytes, ZIP_OPTIONS).catch((cause) => {
    throw corrupt(toMessage("officeDamaged"), cause);
  });
  const entries = new Map<string, Entry>();
  const names: string[] = [];
  for (const entry of await listEntries(zip, limits)) {
    const name = entry.fileNameRaw.toString();
    if (entries.has(key(name))) continue;
    entries.set(key(name), entry);
    names.push(name);
  }
  let total = 0;
  return {
    names,
    has: (name) => entries.has(key(name)),
    async read(name) {
      const entry = entries.get(key(name));
      if (entry === undefined) return undefined;
      const room = Math.min(limits.zipEntryBytes, limits.zipTotalBytes - total);
      const part = partOf(bytes, entry, room);
      total += part.length;
      return part;
    },
  };
}

const STORED = 0;
const DEFLATED = 8;
/** An entry's data follows its own header, whose names may be longer than those in the list. */
const HEADER = { bytes: 30, nameLength: 26, extraLength: 28 };

/** Parts are small and in memory already, so they are inflated at once: a stream for each costs more than that. */
function partOf(bytes: Buffer, entry: Entry, most: number): Buffer {
  if (entry.isEncrypted()) throw locked();
  try {
    const at = entry.relativeOffsetOfLocalHeader;
    const names = [HEADER.nameLength, HEADER.extraLength].map((each) =>
      bytes.readUInt16LE(at + each),
    );
    const start = names.reduce((sum, length) => sum + length, at + HEADER.bytes);
    const raw = bytes.subarray(start, start + entry.compressedSize);
    if (entry.compressionMethod === DEFLATED)
      return inflateRawSync(raw, { maxOutputLength: Math.max(1, most) });
    if (entry.compressionMethod !== STORED || raw.length < entry.compressedSize)
      throw new Error("It is packed in another way, or cut off.");
    if (raw.length <= most) return raw;
  } catch (thrown) {
    const isLarge = thrown instanceof RangeError && "code" in thrown && thrown.code === TOO_LARGE;
    if (!isLarge) throw corrupt("A part of the file is damaged.", thrown);
  }
  throw inflated();
}

const TOO_LARGE = "ERR_BUFFER_TOO_LARGE";
const inflated = () => overLimit("it inflates to far more than it should, like a zip bomb");

// Producers differ in case and leading slashes, and some write backslashes.
function key(name: string): string {
  return name.replace(/^\/+/, "").replaceAll("\\", "/").toLowerCase();
}

export async function listEntries(zip: ZipFile, limits: ZipLimits): Promise<readonly Entry[]> {
  if (zip.entryCount > limits.zipEntries) throw overLimit("its archive has too many entries");
  return collect(zip.eachEntry()).catch((cause: unknown) => {
    throw corrupt("The file's archive is damaged.", cause);
  });
}

async function collect<T>(parts: AsyncIterable<T>): Promise<readonly T[]> {
  const all: T[] = [];
  for await (const part of parts) all.push(part);
  return all;
}

/** Rejects with EXTRACTION_LIMIT if the entry has more than `most` bytes, whatever size it states. */
export async function* inflate(
  zip: ZipFile,
  entry: Entry,
  most: number,
): AsyncGenerator<Buffer, void> {
  if (entry.isEncrypted()) throw locked();
  let size = 0;
  try {
    for await (const part of await zip.openReadStreamPromise(entry)) {
      size += part.length;
      if (size > most) throw inflated();
      yield part;
    }
  } catch (thrown) {
    if (thrown instanceof KnowledgeError) throw thrown;
    throw corrupt("A part of the file is damaged.", thrown);
  }
}

function locked(): KnowledgeError {
  return new KnowledgeError(
    "ENCRYPTED_FILE",
    "The file is protected by a password. Save a copy without one.",
  );
}

/**
 * Some producers write a wrong comment length or leave bytes after the archive; such files can
 * still be read.
 */
function withRightComment(bytes: Buffer): Buffer {
  const at = bytes.lastIndexOf(Buffer.from("PK\u0005\u0006", "latin1"));
  if (at === -1 || at + 22 > bytes.length) return bytes;
  if (at + 22 + bytes.readUInt16LE(at + 20) === bytes.length) return bytes;
  const trimmed = Buffer.from(bytes.subarray(0, at + 22));
  trimmed.writeUInt16LE(0, at + 20);
  return trimmed;
}
