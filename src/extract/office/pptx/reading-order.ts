// The shapes of a slide in the order that people read them.
import { child, descendants, elements, textOf, type XmlElement } from "../xml.ts";

const SHAPES = new Set(["sp", "graphicFrame", "pic", "cxnSp"]);
// Placeholders that the layout repeats on every slide.
const FURNITURE = new Set(["sldNum", "dt", "ftr", "hdr", "sldImg"]);
// Shapes whose tops differ by less are in one row: 0.2 inches, in the format's units of 1/914,400 inch.
const ROW_HEIGHT = 182_880;

/** Placeholders positioned by the layout come first, then rows from top to bottom, each from left to right. */
export function shapesOf(tree: XmlElement | undefined): readonly XmlElement[] {
  const shapes = stackOf(tree).filter((shape) => !FURNITURE.has(placeholder(shape) ?? ""));
  const placed = shapes.map((shape, at) => ({ shape, at, ...offset(shape) }));
  placed.sort((a, b) => row(a.y) - row(b.y) || a.x - b.x || a.at - b.at);
  return placed.map(({ shape }) => shape);
}

export function isTitle(shape: XmlElement): boolean {
  const type = placeholder(shape);
  return type === "title" || type === "ctrTitle";
}

export function placeholder(shape: XmlElement): string | undefined {
  const element =
    child(shape, "nvSpPr", "nvPr", "ph") ?? child(shape, "nvGraphicFramePr", "nvPr", "ph");
  return element === undefined ? undefined : (element.attributes["type"] ?? "obj");
}

export function shapeText(shape: XmlElement): string {
  return descendants(shape, "p").map(paragraphLine).join("\n");
}

export function paragraphLine(paragraph: XmlElement): string {
  return elements(paragraph)
    .map((run) => {
      if (run.name === "br") return "\n";
      if (run.name === "fld" && run.attributes["type"] === "slidenum") return "";
      if (run.name === "r" || run.name === "fld") return textOf(child(run, "t"));
      // A formula, or its fallback.
      return run.name === "AlternateContent" || run.name === "m"
        ? descendants(run, "t").map(textOf).join("")
        : "";
    })
    .join("");
}

/** The shapes in the order in which they are drawn. */
export function stackOf(tree: XmlElement | undefined): readonly XmlElement[] {
  return elements(tree).flatMap((element) => {
    if (SHAPES.has(element.name)) return [element];
    if (element.name === "grpSp") return stackOf(element);
    if (element.name !== "AlternateContent") return [];
    const choice = child(element, "Choice");
    return stackOf(stackOf(choice).length > 0 ? choice : child(element, "Fallback"));
  });
}

function offset(shape: XmlElement): { x: number; y: number } {
  const frame = child(shape, "spPr", "xfrm") ?? child(shape, "xfrm");
  const at = child(frame, "off")?.attributes;
  // Positions in a group are relative to the group's own corner, which is exact enough for the order.
  return at === undefined ? { x: -1, y: -1 } : { x: Number(at["x"]), y: Number(at["y"]) };
}

function row(y: number): number {
  return Math.round(y / ROW_HEIGHT);
}
