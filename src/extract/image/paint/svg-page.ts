// A drawing as a page of PDF operators: shapes, groups, transforms, reused parts. To read it, its text is taken from the
// file itself (svg-text.ts); to see it, its letters are written and its pictures placed.
import { parseDocument } from "htmlparser2";
import svgpath from "svgpath";
import { overLimit } from "../../failures.ts";
import type { Attributes } from "../../html/style-sheets.ts";
import { type Element, isElement, isNotice, nameOf } from "../svg-text.ts";
import type { PaintedPage } from "./pdf-page.ts";
import {
  matrixOperator,
  number,
  openPainter,
  type Paint,
  type Painter,
  START,
  toOperands,
  transformOperator,
} from "./svg-style.ts";
import { writeRich, writeText } from "./svg-write.ts";

const MAX_SIDE = 2_400;
const NOT_PAINTED = /^(?:defs|clippath|mask|filter|symbol|pattern|marker|metadata|style|script)$/;
const WRITTEN = /^(?:text|foreignobject)$/;
// Parts that reuse parts can grow without limit; a real drawing has a few megabytes.
const MAX_OPERATORS = 64 * 1024 * 1024;
const MAX_PARTS = 100_000;
const DEEPEST = 256;

interface Drawing {
  readonly byId: ReadonlyMap<string, Element>;
  readonly paintOf: Painter;
  readonly out: string[];
  size: number;
  parts: number;
  isBlank: boolean;
  /** If the drawing is to be seen, where its pictures are collected: `/P0 Do` draws the first one. */
  readonly pictures: string[] | undefined;
}

interface DrawnPage extends PaintedPage {
  /** True if nothing is drawn on the page. */
  readonly isBlank: boolean;
}

/** Undefined if the source contains no drawing. With `pictures`, where their addresses are added, it also has letters. */
export function svgPage(source: string, pictures?: string[]): DrawnPage | undefined {
  const document = parseDocument(source, { xmlMode: true });
  const root = document.children.find(
    (child): child is Element => isElement(child) && nameOf(child) === "svg",
  );
  if (root === undefined) return undefined;
  const box = boxOf(root.attribs);
  const scale = MAX_SIDE / Math.max(box.width, box.height);
  const sideOf = (length: number) => Math.max(8, Math.round(length * scale));
  const [width, height] = [sideOf(box.width), sideOf(box.height)];
  const drawing: Drawing = {
    byId: elementsById(document),
    paintOf: openPainter(source),
    out: [],
    size: 0,
    parts: 0,
    isBlank: true,
    pictures,
  };
  paintChildren(root, drawing.paintOf("svg", root.attribs, START), drawing, 0);
  const matrix = [scale, 0, 0, -scale, -box.x * scale, height + box.y * scale];
  const drawn = drawing.out.join("\n");
  const content = `1 1 1 rg 0 0 ${width} ${height} re f\nq ${matrixOperator(matrix)}\n${drawn}\nQ`;
  return { width, height, content, isBlank: drawing.isBlank };
}

function boxOf(attributes: Attributes) {
  const [x = 0, y = 0, width = 0, height = 0] = (attributes["viewBox"] ?? "")
    .trim()
    .split(/[\s,]+/)
    .map(Number);
  if (width > 0 && height > 0 && Number.isFinite(x + y + width + height))
    return { x, y, width, height };
  const side = (name: string, otherwise: number) =>
    Math.max(1, number(attributes[name], otherwise));
  return { x: 0, y: 0, width: side("width", 300), height: side("height", 150) };
}

function elementsById(document: ReturnType<typeof parseDocument>): ReadonlyMap<string, Element> {
  const found = new Map<string, Element>();
  const waiting = [...document.children];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (!isElement(node)) continue;
    const { id } = node.attribs;
    if (id !== undefined) found.set(id, node);
    for (const child of node.children) waiting.push(child);
  }
  return found;
}

