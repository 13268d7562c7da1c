// How a shape is painted: attributes, its own style and the drawing's style sheets, as far as letters need it.
import svgpath from "svgpath";
import { toRgb } from "../../hidden/colour.ts";
import {
  type Attributes,
  type Declarations,
  openRules,
  styleSheets,
} from "../../html/style-sheets.ts";

export interface Paint {
  readonly fill: string;
  readonly stroke: string;
  readonly strokeWidth: number;
  readonly color: string;
  readonly evenOdd: boolean;
  readonly isHidden: boolean;
  readonly fontSize: number;
  readonly isBold: boolean;
  /** Where a text is held: its start, middle or end. */
  readonly anchor: string;
  readonly baseline: string;
}

export const START: Paint = {
  fill: "black",
  stroke: "none",
  strokeWidth: 1,
  color: "black",
  evenOdd: false,
  isHidden: false,
  fontSize: 16,
  isBold: false,
  anchor: "start",
  baseline: "",
};

// Gradients and patterns are rarely letters, so they are painted lightly.
const SHADED = "0.850 0.850 0.850";
const BLACK = "0.000 0.000 0.000";
const CLEAR = 0.05;

/** How an element inside another one is painted. */
export type Painter = (tag: string, attributes: Attributes, above: Paint) => Paint;

export function openPainter(source: string): Painter {
  const rules = openRules(styleSheets(source));
  return (tag, attributes, above) => {
    const own: Declarations = { ...attributes, ...rules.of(tag, attributes) };
    const set = (name: string, before: string) => {
      const value = own[name];
      return value === undefined || value === "inherit" ? before : value;
    };
    const isClear = (name: string) => number(own[name], 1) < CLEAR;
    return {
      color: set("color", above.color),
      fill: isClear("fill-opacity") ? "none" : set("fill", above.fill),
      stroke: isClear("stroke-opacity") ? "none" : set("stroke", above.stroke),
      strokeWidth: number(own["stroke-width"], above.strokeWidth),
      evenOdd: set("fill-rule", above.evenOdd ? "evenodd" : "nonzero") === "evenodd",
      isHidden:
        above.isHidden ||
        own["display"] === "none" ||
        own["visibility"] === "hidden" ||
        isClear("opacity"),
      fontSize: fontSize(own["font-size"], above.fontSize),
      isBold: /^(?:bold|[6-9]00)/.test(set("font-weight", above.isBold ? "bold" : "")),
      anchor: set("text-anchor", above.anchor),
      baseline: set("dominant-baseline", above.baseline),
    };
  };
}

function fontSize(value: string | undefined, above: number): number {
  const size = number(value, 0);
  if (size <= 0) return above;
  const unit = /(?:em|%|pt)\s*$/.exec(value ?? "")?.[0].trim() ?? "";
  return size * ({ em: above, "%": above / 100, pt: 4 / 3 }[unit] ?? 1);
}

/** As operands of PDF, each from 0 to 1; undefined if nothing is painted. */
export function toOperands(value: string, current: string): string | undefined {
  const text = value.trim().toLowerCase();
  if (text === "none" || text === "transparent") return undefined;
  if (text === "currentcolor") return current === value ? BLACK : toOperands(current, value);
  const alpha = /^rgba\([^)]*[,/\s]([\d.]+)\s*\)$/.exec(text)?.[1];
  if (number(alpha, 1) < CLEAR) return undefined;
  // Functions that choose between colours list the one for a light page first. Transparency is left out.
  const [hex] = /#[\da-f]{3,8}\b/.exec(text) ?? [];
  const rgb = toRgb(hex === undefined ? text : hex.slice(0, hex.length < 6 ? 4 : 7));
  if (rgb === undefined) return text.includes("(") ? SHADED : BLACK;
  return rgb.map((part) => (part / 255).toFixed(3)).join(" ");
}

export function number(value: string | undefined, otherwise: number): number {
  const parsed = Number.parseFloat(value ?? "");
  return Number.isFinite(parsed) ? parsed : otherwise;
}

/** PDF does not support exponents. */
export function matrixOperator(matrix: readonly number[]): string {
  return `${matrix.map((each) => each.toFixed(6)).join(" ")} cm`;
}

/** The transform attribute as PDF's operator: where it moves the corners of a unit. */
export function transformOperator(value: string | undefined): string {
  if (value === undefined) return "";
  const corners = svgpath("M0 0L1 0L0 1").transform(value).abs();
  const points: number[][] = [];
  corners.iterate(([, x = 0, y = 0]) => void points.push([Number(x), Number(y)]));
  const [[e = 0, f = 0] = [], [a = 1, b = 0] = [], [c = 0, d = 1] = []] = points;
  const matrix = [a - e, b - f, c - e, d - f, e, f];
  return matrix.every(Number.isFinite) ? matrixOperator(matrix) : "";
}
