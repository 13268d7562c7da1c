// A slide of OpenDocument as a picture: boxes, pictures, tables and lines; unknown shapes are drawn as their box.

import type { Box } from "../../../box.ts";
import type { ExtractLimits } from "../../../limits.ts";
import {
  colourOf,
  type Look,
  lengthOf,
  openStyles,
  type Styles,
} from "../../../office/odf/styles.ts";
import {
  child,
  descendants,
  eachElement,
  elements,
  textOf,
  type XmlElement,
} from "../../../office/xml.ts";
import { type Archive, openArchive } from "../../../office/zip.ts";
import {
  type Canvas,
  type Line,
  openCanvas,
  type Slide,
  type SlideSize,
  usableSize,
} from "../canvas.ts";
import { combined, inset, type Matrix, moved, turned } from "../matrix.ts";
import { outlineOf } from "../outline.ts";
import { EMPTY_FRAME, pictureUrl } from "../picture.ts";
import type { TextBox } from "../text.ts";
import { drawOdpTable } from "./table.ts";
import { anchorOf, paragraphsIn } from "./text.ts";

interface OdpDrawing {
  readonly canvas: Canvas;
  readonly archive: Archive;
  readonly styles: Styles;
  readonly number: number;
}

const MAX_DEPTH = 20;

/** Undefined if the slide does not exist. */
export async function drawOdpSlide(
  bytes: Buffer,
  number: number,
  limits: ExtractLimits,
): Promise<Slide | undefined> {
  const archive = await openArchive(bytes, limits);
  const all: XmlElement[] = [];
  const pages: XmlElement[] = [];
  for (const part of ["styles.xml", "content.xml"]) {
    const xml = (await archive.read(part)) ?? NOTHING;
    eachElement(xml, limits.xmlDepth, COLLECTED, (element) => {
      if (element.name === "page") pages.push(element);
      else for (const style of elements(element)) all.push(style);
    });
  }
  const page = pages[number - 1];
  if (page === undefined) return undefined;
  const styles = openStyles(all);
  const master = styles.named("master-page", page.attributes["master-page-name"]);
  const size = sizeOf(styles.named("page-layout", master?.attributes["page-layout-name"]));
  const drawing = { canvas: openCanvas(size), archive, styles, number };
  const look = styles.look("drawing-page", page.attributes["draw:style-name"]);
  drawing.canvas.draw({ box: { x: 0, y: 0, ...size }, fill: { rgb: "#ffffff", alpha: 1 } });
  if (look["background-visible"] !== "false") await drawBackground(master, size, drawing);
  await drawBackground(page, size, drawing);
  if (look["background-objects-visible"] !== "false")
    await drawShapes(master, drawing, { isMaster: true });
  await drawShapes(page, drawing, { isMaster: false });
  return drawing.canvas.finish(descendants(page, "p").some((text) => textOf(text).trim() !== ""));
}

const NOTHING = Buffer.from("<nothing/>");
const COLLECTED = new Set(["styles", "automatic-styles", "master-styles", "page"]);

function sizeOf(layout: XmlElement | undefined): SlideSize {
  const properties = elements(layout)[0]?.attributes;
  return usableSize(lengthOf(properties?.["page-width"]), lengthOf(properties?.["page-height"]));
}

async function drawBackground(
  sheet: XmlElement | undefined,
  size: SlideSize,
  { canvas, archive, styles }: OdpDrawing,
): Promise<void> {
  const look = styles.look("drawing-page", sheet?.attributes["draw:style-name"]);
  const box = { x: 0, y: 0, ...size };
  if (look["draw:fill"] !== "bitmap") return canvas.draw({ box, fill: fillOf(look) });
  const image = styles.named("fill-image", look["fill-image-name"]);
  const href = await pictureUrl(archive.read, image?.attributes["href"]);
  if (href !== undefined) canvas.draw({ box, picture: { href, covers: true } });
}

function fillOf(look: Look) {
  const isFilled = look["draw:fill"] === "solid" || look["draw:fill"] === "gradient";
  return isFilled ? colourOf(look["fill-color"], look["draw:opacity"]) : undefined;
}

function lineOf(look: Look, usual?: string): Line | undefined {
  const colour = colourOf(look["stroke-color"] ?? usual);
  if (colour === undefined || (look["draw:stroke"] ?? usual ?? "none") === "none") return undefined;
  return { colour, width: Math.max(0.5, lengthOf(look["stroke-width"]) ?? 0.5) };
}

const BOXES = new Set(["frame", "custom-shape", "rect", "ellipse", "circle", "path", "polygon"]);

