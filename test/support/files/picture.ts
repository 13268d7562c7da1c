// Pictures of text for tests, painted with a shipped font so that every machine reads the same.
import { type Canvas, createCanvas } from "@napi-rs/canvas";

export interface PaintedLine {
  readonly text: string;
  readonly x?: number;
  readonly y: number;
  readonly size?: number;
}

export function paint(width: number, height: number, lines: readonly PaintedLine[]): Canvas {
  const canvas = createCanvas(width, height);
  const context = canvas.getContext("2d");
  context.fillStyle = "white";
  context.fillRect(0, 0, width, height);
  context.fillStyle = "black";
  for (const { text, x = 60, y, size = 36 } of lines) {
    context.font = `${size}px "DejaVu Sans", "Noto Sans CJK JP", "Noto Serif CJK JP", sans-serif`;
    context.fillText(text, x, y);
  }
  return canvas;
}

/** The picture lying on its side, as a phone stores it: pixels turned, EXIF saying so. */
export async function onItsSide(upright: Canvas): Promise<Buffer> {
  const turned = createCanvas(upright.height, upright.width);
  const context = turned.getContext("2d");
  // Turned left; orientation 6 tells viewers to turn it right again.
  context.translate(0, upright.width);
  context.rotate(-Math.PI / 2);
  context.drawImage(upright, 0, 0);
  return withOrientation(await turned.encode("jpeg", 92), 6);
}

function withOrientation(jpeg: Buffer, orientation: number): Buffer {
  const tiff = Buffer.from("4d4d002a000000080001011200030000000100000000000000000000", "hex");
  tiff.writeUInt16BE(orientation, 18);
  const exif = Buffer.concat([Buffer.from("Exif\u0000\u0000"), tiff]);
  const head = Buffer.from([0xff, 0xd8, 0xff, 0xe1, 0, 0]);
  head.writeUInt16BE(exif.length + 2, 4);
  return Buffer.concat([head, exif, jpeg.subarray(2)]);
}
