// Which elements and texts a browser would not show, by their styles.
import type { HiddenKind } from "../../domain/document.ts";
import type { TextAppearance } from "../hidden/appearance.ts";
import { toRgb, WHITE } from "../hidden/colour.ts";
import { type Attributes, type Declarations, openRules } from "./style-sheets.ts";

/** The kind of text that a property's value hides. */
const HIDING: readonly (readonly [HiddenKind, string, RegExp])[] = [
  ["hidden", "display", /^none/i],
  ["hidden", "visibility", /^(?:hidden|collapse)/i],
  ["hidden", "clip", /^rect\(\s*0/i],
  ["hidden", "clip-path", /^inset\(\s*(?:50|100)%/i],
  ["hidden", "transform", /^scale\(\s*0\s*\)/i],
  ["transparent", "opacity", /^0?(?:\.0\d*)?$/],
  ["transparent", "fill-opacity", /^0?(?:\.0\d*)?$/],
  ["transparent", "color", /^transparent/i],
  ["off-page", "text-indent", /^-\d{3,}/],
  ...["left", "top", "right", "margin-left", "margin-top", "margin-right"].map(
    (property) => ["off-page", property, /^-\d{4,}/] as const,
  ),
];

const USUAL_POINTS = 12;

/** What an element says about its text; undefined: it says nothing. */
export interface Look extends TextAppearance {
  readonly hides?: HiddenKind | undefined;
}

/** What a text's surroundings say together; elements inside may set a size again, as page builders do. */
export function within(around: TextAppearance, { points, colour, behind }: Look): TextAppearance {
  if (points === undefined && colour === undefined && behind === undefined) return around;
  return {
    points: points ?? around.points,
    colour: colour ?? around.colour,
    behind: behind === undefined ? around.behind : behind,
  };
}

const PLAIN: Look = {};

export interface Looks {
  /** The page's own; without a colour for what style sheets elsewhere may define. */
  readonly page: TextAppearance;
  of(name: string, attributes: Attributes): Look;
}

export function openLooks(sheets: readonly string[], isComplete: boolean): Looks {
  const rules = openRules(sheets);
  const isKnown = isComplete && !rules.others.map(lookOf).some(isColoured);
  return {
    page: { behind: isKnown ? WHITE : null },
    of(name, attributes) {
      const styled = lookOf(rules.of(name, attributes));
      const plain = fromAttributes(attributes);
      return plain === PLAIN ? styled : { ...plain, ...styled };
    },
  };
}

const isColoured = ({ behind, colour }: Look) => behind !== undefined || colour !== undefined;

function fromAttributes(attributes: Attributes): Look {
  const { color, bgcolor, background, fill } = attributes;
  if ("hidden" in attributes) return { hides: "hidden" };
  if (
    color === undefined &&
    bgcolor === undefined &&
    background === undefined &&
    fill === undefined
  )
    return PLAIN;
  return {
    ...((color ?? fill) === undefined ? {} : { colour: toRgb(color ?? fill ?? "") }),
    ...(bgcolor === undefined ? {} : { behind: toRgb(bgcolor) ?? null }),
    ...(background === undefined ? {} : { behind: null }),
  };
}

function lookOf(style: Declarations): Look {
  if (Object.keys(style).length === 0) return PLAIN;
  const { color, fill = color, background, "background-color": behind = background } = style;
  const size = style["font-size"];
  const hides = hiddenBy(style);
  return {
    ...(hides === undefined ? {} : { hides }),
    ...(size === undefined ? {} : { points: pointsOf(size) }),
    ...(fill === undefined ? {} : { colour: toRgb(fill) }),
    ...(behind === undefined ? {} : behindOf(behind)),
  };
}

function hiddenBy(style: Declarations): HiddenKind | undefined {
  const found = HIDING.find(([, property, pattern]) => pattern.test(style[property] ?? "-"));
  if (found !== undefined) return found[0];
  const isTiny = /^[01]px/.test(style["width"] ?? "") || /^[01]px/.test(style["height"] ?? "");
  return isTiny && style["overflow"] === "hidden" ? "hidden" : undefined;
}

/** Sizes without a unit of length are shares of the size around; only tiny ones matter. */
function pointsOf(size: string): number {
  const [, number, unit = ""] = /^([\d.]+)([a-z%]*)/i.exec(size) ?? [];
  if (number === undefined) return USUAL_POINTS;
  if (/^(?:px|pt)$/i.test(unit)) return Number(number);
  return (Number(number) * USUAL_POINTS) / (unit === "%" ? 100 : 1);
}

function behindOf(background: string): Look {
  if (/^(?:transparent|none|inherit|initial|unset)$/i.test(background)) return {};
  return { behind: toRgb(background) ?? null };
}
