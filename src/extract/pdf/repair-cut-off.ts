// A PDF lists its objects at its end. Where that is cut off or broken, the objects that are still there are found
// by scanning, and a new end is written that names them.
import { inflateSync } from "node:zlib";

interface Found {
  readonly id: string;
  readonly dictionary: string;
  /** Where the object's stream begins, if it has one. */
  readonly streamAt: number;
}

// Object numbers that no producer reaches; pdfium rejects much larger ones.
const PAGES_ID = 4_000_001;
const ROOT_ID = 4_000_002;
const MAX_DICTIONARY_LENGTH = 20_000;

/** Undefined if no pages are left. An encrypted file cannot be read without its lost end. */
export function repairCutOff(bytes: Buffer, maxInflated: number): Buffer | undefined {
  const text = bytes.toString("latin1");
  if (text.includes("/Encrypt")) return undefined;
  const visible = [...objects(text)];
  const packed = unpacked(bytes, visible, maxInflated);
  const found = [...visible, ...objects(packed)];
  const root = catalog(found);
  const pages = found.filter(({ dictionary }) => isOfType(dictionary, "Page"));
  if (pages.length === 0) return undefined;
  const end =
    root === undefined ? `${newRoot(pages)}\n${trailer(String(ROOT_ID))}` : trailer(root.id);
  return Buffer.concat([bytes, Buffer.from(`\nendstream\nendobj\n${packed}${end}`, "latin1")]);
}

function* objects(text: string): Generator<Found> {
  for (const match of text.matchAll(/\b(\d{1,7}) 0 obj\b/g)) {
    const from = match.index + match[0].length;
    const rest = text.slice(from, from + MAX_DICTIONARY_LENGTH);
    // Whichever comes first: if this object was not closed, the next one ends it.
    const end = /endobj|(?<!end)stream\r?\n?| 0 obj\b/.exec(rest);
    if (end === null) continue;
    yield {
      id: match[1] ?? "",
      dictionary: rest.slice(0, end.index),
      streamAt: end[0].startsWith("stream") ? from + end.index + end[0].length : -1,
    };
  }
}

/**
 * Since PDF 1.5 small objects may be stored together in a compressed stream; they are written out
 * one by one.
 */
function unpacked(bytes: Buffer, found: readonly Found[], maxInflated: number): string {
  let written = "";
  for (const { dictionary, streamAt } of found) {
    if (streamAt === -1 || !isOfType(dictionary, "ObjStm")) continue;
    const count = numberAt(dictionary, "N");
    const first = numberAt(dictionary, "First");
    const body = inflated(bytes.subarray(streamAt), maxInflated - written.length);
    const header = body.slice(0, first).trim().split(/\s+/).map(Number);
    for (let at = 0; at < Math.min(count * 2, header.length - 1); at += 2) {
      const next = at + 3 < header.length ? first + (header[at + 3] ?? 0) : body.length;
      const content = body.slice(first + (header[at + 1] ?? 0), next).trim();
      if (content !== "") written += `${header[at]} 0 obj\n${content}\nendobj\n`;
    }
  }
  return written;
}

function inflated(stream: Buffer, room: number): string {
  try {
    return inflateSync(stream, { maxOutputLength: Math.max(1, room) }).toString("latin1");
  } catch {
    // The stream is truncated, not deflated, or too large.
    return "";
  }
}

/** The document's root, if its page tree exists too: the tree defines the order of the pages. */
function catalog(found: readonly Found[]): Found | undefined {
  const ids = new Set(found.map(({ id }) => id));
  return found.findLast(({ dictionary }) => {
    const tree = /\/Pages\s+(\d+)\s+0\s+R/.exec(dictionary)?.[1];
    return isOfType(dictionary, "Catalog") && tree !== undefined && ids.has(tree);
  });
}

function newRoot(pages: readonly Found[]): string {
  const kids = pages.map(({ id }) => `${id} 0 R`).join(" ");
  return [
    `${PAGES_ID} 0 obj\n<</Type/Pages/Count ${pages.length}/Kids[${kids}]>>\nendobj`,
    `${ROOT_ID} 0 obj\n<</Type/Catalog/Pages ${PAGES_ID} 0 R>>\nendobj`,
  ].join("\n");
}

function trailer(root: string): string {
  return `trailer\n<</Root ${root} 0 R/Size ${ROOT_ID + 1}>>\nstartxref\n0\n%%EOF\n`;
}

function isOfType(dictionary: string, type: string): boolean {
  return new RegExp(`/Type\\s*/${type}(?![A-Za-z])`).test(dictionary);
}

function numberAt(dictionary: string, key: string): number {
  return Number(new RegExp(`/${key}\\s+(\\d+)`).exec(dictionary)?.[1] ?? 0);
}
