// The shapes of a slide, one after the other: surfaces with text, pictures, tables, charts, diagrams and groups.
import { overLimit } from "../../failures.ts";
import { targetOf } from "../../office/office.ts";
import { child, descendants, elements, type XmlElement } from "../../office/xml.ts";
import type { Canvas, Outline, Picture } from "./canvas.ts";
import { drawChart } from "./chart.ts";
import {
  type Deck,
  type Frame,
  frameIn,
  inheritedShapes,
  placeholderOf,
  type Sheet,
} from "./deck.ts";
import { combined, type Matrix, moved, scaled, turned } from "./matrix.ts";
import { isLine, outlineOf, pointIn } from "./outline.ts";
import { fillIn, firstDefined, lineOf, styleColour } from "./paint.ts";
import { EMPTY_FRAME, pictureUrl } from "./picture.ts";
import { drawShapeTable } from "./shape-table.ts";
import { textIn } from "./shape-text.ts";

export interface Drawing {
  readonly canvas: Canvas;
  readonly deck: Deck;
  readonly sheet: Sheet;
  /** From the group's coordinates to the slide's. */
  readonly matrix: Matrix;
}

const MAX_DEPTH = 20;
const MAX_STEPS = 5_000;

type Draw = (shape: XmlElement, drawing: Drawing, depth: number) => Promise<void>;

const DRAWN = new Map(
  Object.entries<Draw>({
    sp: drawSurface,
    cxnSp: drawSurface,
    pic: drawPicture,
    graphicFrame: drawFrame,
    grpSp: drawGroup,
    AlternateContent: drawAlternative,
  }),
);

/**
 * Draws shapes in the file's order. With `isExample`, placeholders are skipped, because a layout's
 * are only examples.
 */
export async function drawShapes(
  tree: XmlElement | undefined,
  drawing: Drawing,
  { isExample = false, depth = 0 } = {},
): Promise<void> {
  if (depth > MAX_DEPTH) throw overLimit("its shapes are grouped too deeply");
  for (const shape of elements(tree)) {
    if (isExample && placeholderOf(shape) !== undefined) continue;
    await DRAWN.get(shape.name)?.(shape, drawing, depth);
  }
}

async function drawAlternative(shape: XmlElement, drawing: Drawing, depth: number) {
  const fallback = child(shape, "Fallback");
  const side = elements(fallback).length > 0 ? fallback : child(shape, "Choice");
  await drawShapes(side, drawing, { depth: depth + 1 });
}

async function drawGroup(shape: XmlElement, drawing: Drawing, depth: number): Promise<void> {
  const transform = child(shape, "grpSpPr", "xfrm");
  const outer = frameIn(transform);
  const inner = frameIn(transform, ["chOff", "chExt"]);
  const matrix =
    outer === undefined || inner === undefined
      ? drawing.matrix
      : combined(
          turnedBy(outer, drawing.matrix),
          moved(outer.x, outer.y),
          scaled(outer.width / inner.width || 1, outer.height / inner.height || 1),
          moved(-inner.x, -inner.y),
        );
  await drawShapes(shape, { ...drawing, matrix }, { depth: depth + 1 });
}

function turnedBy({ x, y, width, height, angle }: Frame, matrix: Matrix): Matrix {
  return angle === 0 ? matrix : combined(matrix, turned(angle, x + width / 2, y + height / 2));
}

function frameOf(shapes: readonly XmlElement[]): Frame | undefined {
  return firstDefined(shapes, (each) =>
    frameIn(child(each, "spPr", "xfrm") ?? child(each, "xfrm")),
  );
}

async function drawSurface(shape: XmlElement, drawing: Drawing): Promise<void> {
  const { canvas, deck } = drawing;
  const { colours } = deck;
  const above = inheritedShapes(shape, deck);
  const box = frameOf([shape, ...above]);
  if (box === undefined) return;
  const byStyle = styleColour(shape, "fillRef", colours);
  const fill =
    fillIn(child(shape, "spPr"), colours) ??
    (byStyle && { colour: byStyle }) ??
    firstDefined(above, (each) => fillIn(child(each, "spPr"), colours));
  const preset = child(shape, "spPr", "prstGeom")?.attributes["prst"] ?? "rect";
  canvas.draw({
    box,
    matrix: turnedBy(box, drawing.matrix),
    outline: shapeOutline(shape, box, preset),
    fill: isLine(preset) ? undefined : fill?.colour,
    line: lineOf(shape, colours),
    picture: await pictureFill(fill?.picture, drawing),
    text: textIn(shape, deck, box),
  });
}

