// How a shape is filled and outlined.
import { child, descendants, elements, type XmlElement } from "../../../office/xml.ts";
import type { Colour, Colours } from "./colour.ts";

export type Fill =
  | { readonly kind: "none" }
  | { readonly kind: "plain"; readonly colour: Colour }
  | { readonly kind: "gradient"; readonly stops: readonly Stop[]; readonly angle: number }
  /** `id` is the relationship that names the picture. */
  | { readonly kind: "picture"; readonly id: string };

interface Stop {
  readonly at: number;
  readonly colour: Colour;
}

export interface Line {
  readonly colour: Colour;
  /** In points. */
  readonly width: number;
  readonly dash: string;
  readonly arrows: { readonly start: boolean; readonly end: boolean };
}

export const NONE: Fill = { kind: "none" };
const POINT = 12_700;
const MAX_STOPS = 20;

/** The fill that the properties themselves define, or undefined. */
export function fillIn(properties: XmlElement | undefined, colours: Colours): Fill | undefined {
  for (const element of properties === undefined ? [] : elements(properties)) {
    const fill = FILLS.get(element.name)?.(element, colours);
    if (fill) return fill;
  }
  return undefined;
}

const plain = (colour: Colour | undefined): Fill =>
  colour === undefined ? NONE : { kind: "plain", colour };

const FILLS = new Map(
  Object.entries<(element: XmlElement, colours: Colours) => Fill>({
    noFill: () => NONE,
    solidFill: (element, colours) => plain(colours.in(element)),
    gradFill: gradient,
    pattFill: (element, colours) => plain(colours.in(child(element, "bgClr"))),
    blipFill: (element) => {
      const id = child(element, "blip")?.attributes["r:embed"];
      return id === undefined ? NONE : { kind: "picture", id };
    },
  }),
);

function gradient(element: XmlElement, colours: Colours): Fill {
  const stops = descendants(element, "gs")
    .slice(0, MAX_STOPS)
    .flatMap((stop): readonly Stop[] => {
      const colour = colours.in(stop);
      return colour ? [{ at: Number(stop.attributes["pos"] ?? 0) / 100_000, colour }] : [];
    })
    .sort((a, b) => a.at - b.at);
  const angle = Number(child(element, "lin")?.attributes["ang"] ?? 5_400_000) / 60_000;
  return stops.length === 0 ? NONE : { kind: "gradient", stops, angle };
}

/** The shape's own fill, or that of its style. */
export function fillOf(shape: XmlElement, colours: Colours): Fill {
  const own = fillIn(child(shape, "spPr"), colours);
  if (own) return own;
  const style = child(shape, "style", "fillRef");
  return isUsed(style) ? plain(colours.in(style)) : NONE;
}

export function lineOf(
  shape: XmlElement,
  line: XmlElement | undefined,
  colours: Colours,
): Line | undefined {
  const style = child(shape, "style", "lnRef");
  const fill = fillIn(line, colours);
  if (fill?.kind === "none" || fill?.kind === "picture") return undefined;
  const byStyle = isUsed(style) ? colours.in(style) : undefined;
  const colour = fill === undefined ? byStyle : colourOf(fill);
  if (colour === undefined) return undefined;
  const width = Number(line?.attributes["w"] ?? POINT * 0.75) / POINT;
  const hasEnd = (name: string) => (child(line, name)?.attributes["type"] ?? "none") !== "none";
  return {
    colour,
    width: Math.max(0.25, Math.min(100, width)),
    dash: child(line, "prstDash")?.attributes["val"] ?? "solid",
    arrows: { start: hasEnd("headEnd"), end: hasEnd("tailEnd") },
  };
}

function colourOf(fill: Fill): Colour | undefined {
  if (fill.kind === "plain") return fill.colour;
  return fill.kind === "gradient" ? fill.stops[0]?.colour : undefined;
}

function isUsed(style: XmlElement | undefined): style is XmlElement {
  return style !== undefined && style.attributes["idx"] !== "0";
}
