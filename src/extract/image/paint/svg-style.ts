// How a shape is painted: attributes, its own style and the drawing's style sheets, as far as letters need it.
import { cssRules, styleSheets } from "../../html/style-sheets.ts";

export type Attributes = Readonly<Record<string, string>>;
/** Each channel is from 0 to 1; undefined means not painted. */
export type Colour = readonly [number, number, number] | undefined;

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

const NAMED = new Map([
  ["white", "ffffff"],
  ["red", "ff0000"],
  ["crimson", "dc143c"],
  ["green", "008000"],
  ["blue", "0000ff"],
  ["navy", "000080"],
  ["steelblue", "4682b4"],
  ["orange", "ffa500"],
  ["purple", "800080"],
  ["teal", "008080"],
  ["brown", "a52a2a"],
  ["maroon", "800000"],
  ["olive", "808000"],
  ["gold", "ffd700"],
  ["yellow", "ffff00"],
  ["pink", "ffc0cb"],
]);
// Of all others it only matters how light they are.
const LIGHT = /white|light|pale|silver|yellow|cyan|aqua|lime|gold|pink|beige|ivory|lavender|wheat/;
const GREY: Colour = [0.5, 0.5, 0.5];
// Gradients and patterns are rarely letters, so they are painted lightly too.
const SHADED: Colour = [0.85, 0.85, 0.85];
const CLEAR = 0.05;

export type Sheet = (tag: string, attributes: Attributes) => Attributes;

/** Reads rules for an element's name, class or id; other selectors depend on the tree and are skipped. */
export function readSheet(source: string): Sheet {
  const rules = new Map<string, Record<string, string>>();
  for (const sheet of styleSheets(source)) {
    for (const { head, body } of cssRules(sheet)) {
      for (const selector of head.split(",")) {
        const known = rules.get(selector.trim()) ?? {};
        rules.set(selector.trim(), { ...known, ...declarations(body) });
      }
    }
  }
  return (tag, { class: names = "", id = "", style = "" }) => {
    const classes = names.split(/\s+/).flatMap((name) => [`.${name}`, `${tag}.${name}`]);
    const found = [tag, ...classes, `#${id}`].map((selector) => rules.get(selector));
    return Object.assign({}, ...found, declarations(style));
  };
}

function declarations(body: string): Record<string, string> {
  const pairs = body.split(";").map((each) => each.split(":"));
  return Object.fromEntries(
    pairs.flatMap(([name, value]) =>
      name === undefined || value === undefined
        ? []
        : [[name.trim().toLowerCase(), value.replace("!important", "").trim()]],
    ),
  );
}

export function paintOf(tag: string, attributes: Attributes, above: Paint, sheet: Sheet): Paint {
  const own: Attributes = { ...attributes, ...sheet(tag, attributes) };
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
}

function fontSize(value: string | undefined, above: number): number {
  const size = number(value, 0);
  if (size <= 0) return above;
  const unit = /(?:em|%|pt)\s*$/.exec(value ?? "")?.[0].trim() ?? "";
  return size * ({ em: above, "%": above / 100, pt: 4 / 3 }[unit] ?? 1);
}

export function toColour(value: string, current: string): Colour {
  const text = value.trim().toLowerCase();
  if (text === "none" || text === "transparent") return undefined;
  if (text === "currentcolor") return current === value ? [0, 0, 0] : toColour(current, value);
  const numbers = /rgba?\(([^)]*)\)/.exec(text)?.[1]?.split(/[\s,/]+/);
  if (numbers) {
    if (number(numbers[3], 1) < CLEAR) return undefined;
    const part = (at: number) => {
      const each = numbers[at] ?? "0";
      return Math.min(1, Math.max(0, number(each, 0) / (each.endsWith("%") ? 100 : 255)));
    };
    return [part(0), part(1), part(2)];
  }
  // Functions that choose between colours list the one for a light page first.
  const hex = /#([0-9a-f]{3,8})\b/.exec(text)?.[1];
  if (hex !== undefined) return fromHex(hex);
  const named = NAMED.get(text);
  if (named !== undefined) return fromHex(named);
  if (text.includes("(") || LIGHT.test(text)) return SHADED;
  return /gr[ae]y|orange/.test(text) ? GREY : [0, 0, 0];
}

function fromHex(hex: string): Colour {
  const long = hex.length < 6 ? [...hex].map((digit) => digit + digit).join("") : hex;
  const part = (at: number) => (Number.parseInt(long.slice(at, at + 2), 16) || 0) / 255;
  return [part(0), part(2), part(4)];
}

export function number(value: string | undefined, otherwise: number): number {
  const parsed = Number.parseFloat(value ?? "");
  return Number.isFinite(parsed) ? parsed : otherwise;
}

const TRANSFORM = /(matrix|translate|scale|rotate|skewX|skewY)\s*\(([^)]*)\)/g;

/** The transform attribute as PDF's `cm` operators, in the same order. */
export function transformOperators(value: string): string {
  return [...value.matchAll(TRANSFORM)]
    .flatMap(([, name = "", list = ""]) =>
      toMatrices(
        name,
        list
          .trim()
          .split(/[\s,]+/)
          .map(Number),
      ),
    )
    .filter((matrix) => matrix.length === 6 && matrix.every(Number.isFinite))
    .map((matrix) => `${matrix.map((each) => each.toFixed(6)).join(" ")} cm`)
    .join(" ");
}

function toMatrices(name: string, values: readonly number[]): readonly (readonly number[])[] {
  const [a = 0, b, c = 0] = values;
  const angle = (a * Math.PI) / 180;
  const [cos, sin, tan] = [Math.cos(angle), Math.sin(angle), Math.tan(angle)];
  switch (name) {
    case "matrix":
      return [values];
    case "translate":
      return [[1, 0, 0, 1, a, b ?? 0]];
    case "scale":
      return [[a, 0, 0, b ?? a, 0, 0]];
    case "rotate":
      return [
        [1, 0, 0, 1, b ?? 0, c],
        [cos, sin, -sin, cos, 0, 0],
        [1, 0, 0, 1, -(b ?? 0), -c],
      ];
    case "skewX":
      return [[1, 0, tan, 1, 0, 0]];
    default:
      return [[1, tan, 0, 1, 0, 0]];
  }
}
