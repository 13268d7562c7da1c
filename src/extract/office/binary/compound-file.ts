// The container of DOC, XLS, PPT and MSG: a small file system with sectors, chains and a tree of entries.
//
//   header ─ DIFAT ─▶ FAT sectors (next sector of each sector) ─▶ directory ─▶ streams
//                                                     └▶ mini FAT ─▶ streams under 4 KB, inside the root's stream
import type { Format } from "../../../domain/document.ts";
import { unsupportedContent } from "../../../domain/format-name.ts";
import { damaged, encrypted, overLimit } from "../../failures.ts";
import { decodeCodePage } from "../../plain/charset.ts";

export interface CompoundFile {
  /** Paths are joined by "/", without the root's name; undefined if there is no such stream. */
  stream(path: string): Buffer | undefined;
  /** The names of the storages directly below a path. */
  storages(path: string): readonly string[];
  readonly streams: readonly string[];
}

interface Entry {
  readonly name: string;
  readonly kind: number;
  readonly left: number;
  readonly right: number;
  readonly child: number;
  readonly start: number;
  readonly size: number;
}

const NONE = 0xfffffffa;
const ENTRY_BYTES = 128;
const MAX_ENTRIES = 20_000;
const STORAGE = 1;
const STREAM = 2;

export function openCompoundFile(bytes: Buffer): CompoundFile {
  const source = openSectors(bytes);
  const entries = readEntries(source.chain(bytes.readUInt32LE(48)));
  const [root] = entries;
  if (root === undefined) throw damaged();
  const mini = openMini(source, root);
  const paths = pathsOf(entries, root);
  const streams = [...paths].filter(([, { kind }]) => kind === STREAM);
  return {
    streams: streams.map(([path]) => path),
    stream(path) {
      const entry = paths.get(path);
      if (entry?.kind !== STREAM) return undefined;
      const whole = entry.size < source.miniCutoff ? mini(entry.start) : source.chain(entry.start);
      return whole.subarray(0, entry.size);
    },
    storages(path) {
      const prefix = path === "" ? "" : `${path}/`;
      return [...paths]
        .filter(([each, { kind }]) => kind === STORAGE && each.startsWith(prefix))
        .map(([each]) => each.slice(prefix.length))
        .filter((name) => !name.includes("/"));
    },
  };
}

function openSectors(bytes: Buffer) {
  if (bytes.length < 512) throw damaged();
  const shift = bytes.readUInt16LE(30);
  if (shift !== 9 && shift !== 12) throw damaged();
  const size = 1 << shift;
  const sector = (at: number) => bytes.subarray((at + 1) * size, (at + 2) * size);
  const fat = readFat(bytes, sector, size);
  return {
    miniCutoff: bytes.readUInt32LE(56),
    firstMiniFat: bytes.readUInt32LE(60),
    chain: (start: number) => Buffer.concat(follow(start, fat).map(sector)),
  };
}

function readFat(bytes: Buffer, sector: (at: number) => Buffer, size: number): readonly number[] {
  const places = numbersIn(bytes.subarray(76, 512));
  let next = bytes.readUInt32LE(68);
  const seen = new Set<number>();
  while (next < NONE && !seen.has(next)) {
    seen.add(next);
    const more = numbersIn(sector(next));
    if (more.length < size / 4) break;
    next = more.pop() ?? NONE;
    for (const place of more) places.push(place);
  }
  // More of them than the file has sectors for would be the same ones again and again.
  const most = Math.ceil((bytes.length / size / size) * 4) + 1;
  const used = places.filter((place) => place < NONE).slice(0, most);
  return used.flatMap((place) => numbersIn(sector(place)));
}

/** The sectors of a stream, in order; a chain that returns to itself is an attack or damage. */
function follow(start: number, next: readonly number[]): readonly number[] {
  const chain: number[] = [];
  for (let at = start; at < NONE; at = next[at] ?? NONE) {
    chain.push(at);
    if (chain.length > next.length) throw damaged();
  }
  return chain;
}

function numbersIn(bytes: Buffer): number[] {
  return Array.from({ length: bytes.length >> 2 }, (_, at) => bytes.readUInt32LE(at * 4));
}

