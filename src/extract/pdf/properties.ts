// A PDF's own title, subject and keywords, as far as they are not compressed.

const KEYS = ["/Title", "/Subject", "/Keywords"];
const MAX_FOUND = 20;
const MAX_BYTES = 20_000;
const MAX_XMP_BYTES = 64 * 1024;

export function pdfProperties(bytes: Buffer): readonly string[] {
  const found: string[] = [];
  for (const key of KEYS) {
    let at = bytes.indexOf(key);
    for (let count = 0; at !== -1 && count < MAX_FOUND; count += 1) {
      found.push(stringAt(bytes, at + key.length));
      at = bytes.indexOf(key, at + key.length);
    }
  }
  const xmp = bytes.indexOf("<x:xmpmeta");
  if (xmp === -1) return found;
  const packet = bytes.toString("utf8", xmp, xmp + MAX_XMP_BYTES).split("</x:xmpmeta>")[0] ?? "";
  return [...found, ...packet.split(/<[^<>]*>/).filter((text) => text.trim() !== "")];
}

/** A string is in round brackets, or hexadecimal in angular ones; titles of bookmarks are like the document's. */
function stringAt(bytes: Buffer, from: number): string {
  const rest = bytes.toString("latin1", from, from + MAX_BYTES);
  const hex = /^\s*<([\da-f\s]*)>/i.exec(rest)?.[1];
  if (hex !== undefined) return decoded(Buffer.from(hex.replace(/\s/g, ""), "hex"));
  const literal = /^\s*\(((?:\\[\s\S]|[^\\()])*)\)/.exec(rest)?.[1];
  return decoded(Buffer.from((literal ?? "").replace(/\\([\s\S])/g, "$1"), "latin1"));
}

function decoded(bytes: Buffer): string {
  const isWide = bytes[0] === 0xfe && bytes[1] === 0xff;
  if (!isWide) return bytes.toString("latin1");
  return bytes
    .subarray(2, 2 + ((bytes.length - 2) & ~1))
    .swap16()
    .toString("utf16le");
}
