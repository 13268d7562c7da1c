// Drawings: their text, title and description; if the letters are outlines, the drawing is rendered and read by OCR.

import { corrupt } from "../failures.ts";
import { isEnough } from "../hidden/hidden.ts";
import { declaredCharset, decodeText } from "../plain/charset.ts";
import type { ReadContext, ReadOutcome } from "../reader.ts";
import { toPicture } from "./image.ts";
import { openOcr, type Picture, writeOcrPieces } from "./ocr/ocr.ts";
import { paintPage } from "./paint/pdf-page.ts";
import { svgPage } from "./paint/svg-page.ts";
import { svgText } from "./svg-text.ts";

export async function readSvg(context: ReadContext): Promise<ReadOutcome> {
  const { bytes, limits, out, forceOcr } = context;
  const source = decodeText(bytes, declaredCharset(bytes)).text;
  refuseEntities(source);
  const { title, descriptions, texts, unseen } = svgText(source, limits.htmlDepth);
  for (const { kind, text } of unseen) if (isEnough(text)) out.hide(kind, text);
  if (title !== "") out.heading(1, title);
  for (const description of descriptions) out.paragraph(description);
  if (texts.length > 0) out.figure(texts.join("\n"));
  const method = texts.length > 0 && !forceOcr ? "text_extraction" : "image_analysis";
  if (method === "text_extraction") out.report("text");
  else await readPixels(source, context);
  return { method, ...(title === "" ? {} : { title }) };
}

/** Text drawn as paths, and embedded photographs and scans, need OCR. */
async function readPixels(source: string, { out, ocr, limits, alive }: ReadContext): Promise<void> {
  const pictures = [...(await paint(source)), ...(await embeddedPictures(source, limits))];
  if (pictures.length === 0) return out.report("ocr", 0);
  const reader = await openOcr(ocr, alive);
  const confidences: number[] = [];
  for (const picture of pictures) {
    const reading = await reader.read(picture);
    writeOcrPieces(out, reading, "figure");
    if (reading.pieces.length > 0) confidences.push(reading.confidence);
  }
  out.report("ocr", confidences.length === 0 ? 0 : Math.min(...confidences));
}

const EMBEDDED = /data:image\/(?:png|jpe?g);base64,([A-Za-z0-9+/=\s]+)/g;
// A drawing with more embedded pictures is a sheet of icons.
const MAX_EMBEDDED = 20;

async function embeddedPictures(source: string, limits: ReadContext["limits"]): Promise<Picture[]> {
  const found = [...source.matchAll(EMBEDDED)].slice(0, MAX_EMBEDDED);
  // One that cannot be decoded has no text to add; the drawing has other parts.
  const read = found.map(([, data = ""]) =>
    toPicture(Buffer.from(data, "base64"), limits).catch(() => undefined),
  );
  return (await Promise.all(read)).filter((picture) => picture !== undefined);
}

/**
 * Entities that refer to files or to each other are attacks; the simple ones that drawing programs
 * write are not.
 */
function refuseEntities(source: string): void {
  const [, ...opened] = source.slice(0, 200_000).split(/<!ENTITY/i);
  const declared = opened.map((entity) => entity.split(">", 1)[0] ?? "");
  if (declared.some((entity) => /\b(?:SYSTEM|PUBLIC)\b/i.test(entity) || /&|%\s/.test(entity))) {
    throw corrupt("The drawing declares external XML entities, which are not safe to read.");
  }
}

/** OCR takes longest on a blank sheet, so a drawing without shapes is not rendered. */
async function paint(source: string): Promise<readonly Picture[]> {
  const page = svgPage(source);
  if (page?.isBlank) return [];
  const picture = page && (await paintPage(page).catch(cannotPaint));
  return [picture ?? cannotPaint()];
}

function cannotPaint(cause?: unknown): never {
  throw corrupt("The drawing has no text and cannot be rendered for OCR.", cause);
}