function paintChildren(parent: Element, paint: Paint, drawing: Drawing, depth: number): void {
  for (const child of parent.children)
    if (isElement(child)) paintElement(child, paint, drawing, depth);
}

function paintElement(element: Element, above: Paint, drawing: Drawing, depth: number): void {
  const tag = nameOf(element);
  if (NOT_PAINTED.test(tag)) return;
  if (depth > DEEPEST) throw overLimit(`its elements are nested more than ${DEEPEST} deep`);
  const { attribs } = element;
  const paint = drawing.paintOf(tag, attribs, above);
  if (paint.isHidden) return;
  put(drawing, `q ${transformOperator(attribs["transform"])}`);
  if (WRITTEN.test(tag)) write(element, paint, drawing);
  else if (tag === "use") paintUsed(attribs, paint, drawing, depth + 1);
  else if (tag === "image") paintPicture(attribs, drawing);
  else if (tag === "svg") {
    put(drawing, viewOperators(attribs, drawing));
    paintChildren(element, paint, drawing, depth + 1);
  } else {
    const shape = shapeOperators(tag, attribs);
    const isOpen = tag === "line" || tag === "polyline";
    const operators = shape === "" ? "" : painted(shape, paint, isOpen);
    if (operators !== "") {
      drawing.isBlank = false;
      put(drawing, operators);
    }
    paintChildren(element, paint, drawing, depth + 1);
  }
  put(drawing, "Q");
}

function write(element: Element, paint: Paint, drawing: Drawing): void {
  if (drawing.pictures === undefined) return;
  const isText = nameOf(element) === "text";
  const other = isText ? undefined : plainBeside(element);
  if (isText ? isNotice(letters(element)) : other && !isNotice(letters(other))) return;
  const operators = isText ? writeText(element, paint, drawing.paintOf) : writeRich(element, paint);
  if (operators !== "") drawing.isBlank = false;
  put(drawing, operators);
}

/** Beside rich text in a <switch> is the same as plain text, at its own place. */
function plainBeside({ parent }: Element): Element | undefined {
  if (!parent || !isElement(parent) || nameOf(parent) !== "switch") return undefined;
  return parent.children.find(
    (child): child is Element => isElement(child) && nameOf(child) === "text",
  );
}

function letters({ children }: Element): string {
  return children
    .map((child) => (child.type === "text" ? child.data : ""))
    .join("")
    .trim();
}

function paintPicture(attributes: Attributes, { pictures, out }: Drawing): void {
  const href = attributes["href"] ?? attributes["xlink:href"];
  if (pictures === undefined || href === undefined) return;
  const { x, y, width, height } = placeOf(attributes);
  // A picture of PDF is one unit high, from the bottom up.
  out.push(`${matrixOperator([width, 0, 0, -height, x, y + height])} /P${pictures.length} Do`);
  pictures.push(href);
}

/** An inner drawing shows only what is inside its view. */
function viewOperators(attributes: Attributes, { pictures }: Drawing): string {
  const { x, y, width, height } = placeOf(attributes);
  if (pictures === undefined || attributes["viewBox"] === undefined)
    return matrixOperator([1, 0, 0, 1, x, y]);
  const view = boxOf(attributes);
  const [across, down] = [width / view.width, height / view.height];
  const matrix = [across, 0, 0, down, x - view.x * across, y - view.y * down];
  return `${[x, y, width, height].map(fixed).join(" ")} re W n ${matrixOperator(matrix)}`;
}

function placeOf(attributes: Attributes) {
  const [x = 0, y = 0, width = 0, height = 0] = ["x", "y", "width", "height"].map((name) =>
    number(attributes[name], 0),
  );
  return { x, y, width, height };
}

/** PDF does not support exponents. */
const fixed = (value: number) => value.toFixed(4);

