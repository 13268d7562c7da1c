// Photographs, scans and screenshots: rotated upright by their EXIF orientation, then read by OCR.

import { imageSize } from "image-size";
import { toMessage } from "../../domain/phrases/messages.ts";
import { corrupt, overLimit } from "../failures.ts";
import type { ExtractLimits } from "../limits.ts";
import type { ReadContext, ReadOutcome } from "../reader.ts";
import { openOcr, type Picture, writeOcrPieces } from "./ocr/ocr.ts";

const LOW_CONFIDENCE = 0.6;
// liteparse treats a picture as a page of so many dots per inch.
const PICTURE_DPI = 150;

export async function readImage({
  bytes,
  ocr,
  limits,
  out,
  progress,
  alive,
}: ReadContext): Promise<ReadOutcome> {
  const picture = await toPicture(bytes, limits);
  const reader = await openOcr(ocr, alive);
  const reading = await reader.read(picture);
  const { confidence, characters } = reading;
  writeOcrPieces(out, reading, "figure");
  out.report("ocr", confidence);
  if (characters === 0) out.warn(toMessage("noTextInPicture"));
  else if (confidence < LOW_CONFIDENCE) {
    out.warn(toMessage("pictureUnsure", Math.round(confidence * 100)));
  }
  progress({ done: 1, total: 1, unit: "page" });
  return { method: "image_analysis" };
}

/**
 * Size and orientation are read from the header, so that a gigapixel picture is refused before it
 * is decoded.
 */
export async function toPicture(bytes: Buffer, limits: ExtractLimits): Promise<Picture> {
  const header = sizeOf(bytes);
  const { width, height, orientation = 1 } = header;
  if (width * height > limits.pixels) {
    const megapixels = Math.round((width * height) / 1_000_000);
    throw overLimit(
      `it has ${megapixels} megapixels, the limit is ${Math.round(limits.pixels / 1_000_000)}`,
    );
  }
  if (width < 8 || height < 8) throw corrupt(toMessage("pictureSmall"));
  const picture = { bytes, width, height };
  return orientation === 1 ? picture : turned(bytes, orientation, picture);
}

function sizeOf(bytes: Buffer) {
  try {
    return imageSize(bytes);
  } catch (cause) {
    throw corrupt(toMessage("pictureHeader"), cause);
  }
}

/** How far a picture lies on its side, clockwise, by its EXIF orientation. Mirrored ones, which no camera writes, stay. */
const TURNS: ReadonlyMap<number, 90 | 180 | 270> = new Map([
  [3, 180],
  [6, 270],
  [8, 90],
]);

async function turned(bytes: Buffer, orientation: number, given: Picture): Promise<Picture> {
  const angle = TURNS.get(orientation);
  if (angle === undefined) return given;
  const { LiteParse } = await import("@llamaindex/liteparse");
  const pageOrientationCorrections = [{ page: 1, angle }];
  const painter = new LiteParse({
    ...{ dpi: PICTURE_DPI, quiet: true, ocrEnabled: false, numWorkers: 1 },
    pageOrientationCorrections,
  });
  const [shot] = await painter.screenshot(bytes, [1]).catch((cause: unknown) => {
    throw corrupt(toMessage("pictureDamaged"), cause);
  });
  return shot ? { bytes: shot.imageBuffer, width: shot.width, height: shot.height } : given;
}
