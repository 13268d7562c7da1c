// The pixels of a PNG with a palette, without row filters: as close-ups of pages are written.
import { inflateSync } from "node:zlib";

export interface ReadPng {
  readonly width: number;
  readonly height: number;
  /** Red, green and blue. */
  colourAt(x: number, y: number): readonly number[];
}

export function readPng(bytes: Buffer): ReadPng {
  const parts = new Map<string, Buffer>();
  for (let at = 8; at < bytes.length; ) {
    const length = bytes.readUInt32BE(at);
    parts.set(bytes.toString("latin1", at + 4, at + 8), bytes.subarray(at + 8, at + 8 + length));
    at += 12 + length;
  }
  const part = (name: string) => parts.get(name) ?? Buffer.alloc(0);
  const head = part("IHDR");
  const [width, height, bits] = [head.readUInt32BE(0), head.readUInt32BE(4), head[8] ?? 8];
  const rows = inflateSync(part("IDAT"));
  const stride = Math.ceil((width * bits) / 8) + 1;
  const indexAt = (x: number, y: number) => {
    const byte = rows[y * stride + 1 + Math.floor((x * bits) / 8)] ?? 0;
    return bits === 8 ? byte : (byte >> (x % 2 === 0 ? 4 : 0)) & 15;
  };
  return {
    width,
    height,
    colourAt: (x, y) => [...part("PLTE").subarray(indexAt(x, y) * 3, indexAt(x, y) * 3 + 3)],
  };
}
