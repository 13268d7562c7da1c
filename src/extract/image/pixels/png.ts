// PNG as PDFium writes it (8 bits, RGB or RGBA, not interlaced) → pixels, and pixels in grey or of a palette → PNG.
import { crc32, deflateSync, inflateSync } from "node:zlib";
import type { Indexed } from "./palette.ts";

export interface Pixels {
  readonly width: number;
  readonly height: number;
  /** Samples per pixel: 3 or 4 for decoded colour, 1 for grey. */
  readonly channels: number;
  readonly data: Uint8Array;
}

const SIGNATURE = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]);
const CHANNELS: Readonly<Record<number, number>> = { 0: 1, 2: 3, 6: 4 };

/** The grey between four neighbours. */
export function sample({ width, height, data }: Pixels, x: number, y: number): number {
  const left = Math.min(width - 1, Math.max(0, Math.floor(x)));
  const top = Math.min(height - 1, Math.max(0, Math.floor(y)));
  const right = Math.min(width - 1, left + 1);
  const under = Math.min(height - 1, top + 1);
  const [across, down] = [Math.max(0, x - left), Math.max(0, y - top)];
  const at = (row: number, column: number) => data[row * width + column] as number;
  const upper = at(top, left) * (1 - across) + at(top, right) * across;
  const lower = at(under, left) * (1 - across) + at(under, right) * across;
  return upper * (1 - down) + lower * down;
}

/** Undefined for PNG variants that PDFium does not write. */
export function decodePng(bytes: Buffer): Pixels | undefined {
  const parts: Buffer[] = [];
  let head: Buffer | undefined;
  for (let at = 8; at + 12 <= bytes.length; ) {
    const length = bytes.readUInt32BE(at);
    const kind = bytes.toString("latin1", at + 4, at + 8);
    const body = bytes.subarray(at + 8, at + 8 + length);
    if (kind === "IHDR") head = body;
    if (kind === "IDAT") parts.push(body);
    at += 12 + length;
  }
  if (head === undefined || head[8] !== 8 || head[12] !== 0) return undefined;
  const channels = CHANNELS[head[9] ?? -1];
  if (channels === undefined) return undefined;
  const size = { width: head.readUInt32BE(0), height: head.readUInt32BE(4), channels };
  return { ...size, data: unfiltered(inflateSync(Buffer.concat(parts)), size) };
}

/** Each row begins with the number of its filter: none, left, up, average or Paeth. */
function unfiltered(raw: Buffer, size: Omit<Pixels, "data">): Uint8Array {
  const stride = size.width * size.channels;
  const out = new Uint8Array(stride * size.height);
  let above: Uint8Array = new Uint8Array(stride);
  for (let y = 0; y < size.height; y += 1) {
    const from = y * (stride + 1);
    const row = out.subarray(y * stride, (y + 1) * stride);
    row.set(raw.subarray(from + 1, from + 1 + stride));
    FILTERS[raw[from] ?? 0]?.(row, above, size.channels);
    above = row;
  }
  return out;
}

type Filter = (row: Uint8Array, above: Uint8Array, channels: number) => void;

const FILTERS: readonly (Filter | undefined)[] = [undefined, addLeft, addUp, addMean, addNearest];

function addLeft(row: Uint8Array, _above: Uint8Array, channels: number): void {
  for (let x = channels; x < row.length; x += 1)
    row[x] = (row[x] as number) + (row[x - channels] as number);
}

function addUp(row: Uint8Array, above: Uint8Array): void {
  for (let x = 0; x < row.length; x += 1) row[x] = (row[x] as number) + (above[x] as number);
}

function addMean(row: Uint8Array, above: Uint8Array, channels: number): void {
  for (let x = 0; x < row.length; x += 1) {
    const left = x < channels ? 0 : (row[x - channels] as number);
    row[x] = (row[x] as number) + ((left + (above[x] as number)) >> 1);
  }
}

function addNearest(row: Uint8Array, above: Uint8Array, channels: number): void {
  for (let x = 0; x < row.length; x += 1) {
    const up = above[x] as number;
    const left = x < channels ? 0 : (row[x - channels] as number);
    const corner = x < channels ? 0 : (above[x - channels] as number);
    const toLeft = Math.abs(up - corner);
    const toUp = Math.abs(left - corner);
    const toCorner = Math.abs(left + up - 2 * corner);
    const isLeft = toLeft <= toUp && toLeft <= toCorner;
    const other = toUp <= toCorner ? up : corner;
    row[x] = (row[x] as number) + (isLeft ? left : other);
  }
}

export function encodeGrey({ width, height, data }: Pixels): Buffer {
  return encode(data, { width, height, type: 0, bits: 8, level: 1 });
}

/** With at most 16 colours, a pixel takes half a byte. */
export function encodeIndexed({ width, height, data, palette }: Indexed): Buffer {
  const bits = palette.length <= 16 * 3 ? 4 : 8;
  const rows = bits === 4 ? packed(data, width) : data;
  return encode(rows, { width, height, type: 3, bits, level: 6, palette });
}

interface PngForm extends Pick<Pixels, "width" | "height"> {
  /** 0 is grey, 3 uses the palette. */
  readonly type: 0 | 3;
  readonly bits: 4 | 8;
  readonly level: number;
  readonly palette?: Uint8Array;
}

function encode(data: Uint8Array, { width, height, type, bits, level, palette }: PngForm): Buffer {
  const stride = Math.ceil((width * bits) / 8);
  const raw = Buffer.alloc((stride + 1) * height);
  for (let y = 0; y < height; y += 1)
    raw.set(data.subarray(y * stride, (y + 1) * stride), y * (stride + 1) + 1);
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head[8] = bits;
  head[9] = type;
  return Buffer.concat([
    SIGNATURE,
    part("IHDR", head),
    ...(palette ? [part("PLTE", Buffer.from(palette))] : []),
    part("IDAT", deflateSync(raw, { level })),
    part("IEND", Buffer.alloc(0)),
  ]);
}

/** Two pixels per byte; each row begins with a new one. */
function packed(data: Uint8Array, width: number): Uint8Array {
  const stride = Math.ceil(width / 2);
  const out = new Uint8Array(stride * Math.ceil(data.length / width));
  for (let at = 0; at < data.length; at += 1) {
    const x = at % width;
    const to = Math.floor(at / width) * stride + (x >> 1);
    out[to] = (out[to] as number) | ((data[at] as number) << (x % 2 === 0 ? 4 : 0));
  }
  return out;
}

function part(kind: string, body: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(kind, "latin1"), body]);
  const framed = Buffer.alloc(named.length + 8);
  framed.writeUInt32BE(body.length, 0);
  named.copy(framed, 4);
  framed.writeUInt32BE(crc32(named), named.length + 4);
  return framed;
}
