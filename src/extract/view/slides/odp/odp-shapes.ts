// Shapes of an OpenDocument page: boxes, pictures, tables, lines; unknown shapes are drawn as their box.
import { child, elements, type XmlElement } from "../../../office/xml.ts";
import { type Box, type Canvas, colourValues, type Values } from "../drawing/canvas.ts";
import { drawEmptyFrame, pictureUrl } from "../shapes/picture.ts";
import { drawParagraphs } from "../text/draw-paragraphs.ts";
import type { OdpDeck } from "./odp-deck.ts";
import { anchorOf, colourOf, type Look, lengthOf } from "./odp-styles.ts";
import { drawTable } from "./odp-table.ts";
import { paragraphsIn } from "./odp-text.ts";

export interface OdpDrawing {
  readonly canvas: Canvas;
  readonly deck: OdpDeck;
  /** The shapes belong to a master, whose text boxes are only examples. */
  readonly isMaster: boolean;
}

const DEEPEST = 20;

export async function drawOdpShapes(
  parent: XmlElement,
  drawing: OdpDrawing,
  depth = 0,
): Promise<void> {
  for (const shape of elements(parent)) {
    if (drawing.isMaster && shape.attributes["presentation:class"] !== undefined) continue;
    if (shape.attributes["presentation:placeholder"] === "true") continue;
    if (shape.name === "g" && depth < DEEPEST) await drawOdpShapes(shape, drawing, depth + 1);
    else if (shape.name === "line" || shape.name === "connector") drawLine(shape, drawing);
    else if (BOXES.has(shape.name)) await drawTurned(shape, drawing);
  }
}

const BOXES = new Set(["frame", "custom-shape", "rect", "ellipse", "circle", "path", "polygon"]);

function lookOf({ attributes }: XmlElement, { deck: { styles } }: OdpDrawing): Look {
  const presentation = attributes["presentation:style-name"];
  const look =
    presentation === undefined
      ? styles.look("graphic", attributes["draw:style-name"])
      : styles.look("presentation", presentation);
  const text = styles.look("paragraph", attributes["text-style-name"]);
  return {
    ...look,
    paragraph: { ...look.paragraph, ...text.paragraph },
    text: { ...look.text, ...text.text },
  };
}

function boxOf({ attributes }: XmlElement): Box | undefined {
  const [width, height] = [lengthOf(attributes["svg:width"]), lengthOf(attributes["svg:height"])];
  if (width === undefined || height === undefined) return undefined;
  const [x, y] = [lengthOf(attributes["svg:x"]) ?? 0, lengthOf(attributes["svg:y"]) ?? 0];
  return { x, y, width: Math.max(0, width), height: Math.max(0, height) };
}

/** Parses "rotate (0.5) translate (1cm 2cm)": radians counterclockwise, then the position. */
async function drawTurned(shape: XmlElement, drawing: OdpDrawing): Promise<void> {
  const box = boxOf(shape);
  if (box === undefined) return;
  const said = shape.attributes["draw:transform"] ?? "";
  const [, across, down] = /translate\s*\(\s*(\S+?)[\s,]+(\S+?)\s*\)/.exec(said) ?? [];
  const turned = -Number(/rotate\s*\(\s*(-?[\d.]+)\s*\)/.exec(said)?.[1] ?? 0);
  const [x, y] = [lengthOf(across) ?? 0, lengthOf(down) ?? 0];
  if (x === 0 && y === 0 && !(Math.abs(turned) > 0.001))
    return drawBox(shape, box, drawing, (inside) => inside);
  const moved = `translate(${x} ${y}) rotate(${(turned * 180) / Math.PI})`;
  await drawing.canvas.group({ transform: moved }, () =>
    drawBox(shape, box, drawing, (inside) => {
      const [cos, sin] = [Math.cos(turned), Math.sin(turned)];
      const [middleX, middleY] = [inside.x + inside.width / 2, inside.y + inside.height / 2];
      const at = { x: x + middleX * cos - middleY * sin, y: y + middleX * sin + middleY * cos };
      return { ...inside, x: at.x - inside.width / 2, y: at.y - inside.height / 2 };
    }),
  );
}

