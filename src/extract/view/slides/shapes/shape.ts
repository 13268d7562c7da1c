// One shape of a slide, or a group of them: its surface, its text, its picture, table, chart or diagram.

import { overLimit } from "../../../limits.ts";
import { child, descendants, elements, type XmlElement } from "../../../office/xml.ts";
import {
  type Deck,
  type Frame,
  frameIn,
  inheritedShapes,
  placeholderOf,
  type Sheet,
} from "../deck.ts";
import { type Box, type Canvas, short, strokeValues, type Values } from "../drawing/canvas.ts";
import { fillIn, fillOf, type Line, lineOf, NONE } from "../drawing/fill.ts";
import { stylesOf } from "../text/styles.ts";
import { drawText } from "../text/text.ts";
import { drawChart } from "./chart.ts";
import { outlineOf } from "./outlines.ts";
import { drawPicture, drawPictureFill } from "./picture.ts";
import { drawTable } from "./table.ts";

export interface Drawing {
  readonly canvas: Canvas;
  readonly deck: Deck;
  readonly sheet: Sheet;
  /** Converts the group's coordinates to the slide's. */
  readonly toSlide: (box: Box) => Box;
}

const DEEPEST = 20;
// The slide's own dates and numbers are drawn; a layout's are only examples.
type Draw = (shape: XmlElement, drawing: Drawing, depth: number) => Promise<void>;