function shapeOutline(shape: XmlElement, box: Frame, preset: string): Outline {
  const custom = child(shape, "spPr", "custGeom");
  if (custom !== undefined) return ["path", { d: customPath(custom, box) }];
  const guide = descendants(child(shape, "spPr", "prstGeom"), "gd")[0]?.attributes["fmla"] ?? "";
  const given = Number(/^val (\d+)$/.exec(guide)?.[1] ?? 16_667) / 100_000;
  const corner = preset === "flowChartTerminator" ? 0.5 : given;
  return outlineOf(preset, { box, corner, flipped: box.flipped });
}

const LETTERS = new Map(
  Object.entries({ moveTo: "M", lnTo: "L", cubicBezTo: "C", quadBezTo: "Q", close: "z" }),
);

/** A path drawn by hand. Arcs and computed points are left out. */
function customPath(custom: XmlElement, box: Frame): string {
  const at = pointIn({ box, flipped: box.flipped });
  const steps = descendants(custom, "path").flatMap((path) => {
    const width = Number(path.attributes["w"]) || box.width || 1;
    const height = Number(path.attributes["h"]) || box.height || 1;
    return elements(path).map((step) => {
      const points = elements(step).map(({ attributes: { x, y } }) =>
        at((Number(x) || 0) / width, (Number(y) || 0) / height),
      );
      const isDrawn = points.length > 0 || step.name === "close";
      return isDrawn ? `${LETTERS.get(step.name) ?? "M"}${points.join(" ")}` : "";
    });
  });
  return steps.slice(0, MAX_STEPS).join("");
}

export async function pictureFill(
  id: string | undefined,
  { deck, sheet }: Pick<Drawing, "deck" | "sheet">,
): Promise<Picture | undefined> {
  const href = await pictureUrl(deck.office.part, sheet.relations.get(id ?? "")?.target);
  return href === undefined ? undefined : { href, covers: true };
}

async function drawPicture(shape: XmlElement, drawing: Drawing): Promise<void> {
  const box = frameOf([shape, ...inheritedShapes(shape, drawing.deck)]);
  if (box === undefined) return;
  const fill = child(shape, "blipFill");
  const whole = await pictureFill(child(fill, "blip")?.attributes["r:embed"], drawing);
  const matrix = turnedBy(box, drawing.matrix);
  if (whole === undefined) drawing.canvas.draw({ box, matrix, ...EMPTY_FRAME });
  else drawing.canvas.draw({ box, matrix, picture: { href: whole.href, ...cropOf(fill) } });
}

function cropOf(fill: XmlElement | undefined): Pick<Picture, "part"> {
  const cut = child(fill, "srcRect")?.attributes ?? {};
  const [left = 0, top = 0, right = 0, bottom = 0] = ["l", "t", "r", "b"].map((side) => {
    const share = Number(cut[side] ?? 0) / 100_000;
    return share > 0 && share < 0.95 ? share : 0;
  });
  if (left + top + right + bottom === 0) return {};
  const [width, height] = [Math.max(0.05, 1 - left - right), Math.max(0.05, 1 - top - bottom)];
  return { part: { x: left, y: top, width, height } };
}

async function drawFrame(shape: XmlElement, drawing: Drawing, depth: number): Promise<void> {
  const { canvas, deck, sheet, matrix } = drawing;
  const box = frameOf([shape, ...inheritedShapes(shape, deck)]);
  if (box === undefined) return;
  const table = descendants(shape, "tbl")[0];
  if (table !== undefined) return drawShapeTable(canvas, table, { deck, box, matrix });
  const id = descendants(shape, "chart")[0]?.attributes["r:id"] ?? "";
  const chart = await deck.office.tree(sheet.relations.get(id)?.target ?? "");
  if (chart !== undefined) return drawChart(canvas, chart, { deck, box, matrix });
  if (descendants(shape, "relIds").length > 0) await drawDiagram(box, drawing, depth);
}

/** A diagram contains its last drawing. If a slide has several diagrams, the first drawing is used. */
async function drawDiagram(frame: Frame, drawing: Drawing, depth: number): Promise<void> {
  const { office } = drawing.deck;
  const part = targetOf(drawing.sheet.relations, "diagramDrawing") ?? "";
  const root = await office.tree(part);
  if (root === undefined) return;
  const sheet = { root, relations: await office.relations(part) };
  const matrix = combined(drawing.matrix, moved(frame.x, frame.y));
  await drawShapes(child(root, "spTree"), { ...drawing, sheet, matrix }, { depth: depth + 1 });
}
