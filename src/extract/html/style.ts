// Which elements and texts a browser would not show, by their styles.
import type { HiddenKind } from "../../domain/document.ts";
import { toRgb, WHITE } from "../hidden/colour.ts";
import type { TextLook } from "../hidden/look.ts";
import { cssRules } from "./style-sheets.ts";

/** With the kind of text that it hides. */
const HIDING: readonly (readonly [HiddenKind, RegExp])[] = [
  [
    "hidden",
    /(?:^|[;{\s])(?:display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|clip\s*:\s*rect\(\s*0|clip-path\s*:\s*inset\(\s*(?:50|100)%|transform\s*:\s*scale\(\s*0\s*\))/i,
  ],
  [
    "transparent",
    /(?:^|[;{\s])(?:(?:fill-)?opacity\s*:\s*0?(?:\.0\d*)?\s*(?:;|!|\}|$)|color\s*:\s*transparent)/i,
  ],
  [
    "off-page",
    /(?:^|[;{\s])(?:text-indent\s*:\s*-\d{3,}|(?:margin-)?(?:left|top|right)\s*:\s*-\d{4,})/i,
  ],
];
const ZERO_BOX = /(?:^|[;\s])(?:width|height)\s*:\s*[01]px/i;
const FONT_SIZE = /(?:^|[;\s])font-size\s*:\s*([\d.]+)?([a-z%]*)/i;
const COLOR = /(?:^|[;\s])(?:color|fill)\s*:\s*([^;!]+)/i;
const BACKGROUND = /(?:^|[;\s])background(?:-color)?\s*:\s*([^;!]+)/i;

const USUAL_POINTS = 12;

export type Attributes = Readonly<Record<string, string>>;

/** What an element says about its text; undefined: it says nothing. */
export interface Look extends TextLook {
  readonly hides?: HiddenKind | undefined;
}

/** What a text's surroundings say together; elements inside may set a size again, as page builders do. */
export type Seen = TextLook;

const PLAIN: Look = {};

export function within(around: Seen, { points, colour, behind }: Look): Seen {
  if (points === undefined && colour === undefined && behind === undefined) return around;
  return {
    points: points ?? around.points,
    colour: colour ?? around.colour,
    behind: behind === undefined ? around.behind : behind,
  };
}

export interface Looks {
  /** The page's own; without a colour for what style sheets elsewhere may define. */
  readonly page: Seen;
  of(name: string, attributes: Attributes): Look;
}

/** Reads style sheets for rules of one simple selector: `.class`, `#id`, `tag`. */
export function openLooks(sheets: readonly string[], isComplete: boolean): Looks {
  const rules = new Map<string, Look>();
  let isKnown = isComplete;
  for (const { head, body } of sheets.flatMap((sheet) => [...cssRules(sheet)])) {
    const look = lookOf(body);
    for (const selector of head.split(",").map((one) => one.trim())) {
      if (SIMPLE.test(selector)) rules.set(selector, { ...rules.get(selector), ...look });
      else if (look.behind !== undefined || look.colour !== undefined) isKnown = false;
    }
  }
  return {
    page: { behind: isKnown ? WHITE : null },
    of: (name, attributes) => {
      const named = rules.size === 0 ? PLAIN : fromRules(rules, name, attributes);
      return { ...named, ...fromAttributes(attributes), ...lookOf(attributes["style"] ?? "") };
    },
  };
}

const SIMPLE = /^(?=.)(?:[a-z][a-z0-9]*)?(?:[.#][\w-]+)?$/i;

function fromRules(rules: ReadonlyMap<string, Look>, name: string, attributes: Attributes): Look {
  const classes = (attributes["class"] ?? "").split(/\s+/);
  const selectors = [name, ...classes.flatMap((one) => [`.${one}`, `${name}.${one}`])];
  return Object.assign(
    {},
    ...[...selectors, `#${attributes["id"] ?? ""}`].map((one) => rules.get(one)),
  );
}

function fromAttributes(attributes: Attributes): Look {
  const { color, bgcolor, background, fill } = attributes;
  if ("hidden" in attributes) return { hides: "hidden" };
  return {
    ...((color ?? fill) === undefined ? {} : { colour: toRgb(color ?? fill ?? "") }),
    ...(bgcolor === undefined ? {} : { behind: toRgb(bgcolor) ?? null }),
    ...(background === undefined ? {} : { behind: null }),
  };
}

function lookOf(style: string): Look {
  if (style === "") return PLAIN;
  const hides = HIDING.find(([, pattern]) => pattern.test(style))?.[0];
  const isClipped = ZERO_BOX.test(style) && /overflow\s*:\s*hidden/i.test(style);
  const [, size, unit = ""] = FONT_SIZE.exec(style) ?? [];
  const colour = COLOR.exec(style)?.[1];
  const background = BACKGROUND.exec(style)?.[1];
  return {
    ...(hides === undefined && !isClipped ? {} : { hides: hides ?? "hidden" }),
    ...(FONT_SIZE.test(style) ? { points: pointsOf(size, unit) } : {}),
    ...(colour === undefined ? {} : { colour: toRgb(colour) }),
    ...(background === undefined ? {} : behindOf(background)),
  };
}

/** Sizes without a unit of length are shares of the size around; only tiny ones matter. */
function pointsOf(size: string | undefined, unit: string): number {
  if (size === undefined) return USUAL_POINTS;
  if (/^(?:px|pt)$/i.test(unit)) return Number(size);
  return (Number(size) * USUAL_POINTS) / (unit === "%" ? 100 : 1);
}

function behindOf(background: string): Look {
  if (/^\s*(?:transparent|none|inherit|initial|unset)\s*$/i.test(background)) return {};
  const colour = /^\s*(#[\da-f]+|rgba?\([^)]{0,60}\)|[a-z]+)\s*$/i.exec(background)?.[1];
  return { behind: (colour === undefined ? undefined : toRgb(colour)) ?? null };
}