/** The text boxes of a master are only examples. */
async function drawShapes(
  parent: XmlElement | undefined,
  drawing: OdpDrawing,
  { isMaster, depth = 0 }: { readonly isMaster: boolean; readonly depth?: number },
): Promise<void> {
  for (const shape of elements(parent)) {
    const { attributes, name } = shape;
    if (isMaster && attributes["presentation:class"] !== undefined) continue;
    if (attributes["presentation:placeholder"] === "true") continue;
    if (name === "g" && depth < MAX_DEPTH)
      await drawShapes(shape, drawing, { isMaster, depth: depth + 1 });
    else if (name === "line" || name === "connector") drawLine(shape, drawing);
    else if (BOXES.has(name)) await drawBox(shape, drawing);
  }
}

function surfaceLook({ attributes }: XmlElement, { styles }: OdpDrawing): Look {
  const presentation = attributes["presentation:style-name"];
  return presentation === undefined
    ? styles.look("graphic", attributes["draw:style-name"])
    : styles.look("presentation", presentation);
}

function drawLine(shape: XmlElement, drawing: OdpDrawing): void {
  const ends = ["svg:x1", "svg:y1", "svg:x2", "svg:y2"].map((name) =>
    lengthOf(shape.attributes[name]),
  );
  const [x1, y1, x2, y2] = ends;
  if (ends.includes(undefined)) return;
  const line = lineOf(surfaceLook(shape, drawing), "#000000");
  drawing.canvas.draw({ box: NO_BOX, outline: ["line", { x1, y1, x2, y2 }], line });
}

const NO_BOX: Box = { x: 0, y: 0, width: 0, height: 0 };

async function drawBox(shape: XmlElement, drawing: OdpDrawing): Promise<void> {
  const { attributes } = shape;
  const [width, height] = [lengthOf(attributes["svg:width"]), lengthOf(attributes["svg:height"])];
  if (width === undefined || height === undefined) return;
  const [x, y] = [lengthOf(attributes["svg:x"]) ?? 0, lengthOf(attributes["svg:y"]) ?? 0];
  const box = { x, y, width: Math.max(0, width), height: Math.max(0, height) };
  const matrix = matrixOf(attributes["draw:transform"]);
  const table = child(shape, "table");
  if (table !== undefined) return drawOdpTable(table, { ...drawing, box, matrix });
  const look = surfaceLook(shape, drawing);
  const type = child(shape, "enhanced-geometry")?.attributes["draw:type"] ?? shape.name;
  // "right-arrow" → "rightArrow"
  const name = type.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
  const image = child(shape, "image");
  const href = await pictureUrl(drawing.archive.read, image?.attributes["href"]);
  drawing.canvas.draw({
    box,
    matrix,
    outline: outlineOf(name, { box }),
    fill: fillOf(look),
    line: lineOf(look),
    picture: href === undefined ? undefined : { href },
    text: textIn(shape, look, { drawing, box }),
    ...(image !== undefined && href === undefined && EMPTY_FRAME),
  });
}

/** Parses "rotate (0.5) translate (1cm 2cm)": radians counterclockwise, then the position. */
function matrixOf(transform = ""): Matrix {
  const [, across, down] = /translate\s*\(\s*(\S+?)[\s,]+(\S+?)\s*\)/.exec(transform) ?? [];
  const angle = -(Number(/rotate\s*\(\s*(-?[\d.]+)\s*\)/.exec(transform)?.[1]) || 0);
  return combined(moved(lengthOf(across) ?? 0, lengthOf(down) ?? 0), turned(angle));
}

function textIn(
  shape: XmlElement,
  look: Look,
  { drawing, box }: { readonly drawing: OdpDrawing; readonly box: Box },
): TextBox | undefined {
  const body = child(shape, "text-box") ?? (shape.name === "frame" ? undefined : shape);
  if (body === undefined) return undefined;
  const { styles, number } = drawing;
  const textLook = styles.look("paragraph", shape.attributes["text-style-name"]);
  const outline = shape.attributes["presentation:style-name"];
  return {
    paragraphs: paragraphsIn(body, { styles, look: { ...look, ...textLook }, outline, number }),
    area: inset(box, [
      padding(look, "left", 7.1),
      padding(look, "top", 3.5),
      padding(look, "right", 7.1),
      padding(look, "bottom", 3.5),
    ]),
    wraps: look["wrap-option"] !== "no-wrap",
    anchor: anchorOf(look),
    shrunk: look["fit-to-size"] === "shrink-to-fit" ? 1 : undefined,
  };
}

function padding(look: Look, side: string, usual: number): number {
  return lengthOf(look[`padding-${side}`]) ?? lengthOf(look["padding"]) ?? usual;
}
