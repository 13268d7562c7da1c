// Office files are zip archives: parts by name, inflated one at a time, counted while they stream.

import { type Entry, fromBuffer, type ZipFile } from "yauzl";
import { KnowledgeError } from "../../domain/errors.ts";
import { toMessage } from "../../domain/phrases/messages.ts";
import { corrupt, type ExtractLimits, overLimit } from "../limits.ts";

export interface Archive {
  readonly names: readonly string[];
  has(name: string): boolean;
  /** The part's bytes, or undefined if there is no such part. */
  read(name: string): Promise<Buffer | undefined>;
}

type ZipLimits = Pick<ExtractLimits, "zipEntries" | "zipEntryBytes" | "zipTotalBytes">;

export async function openArchive(bytes: Buffer, limits: ZipLimits): Promise<Archive> {
  const zip = await open(withRightComment(bytes));
  const entries = await list(zip, limits);
  let total = 0;
  return {
    names: [...entries.values()].map((entry) => entry.fileName),
    has: (name) => entries.has(key(name)),
    async read(name) {
      const entry = entries.get(key(name));
      if (entry === undefined) return undefined;
      if (entry.isEncrypted()) {
        throw new KnowledgeError(
          "ENCRYPTED_FILE",
          "The file is protected by a password. Save a copy without one.",
        );
      }
      const room = Math.min(limits.zipEntryBytes, limits.zipTotalBytes - total);
      const part = await inflate(zip, entry, room);
      total += part.length;
      return part;
    },
  };
}

// Producers differ in case and leading slashes, and some write backslashes.
function key(name: string): string {
  return name.replace(/^\/+/, "").replaceAll("\\", "/").toLowerCase();
}

function open(bytes: Buffer): Promise<ZipFile> {
  return new Promise((resolve, reject) => {
    fromBuffer(bytes, { lazyEntries: true, strictFileNames: false }, (error, zip) => {
      if (error !== null) reject(corrupt(toMessage("officeDamaged"), error));
      else resolve(zip);
    });
  });
}

function list(zip: ZipFile, { zipEntries }: ZipLimits): Promise<ReadonlyMap<string, Entry>> {
  return new Promise((resolve, reject) => {
    const entries = new Map<string, Entry>();
    if (zip.entryCount > zipEntries) return reject(overLimit("its archive has too many entries"));
    zip.on("entry", (entry: Entry) => {
      if (!entries.has(key(entry.fileName))) entries.set(key(entry.fileName), entry);
      zip.readEntry();
    });
    zip.once("end", () => resolve(entries));
    zip.once("error", (error) => reject(corrupt("The file's archive is damaged.", error)));
    zip.readEntry();
  });
}

function inflate(zip: ZipFile, entry: Entry, room: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    zip.openReadStream(entry, (error, stream) => {
      if (error !== null) return reject(corrupt("A part of the file is damaged.", error));
      const chunks: Buffer[] = [];
      let size = 0;
      stream.on("data", (chunk: Buffer) => {
        size += chunk.length;
        if (size > room) {
          stream.destroy();
          reject(overLimit("it inflates to far more than it should, like a zip bomb"));
        } else chunks.push(chunk);
      });
      stream.once("end", () => resolve(Buffer.concat(chunks)));
      stream.once("error", (cause: Error) =>
        reject(corrupt("A part of the file is damaged.", cause)),
      );
    });
  });
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