function readEntries(bytes: Buffer): readonly Entry[] {
  const count = Math.floor(bytes.length / ENTRY_BYTES);
  if (count > MAX_ENTRIES) throw overLimit(`it has more than ${MAX_ENTRIES} entries`);
  return Array.from({ length: count }, (_, at) => {
    const entry = bytes.subarray(at * ENTRY_BYTES, (at + 1) * ENTRY_BYTES);
    const length = Math.min(64, entry.readUInt16LE(64));
    return {
      name: entry.subarray(0, Math.max(0, length - 2)).toString("utf16le"),
      kind: entry.readUInt8(66),
      left: entry.readUInt32LE(68),
      right: entry.readUInt32LE(72),
      child: entry.readUInt32LE(76),
      start: entry.readUInt32LE(116),
      size: entry.readUInt32LE(120),
    };
  });
}

/** Small streams lie in one large one, in sectors of 64 bytes, which have their own chains. */
function openMini(source: ReturnType<typeof openSectors>, root: Entry) {
  const fat = numbersIn(source.chain(source.firstMiniFat));
  const all = source.chain(root.start);
  return (start: number) =>
    Buffer.concat(follow(start, fat).map((at) => all.subarray(at * 64, at * 64 + 64)));
}

function pathsOf(entries: readonly Entry[], root: Entry): ReadonlyMap<string, Entry> {
  const paths = new Map<string, Entry>();
  const seen = new Set<Entry>();
  const open: { at: number; prefix: string }[] = [{ at: root.child, prefix: "" }];
  for (let each = open.pop(); each !== undefined; each = open.pop()) {
    const { at, prefix } = each;
    const entry = entries[at];
    if (entry === undefined || seen.has(entry)) continue;
    seen.add(entry);
    paths.set(prefix + entry.name, entry);
    open.push({ at: entry.left, prefix }, { at: entry.right, prefix });
    if (entry.kind === STORAGE) open.push({ at: entry.child, prefix: `${prefix}${entry.name}/` });
  }
  return paths;
}

/** The stream that each format has. */
const FORMATS: readonly (readonly [string, Format])[] = [
  ["WordDocument", "doc"],
  ["Workbook", "xls"],
  ["Book", "xls"],
  ["PowerPoint Document", "ppt"],
  ["__properties_version1.0", "msg"],
];

export function compoundFormat(bytes: Buffer): Format {
  const { stream } = openCompoundFile(bytes);
  // A new Office file with a password is inside a container of the old kind.
  if (stream("EncryptedPackage") !== undefined) throw encrypted();
  const found = FORMATS.find(([name]) => stream(name) !== undefined);
  if (found === undefined) throw unsupportedContent("");
  return found[1];
}

// The title in the properties of a binary Office file.

const TITLE = 2;
const CODE_PAGE = 1;

/** An empty string if there is none; damaged properties are no reason to refuse the text. */
export function summaryTitle(file: CompoundFile): string {
  const bytes = file.stream("\u0005SummaryInformation");
  if (bytes === undefined || bytes.length < 56) return "";
  const base = bytes.readUInt32LE(44);
  const places = new Map<number, number>();
  const count = base + 8 > bytes.length ? 0 : Math.min(100, bytes.readUInt32LE(base + 4));
  for (let at = base + 8; at < base + 8 + count * 8 && at + 8 <= bytes.length; at += 8) {
    places.set(bytes.readUInt32LE(at), base + bytes.readUInt32LE(at + 4));
  }
  const title = places.get(TITLE);
  if (title === undefined || title + 8 > bytes.length) return "";
  const codePage = places.get(CODE_PAGE);
  const page =
    codePage === undefined || codePage + 6 > bytes.length ? 1252 : bytes.readUInt16LE(codePage + 4);
  const isWide = bytes.readUInt16LE(title) === 31;
  const length = bytes.readUInt32LE(title + 4) * (isWide ? 2 : 1);
  const text = bytes.subarray(title + 8, title + 8 + Math.min(length, 2_000));
  return (isWide ? text.toString("utf16le") : decodeCodePage(text, page))
    .replace(/\0[\s\S]*$/, "")
    .trim();
}