async function drawBox(
  shape: XmlElement,
  box: Box,
  drawing: OdpDrawing,
  toSlide: (box: Box) => Box,
): Promise<void> {
  const { canvas, deck } = drawing;
  const look = lookOf(shape, drawing);
  const table = child(shape, "table");
  const picture = child(shape, "image");
  if (table !== undefined) return drawTable(table, { canvas, deck, box, toSlide });
  drawOutline(canvas, shape, { box, look });
  if (picture !== undefined) {
    const data = await pictureUrl(deck.archive.read, picture.attributes["href"]);
    if (data === undefined) drawEmptyFrame(canvas, box);
    else canvas.put("image", { ...box, preserveAspectRatio: "none", href: data });
  }
  const body = child(shape, "text-box") ?? (shape.name === "frame" ? undefined : shape);
  if (body === undefined) return;
  const { styles, number } = deck;
  drawParagraphs(canvas, {
    paragraphs: paragraphsIn(body, { styles, look, number }),
    area: inside(box, look.graphic),
    wraps: look.graphic["wrap-option"] !== "no-wrap",
    anchor: anchorOf(look),
    shrunk: look.graphic["fit-to-size"] === "shrink-to-fit" ? 1 : undefined,
    toSlide,
  });
}

function inside({ x, y, width, height }: Box, properties: Look["graphic"]): Box {
  const padding = (side: string, usual: number) =>
    lengthOf(properties[`padding-${side}`]) ?? lengthOf(properties["padding"]) ?? usual;
  const [left, right] = [padding("left", 7.1), padding("right", 7.1)];
  const [top, bottom] = [padding("top", 3.5), padding("bottom", 3.5)];
  return {
    x: x + left,
    y: y + top,
    width: Math.max(1, width - left - right),
    height: height - top - bottom,
  };
}

function paintOf({ graphic }: Pick<Look, "graphic">): Values {
  const isFilled = graphic["draw:fill"] === "solid" || graphic["draw:fill"] === "gradient";
  const fill = isFilled ? colourOf(graphic["fill-color"], graphic["draw:opacity"]) : undefined;
  const stroke = graphic["draw:stroke"] === "none" ? undefined : colourOf(graphic["stroke-color"]);
  const hasLine = graphic["draw:stroke"] !== undefined && stroke !== undefined;
  return {
    ...(fill ? colourValues("fill", fill) : { fill: "none" }),
    ...(hasLine && colourValues("stroke", stroke)),
    ...(hasLine && { "stroke-width": Math.max(0.5, lengthOf(graphic["stroke-width"]) ?? 0.5) }),
  };
}

function drawOutline(
  canvas: Canvas,
  shape: XmlElement,
  { box, look }: { readonly box: Box; readonly look: Look },
): void {
  const paint = paintOf(look);
  if (paint["fill"] === "none" && paint["stroke"] === undefined) return;
  const type = child(shape, "enhanced-geometry")?.attributes["draw:type"] ?? shape.name;
  const { x, y, width, height } = box;
  if (/ellipse|circle/i.test(type)) {
    const [rx, ry] = [width / 2, height / 2];
    canvas.put("ellipse", { cx: x + rx, cy: y + ry, rx, ry, ...paint });
  } else {
    const corner = /round/i.test(type) ? Math.min(width, height) / 6 : undefined;
    canvas.put("rect", { ...box, rx: corner, ...paint });
  }
}

function drawLine(shape: XmlElement, drawing: OdpDrawing): void {
  const ends = ["svg:x1", "svg:y1", "svg:x2", "svg:y2"].map((name) =>
    lengthOf(shape.attributes[name]),
  );
  const [x1, y1, x2, y2] = ends;
  if (ends.includes(undefined)) return;
  const { graphic } = lookOf(shape, drawing);
  if (graphic["draw:stroke"] === "none") return;
  const colour = colourOf(graphic["stroke-color"]) ?? { rgb: "#000000", alpha: 1 };
  const width = Math.max(0.5, lengthOf(graphic["stroke-width"]) ?? 0.5);
  drawing.canvas.put("line", {
    x1,
    y1,
    x2,
    y2,
    ...colourValues("stroke", colour),
    "stroke-width": width,
  });
}
