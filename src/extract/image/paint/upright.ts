// Turns and mirrors a photograph by its EXIF orientation.
import type { Picture } from "../ocr/ocr.ts";
import { paintPage } from "./pdf-page.ts";

type Matrix = readonly [number, number, number, number, number, number];

const FRAME_START = new Set([0xc0, 0xc1, 0xc2]);

/** Undefined if the bytes are not a JPEG that can be painted; other formats have no orientation in practice. */
export async function uprightJpeg(
  bytes: Buffer,
  orientation: number,
): Promise<Picture | undefined> {
  const frame = frameOf(bytes);
  const matrix = frame && matrixOf(orientation, frame.width, frame.height);
  if (frame === undefined || matrix === undefined) return undefined;
  const isOnSide = orientation >= 5;
  return paintPage({
    width: isOnSide ? frame.height : frame.width,
    height: isOnSide ? frame.width : frame.height,
    content: `q ${matrix.join(" ")} cm /Im Do Q`,
    jpeg: { bytes, ...frame },
  });
}

/**
 * Maps the unit square, in which an image is drawn upright, to the page. Orientations 2, 4, 5 and 7
 * are mirrored.
 */
function matrixOf(orientation: number, across: number, down: number): Matrix | undefined {
  const matrices: Readonly<Record<number, Matrix>> = {
    2: [-across, 0, 0, down, across, 0],
    3: [-across, 0, 0, -down, across, down],
    4: [across, 0, 0, -down, 0, down],
    5: [0, -across, -down, 0, down, across],
    6: [0, -across, down, 0, 0, across],
    7: [0, across, down, 0, 0, 0],
    8: [0, across, -down, 0, down, 0],
  };
  return matrices[orientation];
}

/** Reads the size and the number of components from the frame's header. */
function frameOf(bytes: Buffer) {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xffd8) return undefined;
  for (let at = 2; at + 9 < bytes.length; ) {
    if (bytes[at] !== 0xff) return undefined;
    const marker = bytes[at + 1] ?? 0;
    if (FRAME_START.has(marker)) {
      return {
        height: bytes.readUInt16BE(at + 5),
        width: bytes.readUInt16BE(at + 7),
        components: bytes[at + 9] ?? 3,
      };
    }
    at += marker === 0xff ? 1 : 2 + bytes.readUInt16BE(at + 2);
  }
  return undefined;
}
