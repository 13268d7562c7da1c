// Drawings: their text, title and description; where the letters are outlines, the drawing is painted and read.

import { corrupt } from "../limits.ts";
import { declaredCharset, decodeText } from "../plain/charset.ts";
import type { ReadContext, ReadOutcome } from "../reader.ts";
import { openOcr } from "./ocr.ts";
import { svgText } from "./svg-text.ts";

const LONGEST_SIDE = 2_400;

export async function readSvg(context: ReadContext): Promise<ReadOutcome> {
  const { bytes, limits, out, ocr, forceOcr } = context;
  const source = decodeText(bytes, declaredCharset(bytes)).text;
  refuseEntities(source);
  const { title, descriptions, texts } = svgText(source, limits.htmlDepth);
  if (title !== "") out.heading(1, title);
  for (const description of descriptions) out.paragraph(description);
  if (texts.length > 0 && !forceOcr) {
    out.figure(texts.join("\n"));
    out.report("text");
    return { method: "text_extraction", ...(title === "" ? {} : { title }) };
  }
  const picture = await paint(source);
  const reading = await (await openOcr(ocr, context.alive)).read(picture);
  for (const paragraph of reading.paragraphs) out.figure(paragraph);
  out.report("ocr", reading.confidence);
  return { method: "image_analysis", ...(title === "" ? {} : { title }) };
}

/** Entities that refer to files or to each other are attacks; the plain ones of drawing programs are not. */
function refuseEntities(source: string): void {
  const [, ...opened] = source.slice(0, 200_000).split(/<!ENTITY/i);
  const declared = opened.map((entity) => entity.split(">", 1)[0] ?? "");
  if (declared.some((entity) => /\b(?:SYSTEM|PUBLIC)\b/i.test(entity) || /&|%\s/.test(entity))) {
    throw corrupt(
      "The drawing declares XML entities that refer elsewhere, which is not safe to read.",
    );
  }
}

async function paint(source: string) {
  const { createCanvas, loadImage } = await import("@napi-rs/canvas");
  const image = await loadImage(Buffer.from(source)).catch((cause: unknown) => {
    throw corrupt("The drawing has no text and cannot be painted for OCR.", cause);
  });
  const longest = Math.max(image.width, image.height, 1);
  const scale = LONGEST_SIDE / longest;
  const width = Math.max(8, Math.round(image.width * scale));
  const height = Math.max(8, Math.round(image.height * scale));
  const canvas = createCanvas(width, height);
  const context = canvas.getContext("2d");
  context.fillStyle = "white";
  context.fillRect(0, 0, width, height);
  context.drawImage(image, 0, 0, width, height);
  return { bytes: await canvas.encode("png"), width, height };
}
