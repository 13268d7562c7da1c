// Whether a file draws text without ink (text rendering modes 3 and 7): its content is searched for the operator,
// because the parser does not report it.
import { inflateSync } from "node:zlib";

const INKLESS = /[\s>\])][37]\s+Tr\b/;
/** Streams that are no page's content. */
const OTHER =
  /\/(?:Subtype\s*\/(?:Image|XML|Type1C|CIDFontType0C|OpenType)|Length1|Type\s*\/(?:ObjStm|XRef|Metadata)|FunctionType|N\s+\d)\b/;
const DICTIONARY_BYTES = 600;
const MAX_STREAM_BYTES = 4 * 1024 * 1024;
const MAX_BYTES = 64 * 1024 * 1024;

export function drawsWithoutInk(bytes: Buffer): boolean {
  let room = MAX_BYTES;
  for (let at = bytes.indexOf("stream"); at !== -1 && room > 0; at = bytes.indexOf("stream", at)) {
    const head = bytes.toString("latin1", Math.max(0, at - DICTIONARY_BYTES), at);
    const from = at + (bytes[at + 6] === 13 ? 8 : 7);
    const end = bytes.indexOf("endstream", from);
    const dictionary = head.slice(head.lastIndexOf(" obj"));
    at = end === -1 ? bytes.length : end + "endstream".length;
    if (end === -1 || OTHER.test(dictionary)) continue;
    const content = contentOf(bytes.subarray(from, end), dictionary);
    room -= content.length;
    if (INKLESS.test(content)) return true;
  }
  return false;
}

function contentOf(stream: Buffer, dictionary: string): string {
  if (!dictionary.includes("FlateDecode")) return stream.toString("latin1", 0, MAX_STREAM_BYTES);
  try {
    return inflateSync(stream, { maxOutputLength: MAX_STREAM_BYTES }).toString("latin1");
  } catch {
    // Damaged, encrypted, or larger than any page.
    return "";
  }
}
