// The files of a .tgz, as Google Takeout makes them: read once, from start to end.
import { pipeline, type Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { KnowledgeError } from "../../../domain/errors.ts";
import { toMessage } from "../../../domain/phrases/messages.ts";
import { collect } from "../../../files/collect.ts";

interface TarFile {
  /** As it is in the archive. */
  readonly name: string;
  readonly sizeBytes: number;
  /** Seconds since 1970. */
  readonly modified: number;
  /** To be read before the next file is asked for. */
  readonly bytes: AsyncIterable<Uint8Array>;
}

interface TarLimits {
  readonly files: number;
  readonly fileBytes: number;
  readonly totalBytes: number;
}

const BLOCK = 512;
/** Of a long name or other attributes. */
const MAX_ATTRIBUTES = 64 * 1024;

/** Regular files only: no links, devices or folders. */
export async function* readTgz(packed: Readable, limits: TarLimits): AsyncGenerator<TarFile> {
  // What a record says about the file that follows it.
  let longName: string | undefined;
  for await (const { type, ...file } of recordsIn(packed, limits)) {
    if (isName(type)) longName = nameIn(type, await collect(file.bytes)) ?? longName;
    else {
      if (type === "0" || type === "\0") yield { ...file, name: longName ?? file.name };
      longName = undefined;
    }
  }
}

async function* recordsIn(packed: Readable, limits: TarLimits) {
  const { take, read } = openReader(packed, limits.totalBytes);
  for (let records = 0; records <= limits.files; records += 1) {
    const header = await read(BLOCK);
    if (header.every((byte) => byte === 0)) return;
    const entry = toEntry(header);
    if (entry.sizeBytes > (isName(entry.type) ? MAX_ATTRIBUTES : limits.fileBytes)) break;
    const bytes = take(entry.sizeBytes);
    yield { ...entry, bytes };
    for await (const _ of bytes);
    await read((BLOCK - (entry.sizeBytes % BLOCK)) % BLOCK);
  }
  throw tooLarge();
}

function isName(type: string): boolean {
  return type === "x" || type === "L";
}

function openReader(packed: Readable, totalBytes: number) {
  // A failure of the archive ends the unpacked bytes with it.
  const unpacked = pipeline(packed, createGunzip(), () => {})[Symbol.asyncIterator]();
  const state = { left: Buffer.alloc(0), total: 0 };
  const next = async () => {
    const { done, value } = await unpacked.next().catch((thrown: NodeJS.ErrnoException) => {
      throw thrown.code?.startsWith("Z_") ? damaged(thrown) : thrown;
    });
    if (done) throw damaged();
    state.left = value;
    state.total += value.length;
    if (state.total > totalBytes) throw tooLarge();
  };
  async function* take(size: number): AsyncGenerator<Uint8Array> {
    for (let missing = size; missing > 0; ) {
      if (state.left.length === 0) await next();
      const part = state.left.subarray(0, missing);
      state.left = state.left.subarray(part.length);
      missing -= part.length;
      yield part;
    }
  }
  return { take, read: (size: number) => collect(take(size)) };
}

function toEntry(header: Buffer) {
  const sum = header.reduce((total, byte, at) => total + (at >= 148 && at < 156 ? 32 : byte), 0);
  if (numberIn(header, 148, 156) !== sum) throw damaged();
  const isPosix = header.toString("latin1", 257, 263) === "ustar\0";
  const folder = isPosix ? textIn(header.subarray(345, 500)) : "";
  const name = textIn(header.subarray(0, 100));
  return {
    type: header.toString("latin1", 156, 157),
    name: folder === "" ? name : `${folder}/${name}`,
    sizeBytes: numberIn(header, 124, 136),
    modified: numberIn(header, 136, 148),
  };
}

/** In octal, or in base 256 where that is too short. */
function numberIn(header: Buffer, from: number, to: number): number {
  const first = header[from] ?? 0;
  if (first >= 0x80)
    return header.subarray(from + 1, to).reduce((sum, byte) => sum * 256 + byte, first & 0x7f);
  const text = header.toString("latin1", from, to).replace(/[\0 ]+/g, "");
  if (!/^[0-7]*$/.test(text)) throw damaged();
  return Number.parseInt(text || "0", 8);
}

/** The text itself, or in records of `length key=value\n`. */
function nameIn(type: string, bytes: Buffer): string | undefined {
  if (type === "L") return textIn(bytes);
  for (let at = 0; at < bytes.length; ) {
    const [, length = ""] = /^(\d{1,6}) /.exec(bytes.toString("latin1", at, at + 8)) ?? [];
    const end = at + Math.max(1, Number(length));
    const [, name] = /^\d+ path=([\s\S]*)\n$/.exec(bytes.toString("utf8", at, end)) ?? [];
    if (name !== undefined) return name;
    at = end;
  }
  return undefined;
}

function textIn(bytes: Buffer): string {
  const [text = ""] = bytes.toString("utf8").split("\0", 1);
  return text;
}

function tooLarge(): KnowledgeError {
  return new KnowledgeError("EXTRACTION_LIMIT", toMessage("exportTooLarge"));
}

function damaged(cause?: unknown): KnowledgeError {
  return new KnowledgeError("CORRUPT_FILE", toMessage("exportCutOff"), { cause });
}
