// The compression of RTF inside Outlook's mails: bytes, and references to what was written up to 4 KB before.
import { damaged } from "../failures.ts";

const WINDOW = 4096;
const MAX_BYTES = 16 * 1024 * 1024;
const UNCOMPRESSED = 0x414c454d;
/** What every text starts with a reference to. */
const KNOWN =
  "{\\rtf1\\ansi\\mac\\deff0\\deftab720{\\fonttbl;}{\\f0\\fnil \\froman \\fswiss \\fmodern \\fscript \\fdecor MS Sans SerifSymbolArialTimes New RomanCourier{\\colortbl\\red0\\green0\\blue0\r\n\\par \\pard\\plain\\f0\\fs20\\b\\i\\u\\tab\\tx";

export function decompressRtf(bytes: Buffer): Buffer {
  if (bytes.length < 16) throw damaged();
  if (bytes.readUInt32LE(8) === UNCOMPRESSED) return bytes.subarray(16);
  const window = openWindow(Math.min(bytes.readUInt32LE(4), MAX_BYTES));
  for (let at = 16; at < bytes.length; ) {
    const flags = bytes.readUInt8(at);
    at += 1;
    for (let bit = 1; bit < 256 && at < bytes.length; bit <<= 1) {
      const isReference = (flags & bit) !== 0;
      if (!isReference) window.put(bytes.readUInt8(at));
      else if (!window.repeat(bytes.readUInt16BE(at))) return window.written();
      at += isReference ? 2 : 1;
    }
  }
  return window.written();
}

function openWindow(sizeBytes: number) {
  const window = Buffer.alloc(WINDOW, " ");
  const written = Buffer.alloc(sizeBytes);
  const place = { read: window.write(KNOWN, "latin1"), written: 0 };
  const put = (byte: number) => {
    window[place.read] = byte;
    place.read = (place.read + 1) % WINDOW;
    written[place.written] = byte;
    place.written += 1;
  };
  return {
    put,
    /** False at the end, which is a reference to the present place. */
    repeat(reference: number): boolean {
      const from = reference >> 4;
      if (from === place.read || place.written >= sizeBytes) return false;
      for (let step = 0; step < (reference & 15) + 2; step += 1)
        put(window[(from + step) % WINDOW] ?? 0);
      return true;
    },
    written: () => written.subarray(0, place.written),
  };
}
