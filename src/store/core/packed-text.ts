// A document's text with its blocks, compressed to about a third; it is read only when the whole document is shown.
import * as zlib from "node:zlib";
import type { Block, ExtractedDocument, HiddenText } from "../../domain/document.ts";
import { KnowledgeError } from "../../domain/errors.ts";

const ZSTD = 0xfd2fb528;

type PackedText = Pick<ExtractedDocument, "text" | "blocks" | "hidden">;

/** With a checksum, which shows damage that leaves readable text. */
export function packText({ text, blocks, hidden }: PackedText): Uint8Array {
  const json = JSON.stringify(hidden === undefined ? [text, blocks] : [text, blocks, hidden]);
  // Node has zstd from 22.15 on.
  if (zlib.zstdCompressSync === undefined) return zlib.gzipSync(json);
  return zlib.zstdCompressSync(json, { params: { [zlib.constants.ZSTD_c_checksumFlag]: 1 } });
}

export function unpackText(body: Uint8Array): PackedText {
  const [text, blocks, hidden] = JSON.parse(decompress(body)) as [string, Block[], HiddenText[]?];
  return { text, blocks, ...(hidden === undefined ? {} : { hidden }) };
}

function decompress(body: Uint8Array): string {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const isZstd = bytes.length >= 4 && bytes.readUInt32LE(0) === ZSTD;
  if (!isZstd && bytes[0] === 0x1f) return zlib.gunzipSync(bytes).toString("utf8");
  if (zlib.zstdDecompressSync === undefined) {
    const message = `The text of this document was stored with a newer Node than ${process.versions.node}: use Node 22.15 or newer.`;
    throw new KnowledgeError("STORE_UNAVAILABLE", message);
  }
  return zlib.zstdDecompressSync(bytes).toString("utf8");
}