function paintUsed(attributes: Attributes, paint: Paint, drawing: Drawing, depth: number): void {
  const id = (attributes["href"] ?? attributes["xlink:href"] ?? "").replace(/^#/, "");
  const used = drawing.byId.get(id);
  if (used === undefined) return;
  const { x, y } = placeOf(attributes);
  put(drawing, matrixOperator([1, 0, 0, 1, x, y]));
  if (nameOf(used) === "symbol")
    paintChildren(used, drawing.paintOf("symbol", used.attribs, paint), drawing, depth);
  else paintElement(used, paint, drawing, depth);
}

function put(drawing: Drawing, operators: string): void {
  drawing.size += operators.length + 1;
  drawing.parts += 1;
  if (drawing.size > MAX_OPERATORS || drawing.parts > MAX_PARTS * 3)
    throw overLimit("its parts refer to each other in a loop");
  drawing.out.push(operators);
}

function painted(shape: string, paint: Paint, isOpen: boolean): string {
  const [fill, stroke] = [paint.fill, paint.stroke].map((value) => toOperands(value, paint.color));
  // An open line is black inside only because nothing says otherwise.
  const fills = fill !== undefined && !(isOpen && paint.fill === START.fill);
  const strokes = stroke !== undefined && paint.strokeWidth > 0;
  if (!fills && !strokes) return "";
  const setup = [
    fills ? `${fill} rg` : "",
    strokes ? `${stroke} RG ${fixed(paint.strokeWidth)} w` : "",
  ];
  const rule = paint.evenOdd && fills ? "*" : "";
  const fillEnd = strokes ? `B${rule}` : `f${rule}`;
  return `${setup.join(" ")}\n${shape}\n${fills ? fillEnd : "S"}`;
}

/** Path data as PDF operators. What follows something that cannot be read is left out, as viewers do. */
function pathOperators(data: string): string {
  const out: string[] = [];
  svgpath(data)
    .abs()
    .unshort()
    .unarc()
    .iterate(([command, ...values], _index, x, y) => {
      out.push(pathOperator(String(command), values.map(Number), [x, y]));
    });
  return out.join("\n");
}

type Point = readonly [x: number, y: number];

function pathOperator(command: string, values: readonly number[], [x, y]: Point): string {
  const [a = 0, b = 0, c = 0, d = 0] = values;
  const written = (numbers: readonly number[], operator: string) =>
    `${numbers.map(fixed).join(" ")} ${operator}`;
  switch (command) {
    case "M":
      return written(values, "m");
    case "L":
      return written(values, "l");
    case "H":
      return written([a, y], "l");
    case "V":
      return written([x, a], "l");
    case "C":
      return written(values, "c");
    case "Q": {
      const third = (from: number, control: number) => from + ((control - from) * 2) / 3;
      return written([third(x, a), third(y, b), third(c, a), third(d, b), c, d], "c");
    }
    default:
      return "h";
  }
}

function shapeOperators(tag: string, attributes: Attributes): string {
  const get = (name: string) => number(attributes[name], 0);
  switch (tag) {
    case "path":
      return pathOperators(attributes["d"] ?? "");
    case "rect":
      return `${get("x")} ${get("y")} ${get("width")} ${get("height")} re`;
    case "line":
      return `${get("x1")} ${get("y1")} m ${get("x2")} ${get("y2")} l`;
    case "polyline":
    case "polygon":
      return pathOperators(`M${attributes["points"] ?? ""}${tag === "polygon" ? "z" : ""}`);
    case "circle":
      return ellipse(get("cx"), get("cy"), get("r"), get("r"));
    case "ellipse":
      return ellipse(get("cx"), get("cy"), get("rx"), get("ry"));
    default:
      return "";
  }
}

function ellipse(x: number, y: number, radiusX: number, radiusY: number): string {
  if (radiusX <= 0 || radiusY <= 0) return "";
  const half = `a${radiusX} ${radiusY} 0 1 1`;
  return pathOperators(`M${x - radiusX} ${y}${half} ${2 * radiusX} 0${half} ${-2 * radiusX} 0z`);
}
