// Drawings: their text, title and description; where the letters are outlines, the drawing is painted and read.
import { Parser } from "htmlparser2";
import { declaredCharset, decodeText } from "./charset.ts";
import { oneLine } from "./clean.ts";
import { hiddenRules, isZeroSized } from "./html-style.ts";
import { corrupt, overLimit } from "./limits.ts";
import { openOcr } from "./ocr.ts";
import type { ReadContext, ReadOutcome } from "./reader.ts";

const UNSEEN = new Set([
  "script",
  "style",
  "defs",
  "metadata",
  "clippath",
  "mask",
  "filter",
  "symbol",
]);
const BREAKS = new Set([
  "div",
  "p",
  "br",
  "li",
  "tr",
  "h1",
  "h2",
  "h3",
  "h4",
  "foreignobject",
  "text",
]);
const LONGEST_SIDE = 2_400;

export async function readSvg(context: ReadContext): Promise<ReadOutcome> {
  const { bytes, limits, out, ocr, forceOcr } = context;
  const source = decodeText(bytes, declaredCharset(bytes)).text;
  refuseEntities(source);
  const { title, descriptions, texts } = parseSvg(source, limits.htmlDepth);
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
  const declared = source.slice(0, 200_000).match(/<!ENTITY[^>]*>/gi) ?? [];
  if (
    declared.some(
      (entity) => /\b(?:SYSTEM|PUBLIC)\b/i.test(entity) || /&|%\s/.test(entity.slice(8)),
    )
  ) {
    throw corrupt(
      "The drawing declares XML entities that refer elsewhere, which is not safe to read.",
    );
  }
}

interface SvgText {
  readonly title: string;
  readonly descriptions: readonly string[];
  readonly texts: readonly string[];
}

interface Open {
  readonly name: string;
  readonly hidden: boolean;
  /** Inside <switch> once its foreignObject was read: what follows is the same text, cut short. */
  readonly fallback: boolean;
  readonly zeroSized: boolean;
  readRich: boolean;
}

function parseSvg(source: string, maxDepth: number): SvgText {
  const rules = hiddenRules(
    [...source.matchAll(/<style[^>]*>([\s\S]*?)<\/style>/gi)].map((found) => found[1] ?? ""),
  );
  const stack: Open[] = [];
  const texts: string[] = [];
  const titles: string[] = [];
  const descriptions: string[] = [];
  let line = "";
  const flush = (into: string[]) => {
    const text = oneLine(line);
    line = "";
    if (text !== "" && into.at(-1) !== text) into.push(text);
  };
  const inside = (name: string) => stack.some((open) => open.name === name);
  const parser = new Parser(
    {
      onopentag(tag, attributes) {
        if (stack.length >= maxDepth)
          throw overLimit(`its elements are nested more than ${maxDepth} deep`);
        const name = local(tag);
        const above = stack.at(-1);
        const fallback =
          above !== undefined && (above.fallback || (above.name === "switch" && above.readRich));
        const hides =
          UNSEEN.has(name) ||
          rules.hides(name, attributes) ||
          attributes["display"] === "none" ||
          attributes["visibility"] === "hidden";
        stack.push({
          name,
          hidden: (above?.hidden ?? false) || hides,
          fallback,
          zeroSized: isZeroSized(attributes, above?.zeroSized ?? false),
          readRich: false,
        });
        if (BREAKS.has(name)) flush(texts);
        if (name === "title" || name === "desc") line = "";
        // Lines of one label are tspans with a new vertical position.
        if (
          name === "tspan" &&
          (attributes["y"] !== undefined || attributes["dy"] !== undefined) &&
          line.trim() !== ""
        )
          line += " ";
      },
      ontext(text) {
        const open = stack.at(-1);
        if (open === undefined || open.hidden || open.fallback || open.zeroSized) return;
        if (
          inside("text") ||
          inside("foreignobject") ||
          open.name === "title" ||
          open.name === "desc"
        )
          line += text;
      },
      onclosetag() {
        const open = stack.pop();
        const above = stack.at(-1);
        if (open === undefined) return;
        if (open.name === "title") flush(stack.length <= 1 ? titles : texts);
        else if (open.name === "desc") flush(descriptions);
        else if (BREAKS.has(open.name)) flush(texts);
        if (open.name === "foreignobject" && above?.name === "switch") above.readRich = true;
      },
    },
    { xmlMode: true, decodeEntities: true },
  );
  parser.end(source);
  return { title: titles[0] ?? "", descriptions: usable(descriptions), texts: usable(texts) };
}

/** Notices that drawing programs leave for viewers without rich text. */
function usable(texts: readonly string[]): readonly string[] {
  return texts.filter(
    (text) =>
      !/^(?:text is not svg|viewer does not support|created with \w+|produced by omnigraffle)/i.test(
        text,
      ),
  );
}

function local(name: string): string {
  return name.slice(name.indexOf(":") + 1).toLowerCase();
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
