// Photographs, scans and screenshots: turned upright by what the camera noted, then read by OCR.
import { imageSize } from "image-size";
import { corrupt, type ExtractLimits, overLimit } from "../limits.ts";
import type { ReadContext, ReadOutcome } from "../reader.ts";
import { openOcr, type Picture } from "./ocr.ts";

const LOW_CONFIDENCE = 0.6;

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
  const { paragraphs, confidence, characters } = await reader.read(picture);
  for (const paragraph of paragraphs) out.figure(paragraph);
  out.report("ocr", confidence);
  if (characters === 0) out.warn("No text was recognised in the picture.");
  else if (confidence < LOW_CONFIDENCE) {
    out.warn(
      `The text was recognised with low confidence (${Math.round(confidence * 100)} %); check it against the picture.`,
    );
  }
  progress({ done: 1, total: 1, unit: "page" });
  return { method: "image_analysis" };
}

/** Size and orientation are read from the header: a picture of gigapixels is refused before it is decoded. */
async function toPicture(bytes: Buffer, limits: ExtractLimits): Promise<Picture> {
  const header = sizeOf(bytes);
  const { width, height, orientation = 1 } = header;
  if (width * height > limits.pixels) {
    const megapixels = Math.round((width * height) / 1_000_000);
    throw overLimit(
      `it has ${megapixels} megapixels, the limit is ${Math.round(limits.pixels / 1_000_000)}`,
    );
  }
  if (width < 8 || height < 8) throw corrupt("The picture is too small to hold text.");
  return orientation === 1 ? { bytes, width, height } : turned(bytes, orientation);
}

function sizeOf(bytes: Buffer) {
  try {
    return imageSize(bytes);
  } catch (cause) {
    throw corrupt("The picture is damaged: its header cannot be read.", cause);
  }
}

/** EXIF: 2, 4, 5 and 7 are mirrored; 3 upside down; 5 to 8 lie on a side. */
async function turned(bytes: Buffer, orientation: number): Promise<Picture> {
  const { createCanvas, loadImage } = await import("@napi-rs/canvas");
  const image = await loadImage(bytes).catch((cause: unknown) => {
    throw corrupt("The picture is damaged and cannot be decoded.", cause);
  });
  const { width: across, height: down } = image;
  const onSide = orientation >= 5;
  const canvas = createCanvas(onSide ? down : across, onSide ? across : down);
  const context = canvas.getContext("2d");
  const turns: Readonly<Record<number, readonly [number, number, number, number, number, number]>> =
    {
      2: [-1, 0, 0, 1, across, 0],
      3: [-1, 0, 0, -1, across, down],
      4: [1, 0, 0, -1, 0, down],
      5: [0, 1, 1, 0, 0, 0],
      6: [0, 1, -1, 0, down, 0],
      7: [0, -1, -1, 0, down, across],
      8: [0, -1, 1, 0, 0, across],
    };
  context.setTransform(...(turns[orientation] ?? [1, 0, 0, 1, 0, 0]));
  context.drawImage(image, 0, 0);
  return { bytes: await canvas.encode("png"), width: canvas.width, height: canvas.height };
}