const DRAWN = new Map(
  Object.entries<Draw>({
    sp: drawSurface,
    cxnSp: drawSurface,
    pic: drawPictureShape,
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
  if (depth > DEEPEST) throw overLimit("its shapes are grouped too deeply");
  for (const shape of tree === undefined ? [] : elements(tree)) {
    if (isExample && placeholderOf(shape) !== undefined) continue;
    await DRAWN.get(shape.name)?.(shape, drawing, depth);
  }
}

async function drawAlternative(shape: XmlElement, drawing: Drawing, depth: number) {
  const fallback = child(shape, "Fallback");
  const hasMore = fallback !== undefined && elements(fallback).length > 0;
  await drawShapes(hasMore ? fallback : child(shape, "Choice"), drawing, { depth: depth + 1 });
}

function frameOf(shape: XmlElement, deck: Deck): Frame | undefined {
  const all = [shape, ...inheritedShapes(shape, deck)];
  return all
    .map((each) => frameIn(child(each, "spPr", "xfrm") ?? child(each, "xfrm")))
    .find((frame) => frame !== undefined);
}

async function drawGroup(shape: XmlElement, drawing: Drawing, depth: number): Promise<void> {
  const transform = child(shape, "grpSpPr", "xfrm");
  const frame = frameIn(transform);
  const inner = frameIn(
    transform && {
      ...transform,
      children: elements(transform)
        .map(asOuterFrame)
        .filter((each) => each !== undefined),
    },
  );
  if (frame === undefined || inner === undefined)
    return drawShapes(shape, drawing, { depth: depth + 1 });
  const across = inner.width > 0 ? frame.width / inner.width : 1;
  const down = inner.height > 0 ? frame.height / inner.height : 1;
  const move = `translate(${short(frame.x)} ${short(frame.y)}) scale(${across.toFixed(5)} ${down.toFixed(5)}) translate(${short(-inner.x)} ${short(-inner.y)})`;
  const toSlide = (box: Box): Box =>
    drawing.toSlide({
      x: frame.x + (box.x - inner.x) * across,
      y: frame.y + (box.y - inner.y) * down,
      width: box.width * across,
      height: box.height * down,
    });
  await drawing.canvas.group({ transform: `${turnOf(frame)}${move}` }, () =>
    drawShapes(shape, { ...drawing, toSlide }, { depth: depth + 1 }),
  );
}

/** Renames the group's inner frame so that it can be read like an outer one. */
function asOuterFrame(element: XmlElement): XmlElement | undefined {
  if (element.name === "chOff") return { ...element, name: "off" };
  return element.name === "chExt" ? { ...element, name: "ext" } : undefined;
}

function turnOf({ x, y, width, height, turned }: Frame): string {
  if (turned === 0) return "";
  return `rotate(${short(turned)} ${short(x + width / 2)} ${short(y + height / 2)}) `;
}

function turnedValues(frame: Frame): Values {
  const turn = turnOf(frame);
  return turn === "" ? {} : { transform: turn.trim() };
}

async function drawSurface(shape: XmlElement, drawing: Drawing): Promise<void> {
  const { canvas, deck, sheet } = drawing;
  const frame = frameOf(shape, deck);
  if (frame === undefined) return;
  const above = inheritedShapes(shape, deck);
  const properties = child(shape, "spPr");
  const inherited = above.map((each) => fillIn(child(each, "spPr"), deck.colours));
  const own = fillOf(shape, deck.colours);
  const fill =
    own.kind === "none" && fillIn(properties, deck.colours) === undefined
      ? (inherited.find((each) => each !== undefined) ?? NONE)
      : own;
  const line = lineOf(shape, child(properties, "ln"), deck.colours);
  await canvas.group(turnedValues(frame), async () => {
    if (fill.kind === "picture")
      await drawPictureFill(canvas, fill.id, { deck, sheet, box: frame });
    const { path, isLine } = outlineOf(properties, frame);
    const flip = flipOf(frame);
    if (fill.kind !== "none" || line !== undefined) {
      const values = isLine ? { fill: "none" } : canvas.filled(fill);
      canvas.put("path", { d: path, ...values, ...strokeValues(line), ...flip });
    }
    if (isLine && line !== undefined) drawArrows(canvas, frame, { line, flip });
    drawOwnText(shape, frame, drawing);
  });
}

function flipOf({ x, y, width, height, flipped }: Frame): Values {
  if (!flipped.across && !flipped.down) return {};
  const [cx, cy] = [x + width / 2, y + height / 2];
  const scale = `scale(${flipped.across ? -1 : 1} ${flipped.down ? -1 : 1})`;
  return {
    transform: `translate(${short(cx)} ${short(cy)}) ${scale} translate(${short(-cx)} ${short(-cy)})`,
  };
}

function drawArrows(
  canvas: Canvas,
  { x, y, width, height }: Frame,
  { line, flip }: { readonly line: Line; readonly flip: Values },
): void {
  const angle = (Math.atan2(height, width) * 180) / Math.PI;
  const side = 3 + line.width * 2;
  const put = (cx: number, cy: number, turn: number) =>
    canvas.group(flip, async () =>
      canvas.put("path", {
        d: `M0 0L${short(-side)} ${short(side / 2)}L${short(-side)} ${short(-side / 2)}z`,
        fill: line.colour.rgb,
        transform: `translate(${short(cx)} ${short(cy)}) rotate(${short(turn)})`,
      }),
    );
  if (line.arrows.end) void put(x + width, y + height, angle);
  if (line.arrows.start) void put(x, y, angle + 180);
}

function drawOwnText(shape: XmlElement, frame: Frame, { canvas, deck, toSlide }: Drawing): void {
  const body = child(shape, "txBody");
  if (body === undefined) return;
  const properties = [shape, ...inheritedShapes(shape, deck)].flatMap(
    (each) => child(each, "txBody", "bodyPr") ?? [],
  );
  drawText(canvas, {
    body,
    properties,
    styles: stylesOf(shape, deck, { size: 18 }),
    box: frame,
    number: deck.number,
    toSlide: (box) => toSlide(turnedBox(box, frame)),
  });
}

/** The upright box around a rotated one. */
function turnedBox(box: Box, frame: Frame): Box {
  if (frame.turned === 0) return box;
  const angle = (frame.turned * Math.PI) / 180;
  const [cx, cy] = [frame.x + frame.width / 2, frame.y + frame.height / 2];
  const corners = [0, 1].flatMap((across) =>
    [0, 1].map((down) => {
      const [dx, dy] = [box.x + across * box.width - cx, box.y + down * box.height - cy];
      return [
        cx + dx * Math.cos(angle) - dy * Math.sin(angle),
        cy + dx * Math.sin(angle) + dy * Math.cos(angle),
      ] as const;
    }),
  );
  const [xs, ys] = [corners.map(([x]) => x), corners.map(([, y]) => y)];
  const [x, y] = [Math.min(...xs), Math.min(...ys)];
  return { x, y, width: Math.max(...xs) - x, height: Math.max(...ys) - y };
}

async function drawPictureShape(shape: XmlElement, drawing: Drawing): Promise<void> {
  const { canvas, deck, sheet } = drawing;
  const frame = frameOf(shape, deck);
  if (frame === undefined) return;
  await canvas.group(turnedValues(frame), () =>
    drawPicture(canvas, child(shape, "blipFill"), { deck, sheet, box: frame }),
  );
}

async function drawFrame(shape: XmlElement, drawing: Drawing, depth: number): Promise<void> {
  const { canvas, deck, sheet } = drawing;
  const frame = frameOf(shape, deck);
  if (frame === undefined) return;
  const table = descendants(shape, "tbl")[0];
  if (table !== undefined) return drawTable(canvas, table, deck, frame);
  const chart = descendants(shape, "chart")[0]?.attributes["r:id"];
  const target = chart === undefined ? undefined : sheet.relations.get(chart)?.target;
  const root = target === undefined ? undefined : await deck.office.tree(target);
  if (root !== undefined) return drawChart(canvas, root, deck, frame);
  if (descendants(shape, "relIds").length > 0) await drawDiagram(frame, drawing, depth);
}

/** A diagram contains its last drawing. If a slide has several diagrams, the first drawing is used. */
async function drawDiagram(frame: Frame, drawing: Drawing, depth: number): Promise<void> {
  const { deck, sheet, canvas, toSlide } = drawing;
  const related = [...sheet.relations.values()].find(({ type }) => type === "diagramDrawing");
  const root = related && (await deck.office.tree(related.target));
  if (related === undefined || root === undefined) return;
  const relations = await deck.office.relations(related.target);
  const moved = (box: Box) => toSlide({ ...box, x: box.x + frame.x, y: box.y + frame.y });
  const at = `translate(${short(frame.x)} ${short(frame.y)})`;
  await canvas.group({ transform: at }, () =>
    drawShapes(
      child(root, "spTree"),
      { ...drawing, sheet: { root, relations }, toSlide: moved },
      { depth: depth + 1 },
    ),
  );
}
